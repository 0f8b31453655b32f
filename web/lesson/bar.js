// The phone's bottom bar: the sign line while reading, and a button that lifts the bench over the text.

import { number, say } from "../words.js";

const byId = (id) => document.getElementById(id);

const signed = (value) => `${value < 0 ? "\u2212" : "+"}${number(Math.abs(value), Math.abs(value) >= 1000 ? 0 : 2)}`;

export class Bar {
  #aside = byId("bench-panel");
  #panel = byId("panel");
  #open = byId("bar-open");

  constructor() {
    byId("bar").hidden = false;
    this.#open.addEventListener("click", () => this.toggle(!this.isOpen));
    byId("sheet-close").addEventListener("click", () => this.toggle(false));
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.isOpen) this.toggle(false);
    });
    // A link inside the sheet leads to the text below it.
    this.#panel.addEventListener("click", (event) => {
      if (event.target instanceof Element && event.target.closest('a[href^="#"]')) this.toggle(false);
    });
    // The bar has nothing to add while the bench itself is on the screen.
    new IntersectionObserver(
      ([entry]) => document.body.classList.toggle("bench-in-view", entry.isIntersecting),
      { rootMargin: "-25% 0px -25% 0px" },
    ).observe(this.#aside);
    // A window grown wide has the bench beside the text again.
    matchMedia("(min-width: 960px)").addEventListener("change", () => this.toggle(false));
  }

  get isOpen() {
    return document.body.classList.contains("sheet-open");
  }

  toggle(open) {
    if (open === this.isOpen) return;
    // Keeps the text from jumping while the bench is lifted out of it.
    this.#aside.style.minHeight = open ? `${this.#aside.offsetHeight}px` : "";
    document.body.classList.toggle("sheet-open", open);
    this.#open.setAttribute("aria-expanded", String(open));
    if (open) byId("sheet-close").focus();
    else if (document.activeElement === document.body || this.#panel.contains(document.activeElement)) this.#open.focus();
  }

  say(text, glyph = "○", kind = "") {
    const sign = byId("bar-sign");
    sign.className = `bar-sign ${kind}`;
    sign.querySelector(".glyph").textContent = glyph;
    sign.querySelector(".bar-text").textContent = text;
  }

  // A readout on trial carries a verdict and its law's own exact entry; any other is judged by its sign.
  showReadout({ readout }) {
    if ("average_gradient" in readout) return this.#showSlope(readout);
    const onTrial = "verdict" in readout;
    if (typeof readout.entry !== "number" || (onTrial ? readout.verdict === "none" : readout.sign_agrees === null)) {
      this.say(readout.message || say("no_gradient"), "–");
      return;
    }
    const truth = onTrial ? readout.entry_law : readout.entry_exact;
    const returned = signed(readout.entry);
    const numbers = typeof truth === "number" ? say("bar_exact", { returned, exact: signed(truth) }) : returned;
    const verdict = onTrial ? readout.verdict : readout.sign_agrees ? "same-sign" : "wrong-sign";
    if (verdict === "wrong-sign") this.say(say("bar_wrong_sign", { numbers }), "▼", "wrong");
    else if (verdict === "wrong") this.say(say("bar_wrong_value", { numbers }), "▼", "wrong");
    else this.say(verdict === "right" ? say("bar_right", { numbers }) : say("bar_same_sign", { numbers }), "▲", "same");
  }

  // One of the falling mass carries a slope, which may wait for samples, and that of the average under noise.
  #showSlope({ velocity_gradient: slope, average_gradient: average }) {
    const exact = Math.abs(average) < 0.005 ? "0" : signed(average);
    if (slope === null) this.say(say("bar_drawing"), "○");
    else if (Math.abs(slope) < 0.005) this.say(say("bar_zero_slope", { exact }), "–");
    else this.say(say("bar_slope", { returned: signed(slope), exact }), slope < 0 ? "▼" : "▲", "same");
  }
}
