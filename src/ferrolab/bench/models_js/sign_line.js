// The sign line: what came back, beside what is exact.
(() => {
  "use strict"

  const {LayoutDOM, MODULE, PartView, h, register, set_text} = globalThis.ferrolab_bench

  const SVG = "http://www.w3.org/2000/svg"

  /** Two arrows, the returned sign solid and the exact one in outline. */
  const arrows = () => {
    const svg = document.createElementNS(SVG, "svg")
    svg.setAttribute("viewBox", "0 0 44 40")
    svg.setAttribute("aria-hidden", "true")
    const shapes = ["returned", "exact"].map((name, i) => {
      const path = document.createElementNS(SVG, "path")
      path.setAttribute("class", name)
      path.dataset.x = String(11 + 22 * i)
      svg.append(path)
      return path
    })
    return {svg, shapes}
  }

  const point = (path, direction) => {
    const x = Number(path.dataset.x)
    const up = `M${x} 3 L${x + 9} 17 H${x + 3.5} V37 H${x - 3.5} V17 H${x - 9} Z`
    const dash = `M${x - 8} 17 H${x + 8} V23 H${x - 8} Z`
    path.setAttribute("d", direction === 0 ? dash : up)
    path.setAttribute("transform", direction < 0 ? `rotate(180 ${x} 20)` : "")
  }

  class SignLineView extends PartView {
    static css = `
      :host { container-type: inline-size; }
      /* What the slider did to the sign stays in sight while the pictures below are looked at. */
      @media (min-height: 700px) { :host { position: sticky; top: 0; z-index: 2; } }
      .sign { background: var(--card); display: grid; grid-template-columns: auto minmax(0, 1fr) auto auto; gap: .2rem 1rem; align-items: center;
        padding: .8rem 1.1rem .75rem calc(1.1rem - 6px); border-left: 6px solid var(--tone);
        border-bottom: 1px solid var(--line); --tone: var(--soft); }
      .same { --tone: var(--good); }
      .wrong { --tone: var(--bad); background: var(--wash); }
      svg { width: 46px; height: 42px; display: block; margin-left: .35rem; }
      path { stroke: var(--tone); stroke-width: 2; stroke-linejoin: round; }
      path.returned { fill: var(--tone); }
      path.exact { fill: none; stroke: var(--ink); }
      .words { font-size: 1.45rem; line-height: 1.15; font-weight: 750; letter-spacing: .035em; color: var(--tone); }
      .route { font-size: 12.5px; color: var(--soft); margin-top: .15rem; }
      .route i { display: inline-block; width: 1.3em; vertical-align: .25em; margin-right: .45em; border-top: 3px solid var(--suspect); }
      .route i.tolerance { border-top-style: dashed; }
      .value small { display: block; font-size: 12px; color: var(--soft); font-weight: 400; white-space: nowrap; }
      .value { text-align: right; white-space: nowrap; font-weight: 650; align-self: last baseline; }
      .returned-value { font-size: 1.75rem; line-height: 1.15; color: var(--tone); }
      .exact-value { font-size: 1.25rem; line-height: 1.4; border-left: 1px solid var(--line); padding-left: 1rem; }
      .long .heading { display: contents; }
      .long .route { grid-column: 1 / -1; grid-row: 2; padding-left: .35rem; }
      .long .note { grid-row: 3; }
      .long { column-gap: .7rem; }
      .long .words { font-size: 1.25rem; white-space: nowrap; letter-spacing: .02em; }
      .long .returned-value { font-size: 1.6rem; }
      .message, .note { grid-column: 1 / -1; font-size: 13px; color: var(--ink); padding: .35rem 0 0 .35rem; }
      .note { font-size: 12.5px; color: var(--soft); padding-top: .1rem; }
      [aria-busy="true"] { opacity: .75; }
      @container (max-width: 470px) {
        .sign { grid-template-columns: auto minmax(0, 1fr) auto; }
        .heading { grid-column: 2 / -1; }
        .returned-value { grid-column: 1 / 3; text-align: left; padding-left: .35rem; font-size: 1.9rem; }
        .exact-value { font-size: 1.35rem; }
        .route { margin-top: 0; }
        .long .words { grid-column: 2 / -1; font-size: 1.45rem; }
        .long .note { grid-row: auto; }
      }
    `

    build() {
      const {svg, shapes} = arrows()
      this.shapes = shapes
      this.words = h("p", {class: "words"})
      this.chip = h("i", {"aria-hidden": "true"})
      this.route = h("span")
      this.returned = h("span")
      this.exact = h("span")
      this.note = h("p", {class: "note"})
      this.message = h("p", {class: "message"})
      const value = (kind, label, node) => h("div", {class: `value ${kind}-value`}, h("small", {}, label), " ", node)
      this.box = h("div", {class: "sign", role: "group", "aria-label": this.model.title},
        svg,
        h("div", {class: "heading"}, this.words, h("p", {class: "route"}, this.chip, this.route)),
        value("returned", this.model.returned_label, this.returned),
        value("exact", this.model.exact_label, this.exact),
        this.note,
        this.message)
      return this.box
    }

    refresh() {
      const {verdict, words, route, ink, returned, exact, directions, note, message, busy} = this.model
      this.box.className = `sign ${verdict}${note === "" ? "" : " long"}`
      this.box.dataset.verdict = verdict
      this.shapes.forEach((shape, i) => point(shape, directions[i]))
      set_text(this.words, words)
      this.chip.className = ink
      this.chip.style.setProperty("--suspect", `var(--${ink})`)
      set_text(this.route, route)
      set_text(this.returned, returned)
      set_text(this.exact, exact)
      set_text(this.note, note)
      this.note.hidden = note === ""
      set_text(this.message, message)
      this.message.hidden = message === ""
      this.box.setAttribute("aria-busy", String(busy))
    }
  }

  class SignLine extends LayoutDOM {
    static __module__ = MODULE
    static {
      this.prototype.default_view = SignLineView
      this.define(({Bool, Int, Str, Tuple}) => ({
        title: [Str, ""],
        verdict: [Str, "none"],
        words: [Str, ""],
        route: [Str, ""],
        ink: [Str, "fixed"],
        returned_label: [Str, ""],
        returned: [Str, ""],
        exact_label: [Str, ""],
        exact: [Str, ""],
        directions: [Tuple(Int, Int), [0, 0]],
        note: [Str, ""],
        message: [Str, ""],
        busy: [Bool, false],
      }))
    }
  }

  register(SignLine)
})()
