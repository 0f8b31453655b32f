// The phone's bottom bar: the sign line while reading, and a button that lifts the bench over the text.

const byId = (id) => document.getElementById(id);

const signed = (number) => {
  const text = Math.abs(number) >= 1000 ? Math.abs(number).toFixed(0) : Math.abs(number).toFixed(2);
  return `${number < 0 ? "\u2212" : "+"}${text}`;
};

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
    const onTrial = "verdict" in readout;
    if (typeof readout.entry !== "number" || (onTrial ? readout.verdict === "none" : readout.sign_agrees === null)) {
      this.say(readout.message || "no gradient here", "–");
      return;
    }
    const truth = onTrial ? readout.entry_law : readout.entry_exact;
    const exact = typeof truth === "number" ? `, exact ${signed(truth)}` : "";
    const numbers = `${signed(readout.entry)}${exact}`;
    const verdict = onTrial ? readout.verdict : readout.sign_agrees ? "same-sign" : "wrong-sign";
    if (verdict === "wrong-sign") this.say(`WRONG SIGN ${numbers}`, "▼", "wrong");
    else if (verdict === "wrong") this.say(`WRONG VALUE ${numbers}`, "▼", "wrong");
    else this.say(`${verdict === "right" ? "right" : "same sign"} ${numbers}`, "▲", "same");
  }
}
