// The state of the bench in the page's address: "#bench?log_stiffness=6.5&dt=1e-05". What stands behind the mark is made
// and read by the session (ferrolab/site/links.py), which knows the controls. A link to a part of the text, "#practice", is a
// reader's own, and stays until the reader moves the bench.

import { say } from "../words.js";

const MARK = "#bench?";
const REST_MS = 600; // a bench that moves is not written down
const MOST = 2000; // characters

// What the address asks of the bench, or null.
const asked = () => (location.hash.startsWith(MARK) ? location.hash.slice(MARK.length).slice(0, MOST) : null);

export class Address {
  #link = null; // the last one that was told
  #moved = false; // since the address was last written
  #timer = null;

  // onAsked(link) is called when the reader goes to another link within the page.
  constructor(onAsked) {
    addEventListener("hashchange", () => asked() !== null && onAsked(asked()));
    this.#addButton();
  }

  get asked() {
    return asked();
  }

  // A readout was told, with the `link` that leads to it ("" for the bench as it starts).
  tell(link) {
    this.#moved ||= this.#link !== null && link !== this.#link;
    this.#link = link;
    clearTimeout(this.#timer);
    if (this.#moved || asked() !== null || !location.hash) this.#timer = setTimeout(() => this.#write(), REST_MS);
  }

  #write() {
    this.#moved = false;
    const hash = this.#link ? MARK + this.#link : "";
    if (hash === location.hash || (!hash && asked() === null)) return;
    try {
      history.replaceState(history.state, "", `${location.pathname}${location.search}${hash}`);
    } catch {
      // a frame may not be allowed to; the link can still be copied
    }
  }

  #addButton() {
    if (!navigator.clipboard) return; // the address itself can be copied
    const button = document.createElement("button");
    button.type = "button";
    button.className = "quiet copy-link";
    button.textContent = say("copy_link");
    button.addEventListener("click", async () => {
      const here = new URL(location.href);
      here.hash = this.#link ? MARK + this.#link : "";
      const said = document.getElementById("announce");
      try {
        await navigator.clipboard.writeText(here.href);
        said.textContent = button.textContent = say("link_copied");
        setTimeout(() => (button.textContent = say("copy_link")), 4000);
      } catch {
        button.remove();
      }
    });
    document.querySelector(".bench-scroll").append(button);
  }
}
