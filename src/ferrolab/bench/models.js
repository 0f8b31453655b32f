// Views of the bench's own Bokeh models (Python twins: models.py).
// Plain JavaScript: loaded as it stands after bokeh.min.js, no compiler, nothing that runs text.
// Colours and geometry come from custom properties set by tokens.py.
(() => {
  "use strict"

  const Bokeh = globalThis.Bokeh
  if (Bokeh === undefined) {
    throw new Error("ferrolab's models.js was loaded before bokeh.min.js; load it after.")
  }
  const {LayoutDOM, LayoutDOMView} = Bokeh.require("models/layouts/layout_dom")

  const MODULE = "ferrolab.bench.models"
  const SVG = "http://www.w3.org/2000/svg"

  // How long the slider waits for an answer before it sends the next move anyway (ms).
  const PATIENCE = 2000

  // How often the live region looks whether a move has ended (ms).
  const SETTLE = 150

  /** Create an element: h("p", {class: "note"}, "text", child). */
  const h = (tag, attributes = {}, ...children) => {
    const node = document.createElement(tag)
    for (const [name, value] of Object.entries(attributes)) {
      if (value === true) node.setAttribute(name, "")
      else if (value !== false && value != null) node.setAttribute(name, value)
    }
    node.append(...children)
    return node
  }

  const set_text = (node, text) => {
    if (node.textContent !== text) node.textContent = text
  }

  const COMMON_CSS = `
    :host { font-size: 14px; line-height: 1.4; color: var(--ink); font-variant-numeric: tabular-nums;
      /* Bokeh lets every host inherit its family from outside; that rule outranks :host. */
      font-family: var(--sans) !important; }
    *, *::before, *::after { box-sizing: border-box; }
    p, h3 { margin: 0; }
    .hidden { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden;
      clip-path: inset(50%); white-space: nowrap; }
    .legend { display: block; font-size: 12px; color: var(--soft); padding: 0 0 .3rem; }
    .hint { font-size: 12px; color: var(--soft); margin-top: .25rem; width: var(--hint-width, auto); min-width: 100%; }
  `

  /** A leaf: builds its DOM once in build(), brings it up to date in refresh(). */
  class PartView extends LayoutDOMView {
    static css = ""

    get child_models() {
      return []
    }

    stylesheets() {
      return [...super.stylesheets(), COMMON_CSS, this.constructor.css]
    }

    connect_signals() {
      super.connect_signals()
      this.connect(this.model.change, () => {
        if (this._built) this.refresh()
      })
    }

    render() {
      super.render()
      this.shadow_el.append(...[this.build()].flat())
      this._built = true
      this.refresh()
    }

    build() {
      return []
    }

    refresh() {}
  }

  // ---------------------------------------------------------------- Board

  class BoardView extends LayoutDOMView {
    static css = `
      :host { align-items: start; }
      :host(.stack) { grid-template-columns: minmax(0, 1fr); }
      :host(.pair) { grid-template-columns: repeat(auto-fit, minmax(min(100%, 14.5rem), 1fr)); gap: 1rem 1.5rem; }
      :host(.flow) { flex-flow: row wrap; gap: 1.2rem 1.9rem; }
      :host(.flow) > .lead { flex: 5 1 16.6rem; min-width: 0; }
      :host(.flow) > .aside { flex: 4 1 12.5rem; min-width: 0; }
      :host(.trio) { grid-template-columns: repeat(auto-fit, minmax(min(100%, 9.5rem), 1fr)); gap: .6rem 1.4rem; }
      :host(.strip) { grid-template-columns: repeat(auto-fit, minmax(min(100%, 13rem), max-content)); gap: .5rem 1.75rem; }
      :host(.row) { flex-flow: row wrap; gap: .5rem .8rem; }
      /* A hint below a control in a row breaks rather than widens the row. */
      /* What is chosen is not bolder there: a row must not break anew at every press. */
      :host(.row) > * { --hint-width: 11.8rem; --face-room: .5rem; --chosen-weight: 400; }
      :host(.padded) { padding: .75rem 1.1rem; }
      :host(.side) { padding: 0 1.1rem; }
      /* On a phone a table of cells needs every pixel, and a hint has the whole width. */
      @media (max-width: 420px) {
        :host(.cells) { padding: 0 .6rem; }
        :host(.row) > * { --hint-width: auto; }
      }
      :host(.ruled) { border-top: 1px solid var(--line); }
      :host(.spaced) { gap: 1rem; }
      :host(.below) { margin-bottom: .9rem; }
    `

    get child_models() {
      return this.model.children
    }

    _intrinsic_display() {
      return {inner: "block", outer: this.model.css_classes.some((name) => ["flow", "row"].includes(name)) ? "flex" : "grid"}
    }

    stylesheets() {
      return [...super.stylesheets(), this.constructor.css]
    }

    connect_signals() {
      super.connect_signals()
      this.on_change(this.model.properties.children, () => this.update_children())
    }
  }

  class Board extends LayoutDOM {
    static __module__ = MODULE
    static {
      this.prototype.default_view = BoardView
      this.define(({List, Ref}) => ({children: [List(Ref(LayoutDOM)), []]}))
    }
  }

  // ---------------------------------------------------------------- StiffnessSlider

  // The views of the sliders on the page.
  const sliders = new Set()

  class StiffnessSliderView extends PartView {
    static css = `
      :host { --thumb: 24px; padding: .1rem 0 .35rem; }
      .top { display: flex; justify-content: space-between; align-items: baseline; gap: 1rem;
        padding: 0 1.1rem; font-weight: 600; }
      output { font-size: 1.05rem; white-space: nowrap; }
      output sup { font-size: .74em; line-height: 0; }
      .rail { --room: calc(100% - var(--axis-left) - var(--axis-right));
        margin-left: calc(var(--axis-left) + var(--room) * var(--axis-pad) - var(--thumb) / 2);
        margin-right: calc(var(--axis-right) + var(--room) * var(--axis-pad) - var(--thumb) / 2); }
      input { appearance: none; -webkit-appearance: none; display: block; width: 100%; height: 44px; margin: 0;
        background: none; cursor: grab; touch-action: pan-y; border-radius: 8px; }
      input:active { cursor: grabbing; }
      input::-webkit-slider-runnable-track { height: 6px; border-radius: 3px;
        background: linear-gradient(var(--accent) 0 0) 0 / var(--filled) 100% no-repeat, var(--line); }
      input::-moz-range-track { height: 6px; border-radius: 3px; background: var(--line); }
      input::-moz-range-progress { height: 6px; border-radius: 3px; background: var(--accent); }
      input::-webkit-slider-thumb { -webkit-appearance: none; width: var(--thumb); height: var(--thumb);
        margin-top: -9px; border-radius: 50%; background: var(--card); border: 3px solid var(--accent); }
      input::-moz-range-thumb { width: var(--thumb); height: var(--thumb); box-sizing: border-box;
        border-radius: 50%; background: var(--card); border: 3px solid var(--accent); }
      input:focus-visible { outline: 3px solid transparent; outline-offset: -6px; }
      input:focus-visible::-webkit-slider-thumb { box-shadow: 0 0 0 3px var(--card), 0 0 0 6px var(--accent); }
      input:focus-visible::-moz-range-thumb { box-shadow: 0 0 0 3px var(--card), 0 0 0 6px var(--accent); }
      .decades { display: flex; justify-content: space-between; margin: -.7rem calc(var(--thumb) / 2 - 18px) 0; }
      .decades button { width: 36px; height: 28px; padding: 0; border: 0; border-radius: 5px; background: none;
        color: var(--soft); font-size: 12px; cursor: pointer; }
      .decades button:hover { color: var(--accent); background: color-mix(in srgb, var(--accent) 10%, transparent); }
      .decades sup { font-size: .8em; line-height: 0; }
      @media (forced-colors: active) {
        input::-webkit-slider-runnable-track { forced-color-adjust: none; border: 1px solid CanvasText;
          background: linear-gradient(Highlight 0 0) 0 / var(--filled) 100% no-repeat, Canvas; }
        input::-webkit-slider-thumb { forced-color-adjust: none; margin-top: -10px; background: Canvas; border-color: CanvasText; }
        input::-moz-range-track { forced-color-adjust: none; background: Canvas; outline: 1px solid CanvasText; }
        input::-moz-range-progress { forced-color-adjust: none; background: Highlight; }
        input::-moz-range-thumb { forced-color-adjust: none; background: Canvas; border-color: CanvasText; }
      }
    `

    connect_signals() {
      super.connect_signals()
      this.connect(this.model.properties.answered.change, () => this._free())
    }

    build() {
      const {start, end, step, label} = this.model
      this.input = h("input", {type: "range", id: "slider", min: start, max: end, step})
      this.output = h("output", {for: "slider"}, ...this.number())
      this.input.addEventListener("input", () => this._move(this.input.valueAsNumber))
      this.input.addEventListener("keydown", (event) => this._leap(event))
      this._follow_hand()
      sliders.add(this)
      // A pointer's shortcut only: the keys reach the same places, see _leap.
      const decades = h("div", {class: "decades", "aria-hidden": "true"})
      for (const [value, ...face] of this.marks()) {
        const button = h("button", {type: "button", tabindex: "-1", style: `--at:${(value - start) / (end - start)}`}, ...face)
        button.addEventListener("mousedown", (event) => event.preventDefault()) // the focus goes to the input
        button.addEventListener("click", () => {
          this.input.focus({preventScroll: true})
          this._move(value)
        })
        decades.append(button)
      }
      return [
        h("div", {class: "top"}, h("label", {for: "slider"}, label), this.output),
        h("div", {class: "rail"}, this.input, decades),
      ]
    }

    /** The values with a button below the rail, in order, each with what stands on it. */
    marks() {
      const {start, end} = this.model
      const decades = Array.from({length: Math.floor(end) - Math.ceil(start) + 1}, (_, i) => Math.ceil(start) + i)
      return decades.map((decade) => [decade, "10", h("sup", {}, String(decade))])
    }

    /** What stands in the output; write() fills it. */
    number() {
      return [this.model.base, this.exponent = h("sup")]
    }

    /** Write the value out, and return how a screen reader says it. */
    write(text) {
      const written = text.replace(".", this.model.decimal)
      set_text(this.exponent, written)
      return `${this.model.spoken} ${written}`
    }

    /** Know whether a key or a pointer is held down here. */
    _follow_hand() {
      const on = (names, hold) => names.forEach((name) => this.input.addEventListener(name, hold))
      on(["keydown"], () => { this._key = true })
      on(["keyup", "blur"], () => { this._key = false })
      on(["pointerdown"], () => { this._pointer = true })
      on(["pointerup", "pointercancel", "change"], () => { this._pointer = false })
    }

    /** Whether a move waits to be sent or to be answered. */
    get pending() {
      return this._waiting != null || this._next != null
    }

    /** Whether the learner is in the middle of a move, or one has not been answered. */
    get moving() {
      return this._key || this._pointer || this.pending
    }

    refresh() {
      // While moves wait to be sent the input is ahead of the model and leads.
      if (!this.pending) this._show(this.model.value)
    }

    _show(value) {
      const {start, end, digits} = this.model
      const text = value.toFixed(digits)
      this.input.value = text
      this.input.style.setProperty("--filled", `${100 * (value - start) / (end - start)}%`)
      this.input.setAttribute("aria-valuetext", this.write(text))
    }

    /** Page keys go to the next mark; arrows, Home and End are the input's own. */
    _leap(event) {
      const up = event.key === "PageUp"
      if (!up && event.key !== "PageDown") return
      event.preventDefault()
      const {start, end} = this.model
      const here = this.input.valueAsNumber
      const marks = this.marks().map(([value]) => value)
      this._move(up ? marks.find((mark) => mark > here + 1e-9) ?? end : marks.findLast((mark) => mark < here - 1e-9) ?? start)
    }

    _move(value) {
      this._next = value
      this._show(value)
      this._send()
    }

    _send() {
      if (this._next == null || this._waiting != null) return
      const value = this._next
      this._next = null
      if (value === this.model.value) return
      this._waiting = setTimeout(() => this._free(), PATIENCE)
      this.model.value = value
    }

    _free() {
      clearTimeout(this._waiting)
      this._waiting = null
      this._send()
    }

    /** Send the newest place without waiting: the page asks for it when the worker is gone. */
    flush() {
      if (this._next != null) this._free()
    }

    remove() {
      clearTimeout(this._waiting)
      sliders.delete(this)
      super.remove()
    }
  }

  class StiffnessSlider extends LayoutDOM {
    static __module__ = MODULE
    static {
      this.prototype.default_view = StiffnessSliderView
      this.define(({Float, Int, Str}) => ({
        label: [Str, ""],
        base: [Str, ""],
        spoken: [Str, ""],
        start: [Float, 2],
        end: [Float, 8],
        step: [Float, 0.01],
        digits: [Int, 2],
        decimal: [Str, "."],
        value: [Float, 4],
        answered: [Int, 0],
      }))
    }
  }

  // ---------------------------------------------------------------- NumberSlider

  /** A slider over a number, or over its decimal logarithm; the number itself is written out, with its unit. */
  class NumberSliderView extends StiffnessSliderView {
    static css = `${StiffnessSliderView.css}
      .decades { display: block; position: relative; height: 28px; margin: -.7rem 0 0; }
      .decades button { position: absolute; left: calc(var(--thumb) / 2 + (100% - var(--thumb)) * var(--at)); transform: translateX(-50%); }
      :host(.free) .top { padding: 0; font-size: 13px; }
      :host(.free) .rail { margin: 0; }
      :host(.free) output { font-size: 13px; }
    `

    marks() {
      return this.model.marks
    }

    number() {
      return [this.figure = h("span"), this.model.unit === "" ? "" : ` ${this.model.unit}`]
    }

    write(text) {
      const {scale, factor, places, whole, spoken, decimal, group} = this.model
      const number = factor * (scale === "log" ? 10 ** Number(text) : Number(text))
      const plain = whole ? Math.round(number).toLocaleString("en")
        : scale === "log" ? String(Number(number.toPrecision(places))) : number.toFixed(places)
      const written = plain.replace(/[.,]/g, (mark) => (mark === "." ? decimal : group))
      set_text(this.figure, written)
      return `${written} ${spoken}`.trim()
    }
  }

  class NumberSlider extends LayoutDOM {
    static __module__ = MODULE
    static {
      this.prototype.default_view = NumberSliderView
      this.define(({Bool, Float, Int, List, Str, Tuple}) => ({
        label: [Str, ""],
        unit: [Str, ""],
        spoken: [Str, ""],
        scale: [Str, "linear"],
        factor: [Float, 1],
        places: [Int, 3],
        whole: [Bool, false],
        decimal: [Str, "."],
        group: [Str, ","],
        marks: [List(Tuple(Float, Str)), []],
        start: [Float, 0],
        end: [Float, 1],
        step: [Float, 0.01],
        digits: [Int, 3],
        value: [Float, 0],
        answered: [Int, 0],
      }))
    }
  }

  // ---------------------------------------------------------------- ProgressLine

  class ProgressLineView extends PartView {
    static css = `
      .line { display: flex; align-items: center; gap: .8rem; }
      p { font-size: 12px; color: var(--soft); white-space: nowrap; min-width: 12.5em; }
      .track { flex: 1; height: 4px; border-radius: 2px; background: var(--line); overflow: hidden; }
      .fill { height: 100%; background: var(--fixed); }
      @media (forced-colors: active) { .track { forced-color-adjust: none; } }
    `

    build() {
      this.words = h("p")
      this.fill = h("div", {class: "fill"})
      this.track = h("div", {class: "track", role: "progressbar", "aria-valuemin": 0, "aria-valuemax": 100}, this.fill)
      return h("div", {class: "line"}, this.words, this.track)
    }

    refresh() {
      const {label, text, fraction} = this.model
      const percent = String(Math.round(100 * fraction))
      set_text(this.words, text)
      this.track.setAttribute("aria-label", label)
      this.track.setAttribute("aria-valuenow", percent)
      this.track.setAttribute("aria-valuetext", text)
      this.fill.style.width = `${percent}%`
    }
  }

  class ProgressLine extends LayoutDOM {
    static __module__ = MODULE
    static {
      this.prototype.default_view = ProgressLineView
      this.define(({Float, Str}) => ({label: [Str, ""], text: [Str, ""], fraction: [Float, 0]}))
    }
  }

  // ---------------------------------------------------------------- Segmented

  class SegmentedView extends PartView {
    static css = `
      .group { display: inline-flex; max-width: 100%; border: 1px solid var(--line); border-radius: 7px;
        background: var(--card); }
      label { position: relative; display: flex; flex: 1 1 auto; min-width: 44px; }
      input { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0; cursor: pointer; }
      span.face { display: flex; align-items: center; justify-content: center; flex: 1; min-height: 36px;
        padding: 0 var(--face-room, .7rem); white-space: nowrap; border-left: 1px solid var(--line); }
      label:first-child .face { border-left: 0; border-radius: 6px 0 0 6px; }
      label:last-child .face { border-radius: 0 6px 6px 0; }
      input:hover + .face { color: var(--accent); }
      input:checked + .face { background: var(--accent); color: var(--card); font-weight: var(--chosen-weight, 600); }
      input:focus-visible + .face { outline: 3px solid var(--accent); outline-offset: 2px; z-index: 1; border-radius: 6px; }
      .idle input:checked + .face { background: color-mix(in srgb, var(--soft) 18%, var(--card)); color: var(--ink); }
      @media (pointer: coarse) { span.face { min-height: 44px; } }
      @media (max-width: 340px) { span.face { padding: .2rem .4rem; white-space: normal; text-align: center; line-height: 1.15; } }
      @media (forced-colors: active) { input:checked + .face { background: Highlight; color: HighlightText; forced-color-adjust: none; } }
    `

    build() {
      const {label, unit} = this.model
      this.legend = h("span", {class: "legend"}, h("span", {id: "legend"}, label), unit === "" ? "" : ` (${unit})`)
      this.group = h("div", {class: "group", role: "radiogroup", "aria-labelledby": "legend"})
      this.hint = h("div", {class: "hint"})
      this.inputs = this.model.options.map(([value, label]) => {
        const input = h("input", {type: "radio", name: "segment", value})
        input.addEventListener("change", () => {
          if (input.checked) this.model.value = value
        })
        this.group.append(h("label", {}, input, h("span", {class: "face"}, label)))
        return input
      })
      return [this.legend, this.group, this.hint]
    }

    refresh() {
      for (const input of this.inputs) input.checked = input.value === this.model.value
      this.group.classList.toggle("idle", this.model.idle)
      set_text(this.hint, this.model.hint)
      this.hint.hidden = this.model.hint === ""
    }
  }

  class Segmented extends LayoutDOM {
    static __module__ = MODULE
    static {
      this.prototype.default_view = SegmentedView
      this.define(({Bool, List, Str, Tuple}) => ({
        label: [Str, ""],
        unit: [Str, ""],
        hint: [Str, ""],
        options: [List(Tuple(Str, Str)), []],
        value: [Str, ""],
        idle: [Bool, false],
      }))
    }
  }

  // ---------------------------------------------------------------- ToggleButton

  class ToggleButtonView extends PartView {
    static css = `
      button { display: inline-flex; align-items: center; gap: .6rem; min-height: 38px; padding: 0 .8rem 0 .65rem;
        border: 1px solid var(--line); border-radius: 7px; background: var(--card); color: var(--ink);
        font-size: 14px; cursor: pointer; }
      button:hover { border-color: var(--accent); }
      button:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
      button:disabled[aria-pressed] { cursor: default; border: 1px dashed var(--line); background: none; color: var(--soft); font-weight: 400; }
      button:disabled[aria-pressed] .switch { opacity: .5; }
      .switch { position: relative; width: 32px; height: 18px; border-radius: 9px; border: 2px solid var(--soft); }
      .switch::before { content: ""; position: absolute; top: 2px; left: 2px; width: 10px; height: 10px;
        border-radius: 50%; background: var(--soft); transition: transform .12s; }
      button[aria-pressed="true"] { border-color: var(--accent); font-weight: var(--chosen-weight, 600); }
      button[aria-pressed="true"] .switch { background: var(--accent); border-color: var(--accent); }
      button[aria-pressed="true"] .switch::before { transform: translateX(14px); background: var(--card); }
      @media (pointer: coarse) { button { min-height: 46px; } }
      @media (prefers-reduced-motion: reduce) { .switch::before { transition: none; } }
      @media (forced-colors: active) {
        .switch, .switch::before { forced-color-adjust: none; }
        .switch { background: Canvas; border-color: ButtonText; }
        .switch::before { background: ButtonText; }
        button[aria-pressed="true"] .switch { background: Highlight; border-color: ButtonText; }
        button[aria-pressed="true"] .switch::before { background: HighlightText; }
      }
    `

    build() {
      this.button = h("button", {type: "button", "aria-describedby": "hint"},
        h("span", {class: "switch", "aria-hidden": "true"}), h("span", {}, this.model.label))
      this.button.addEventListener("click", () => {
        this.model.active = !this.model.active
      })
      this.hint = h("div", {class: "hint", id: "hint"})
      return [h("span", {class: "legend"}, this.model.legend), this.button, this.hint]
    }

    refresh() {
      this.button.setAttribute("aria-pressed", String(this.model.active))
      this.button.disabled = this.model.disabled
      set_text(this.hint, this.model.hint)
    }
  }

  class ToggleButton extends LayoutDOM {
    static __module__ = MODULE
    static {
      this.prototype.default_view = ToggleButtonView
      this.define(({Bool, Str}) => ({legend: [Str, ""], label: [Str, ""], hint: [Str, ""], active: [Bool, false]}))
    }
  }

  // ---------------------------------------------------------------- SignLine

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

  // ---------------------------------------------------------------- Caption

  class CaptionView extends PartView {
    static css = `
      :host { container-type: inline-size; }
      .line, .title { display: flex; flex-flow: row wrap; gap: 0 .7rem; align-items: baseline; position: relative; }
      .title { flex: 1 1 0; min-width: 0; }
      h3 { font-size: 13px; font-weight: 600; }
      .note { font-size: 12px; color: var(--soft); }
      details { font-size: 12px; margin: 0 0 .15rem; }
      details[open] { flex-basis: 100%; }
      /* An open table takes the row below, and what closes it stays under the pointer that opened it. */
      @container (min-width: 300.1px) {
        [open] > summary { position: absolute; top: 0; right: 0; }
        .line:has([open]) .title { min-height: 26px; padding-right: 10em; }
      }
      /* Captions side by side break alike, so that the plots below them start level. */
      @container (max-width: 300px) { .title { flex: 1 1 100%; flex-direction: column; } details { flex-basis: 100%; } }
      summary { display: inline-flex; align-items: center; gap: .4em; min-height: 26px; color: var(--soft); cursor: pointer; border-radius: 3px; }
      summary::before { content: "+"; font-weight: 700; } [open] > summary::before { content: "\\2212"; }
      summary:hover { color: var(--accent); }
      summary:focus-visible, .scroll:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
      @media (pointer: coarse) { summary { min-height: 36px; } }
      .scroll { overflow-x: auto; }
      table { border-collapse: collapse; width: 100%; }
      th { font-weight: 400; color: var(--soft); text-align: right; padding: .2rem 0 .2rem .9rem; vertical-align: bottom; }
      td { text-align: right; font-weight: 600; padding: .15rem 0 .15rem .9rem; white-space: nowrap; }
      th:first-child { padding-left: 0; text-align: left; white-space: nowrap; }
      tbody th, td { border-top: 1px solid var(--line); }
    `

    build() {
      this.heading = h("h3", {id: "heading"})
      this.note = h("p", {class: "note"})
      this.description = h("p", {class: "hidden"})
      this.table = h("table")
      this.scroll = h("div", {class: "scroll", role: "region", tabindex: "0"}, this.table)
      this.details = h("details", {}, h("summary", {}, this.model.offer), this.scroll)
      this.details.addEventListener("toggle", () => {
        this.model.open = this.details.open
      })
      const title = h("div", {class: "title"}, this.heading, this.note)
      return [h("div", {class: "line"}, title, this.details), this.description]
    }

    refresh() {
      for (const name of ["heading", "note", "description"]) {
        set_text(this[name], this.model[name])
        this[name].hidden = this.model[name] === ""
      }
      const {offer, heading, open, columns, rows} = this.model
      this.details.hidden = offer === ""
      this.scroll.setAttribute("aria-label", heading)
      const key = open ? JSON.stringify([columns, rows]) : ""
      if (key === this.tabled) return
      this.tabled = key
      if (!open) return
      this.table.replaceChildren(
        h("thead", {}, h("tr", {}, ...columns.map((name) => h("th", {scope: "col"}, name)))),
        h("tbody", {}, ...rows.map(([place, ...values]) =>
          h("tr", {}, h("th", {scope: "row"}, place), ...values.map((text) => h("td", {}, text))))))
    }
  }

  class Caption extends LayoutDOM {
    static __module__ = MODULE
    static {
      this.prototype.default_view = CaptionView
      this.define(({Bool, List, Str}) => ({
        heading: [Str, ""],
        note: [Str, ""],
        description: [Str, ""],
        offer: [Str, ""],
        open: [Bool, false],
        columns: [List(Str), []],
        rows: [List(List(Str)), []],
      }))
    }
  }

  // ---------------------------------------------------------------- ReadoutTable

  class ReadoutTableView extends PartView {
    static css = `
      table { border-collapse: collapse; width: 100%; font-size: 13px; }
      th { font-weight: 400; color: var(--soft); text-align: left; padding: .19rem .5rem .19rem 0; vertical-align: baseline; }
      td { text-align: right; font-weight: 600; padding: .19rem 0; vertical-align: baseline; white-space: nowrap; }
      td small { font-size: 12px; font-weight: 400; color: var(--soft); }
      /* The key numbers, side by side: the table's parts are laid out as boxes, so each says what it is. */
      :host(.keys) table, :host(.keys) tbody { display: block; }
      :host(.keys) tbody { display: flex; flex-wrap: wrap; gap: .2rem 1.6rem; padding: .1rem 0 .35rem; }
      :host(.keys) tr { display: block; }
      :host(.keys) th, :host(.keys) td { display: inline-block; padding: 0; border: 0 !important; }
      :host(.keys) td { margin-left: .5em; text-align: left; min-width: 5.4em; }
      tr.rule th, tr.rule td { border-top: 1px solid var(--line); padding-top: .42rem; }
      tr.last th, tr.last td { padding-bottom: .42rem; }
    `

    build() {
      this.lines = new Map()
      this.body = h("tbody", {role: "rowgroup"})
      return h("table", {role: "table"}, h("caption", {class: "hidden"}, this.model.title), this.body)
    }

    refresh() {
      const ids = this.model.rows.map(([id]) => id)
      if (ids.join() !== [...this.lines.keys()].join()) this._lay_out(ids)
      for (const [id, label, value, unit] of this.model.rows) {
        const line = this.lines.get(id)
        set_text(line.label, label)
        set_text(line.value, value)
        set_text(line.unit, unit)
        line.unit.hidden = unit === ""
      }
    }

    /** Row ids are "group.name"; a rule separates the groups. */
    _lay_out(ids) {
      this.lines.clear()
      const group = (i) => ids[i]?.split(".")[0]
      this.body.replaceChildren(...ids.map((id, i) => {
        const line = {label: h("th", {scope: "row", role: "rowheader"}), value: h("span"), unit: h("small")}
        this.lines.set(id, line)
        const row = h("tr", {role: "row", "data-row": id}, line.label, h("td", {role: "cell"}, line.value, " ", line.unit))
        row.classList.toggle("rule", i > 0 && group(i) !== group(i - 1))
        row.classList.toggle("last", i < ids.length - 1 && group(i) !== group(i + 1))
        return row
      }))
    }
  }

  class ReadoutTable extends LayoutDOM {
    static __module__ = MODULE
    static {
      this.prototype.default_view = ReadoutTableView
      this.define(({List, Str, Tuple}) => ({title: [Str, ""], rows: [List(Tuple(Str, Str, Str, Str)), []]}))
    }
  }

  // ---------------------------------------------------------------- SplitBars

  class SplitBarsView extends PartView {
    static css = `
      h3 { font-size: 13px; font-weight: 600; }
      .note { font-size: 12px; color: var(--soft); }
      dl { position: relative; margin: .45rem 0 0; padding-bottom: 1.25rem; }
      .bar { display: grid; grid-template-columns: 1fr auto; position: relative; z-index: 1; margin-bottom: .5rem; font-size: 13px; }
      dt { display: inline; } dd { margin: 0; font-weight: 600; text-align: right; padding-left: .6em; }
      .track { grid-column: 1 / -1; padding: 0; height: 12px; margin-top: .15rem; }
      .fill { height: 100%; border-radius: 0 2px 2px 0; background: var(--suspect); }
      .fill.model { background: repeating-linear-gradient(115deg, var(--suspect) 0 5px, color-mix(in srgb, var(--suspect) 55%, var(--card)) 5px 8px); }
      .fill.hollow { background: none; border: 2px dashed var(--suspect); border-left-style: solid; }
      .ticks i { position: absolute; top: .2rem; bottom: 1.1rem; border-left: 1px solid var(--line); }
      .ticks b { position: absolute; bottom: 0; transform: translateX(-50%); font-size: 11px; font-weight: 400; color: var(--soft); white-space: nowrap; }
      .ticks b:first-of-type { transform: none; } .ticks b:last-of-type { transform: translateX(-100%); }
      @media (forced-colors: active) { .fill { forced-color-adjust: none; } }
    `

    build() {
      this.heading = h("h3")
      this.note = h("p", {class: "note"})
      this.list = h("dl")
      return [this.heading, this.note, this.list]
    }

    refresh() {
      const {title, note, bars, hollow, ticks} = this.model
      set_text(this.heading, title)
      set_text(this.note, note)
      const ids = bars.map(([id]) => id).join()
      if (ids !== this.ids) {
        this.ids = ids
        this.rows = bars.map(() => {
          const row = {label: h("dt"), text: h("dd"), fill: h("div")}
          row.box = h("div", {class: "bar"}, row.label, row.text, h("dd", {class: "track", "aria-hidden": "true"}, row.fill))
          return row
        })
        const scale = h("div", {class: "ticks", "aria-hidden": "true"})
        for (const [at, label] of ticks) {
          scale.append(h("i", {style: `left:${100 * at}%`}), h("b", {style: `left:${100 * at}%`}, label))
        }
        this.list.replaceChildren(...this.rows.map((row) => row.box), scale)
      }
      bars.forEach(([id, label, text, fraction, ink], i) => {
        const row = this.rows[i]
        set_text(row.label, label)
        set_text(row.text, text)
        row.fill.className = `fill ${ink}${hollow.includes(id) ? " hollow" : ""}`
        row.fill.style.setProperty("--suspect", `var(--${ink})`)
        row.fill.style.width = `${100 * fraction}%`
      })
    }
  }

  class SplitBars extends LayoutDOM {
    static __module__ = MODULE
    static {
      this.prototype.default_view = SplitBarsView
      this.define(({Float, List, Str, Tuple}) => ({
        title: [Str, ""],
        note: [Str, ""],
        bars: [List(Tuple(Str, Str, Str, Float, Str)), []],
        hollow: [List(Str), []],
        ticks: [List(Tuple(Float, Str)), []],
      }))
    }
  }

  // ---------------------------------------------------------------- CellTable

  class CellTableView extends PartView {
    static css = `
      :host { container-type: inline-size; }
      h3 { font-size: 13px; font-weight: 600; }
      .note { font-size: 12px; color: var(--soft); margin-bottom: .35rem; }
      table { border-collapse: separate; border-spacing: 0; width: 100%; table-layout: fixed; font-size: 13px; }
      th { font-weight: 400; font-size: 12px; color: var(--soft); text-align: left; padding: .2rem .4rem .2rem 0; vertical-align: bottom; }
      thead th:first-child, tbody th[scope="row"] { width: 19%; }
      tbody th[scope="row"] { vertical-align: middle; line-height: 1.2; }
      th[scope="col"] + th[scope="col"] { padding-left: .6rem; }
      th[scope="rowgroup"] { color: var(--ink); font-weight: 600; padding: .45rem 0 .2rem; }
      td { padding: 2px; vertical-align: top; height: 1px; }
      .cell { display: flex; flex-direction: column; height: 100%; min-height: 3.7rem; padding: .25rem .4rem .2rem; border: 1px solid var(--line);
        border-left: 3px solid var(--tone); border-radius: 4px; --tone: var(--line); }
      .right { --tone: var(--good); } .wrong-sign { --tone: var(--bad); } .wrong { --tone: var(--soft); }
      .wrong-sign { background: var(--wash); }
      .current { outline: 2px solid var(--accent); outline-offset: -1px; }
      b { font-size: 14px; line-height: 1.25; white-space: nowrap; }
      .words { font-size: 12px; font-weight: 600; color: var(--tone); white-space: nowrap; }
      .wrong .words { color: var(--ink); }
      .where { font-size: 11px; line-height: 1.3; color: var(--soft); margin-top: auto; }
      .where span { white-space: nowrap; }
      .where sup { font-size: .8em; line-height: 0; }
      .empty { align-items: center; justify-content: center; color: var(--soft); border-style: dashed; border-left-width: 1px; }
      .dot { font-size: 1.3rem; line-height: 1; }
      .here { position: absolute; }
      @container (max-width: 420px) {
        thead th:first-child, tbody th[scope="row"] { width: 17%; font-size: 11px; }
        b { font-size: 13px; } .words { font-size: 11px; letter-spacing: -.015em; line-height: 1.2; white-space: normal; } .cell { padding-left: .25rem; padding-right: 0; }
        th[scope="col"] + th[scope="col"] { padding-left: .4rem; }
      }
    `

    build() {
      this.heading = h("h3", {id: "title"})
      this.note = h("p", {class: "note"})
      this.table = h("table", {"aria-labelledby": "title"})
      return [this.heading, this.note, this.table]
    }

    refresh() {
      const {title, note, cells, current} = this.model
      set_text(this.heading, title)
      set_text(this.note, note)
      this.note.hidden = note === ""
      if (this.slots === undefined) this._lay_out()
      cells.forEach((cell, i) => this._fill(this.slots[i], cell, i === current))
    }

    _lay_out() {
      const {corner, columns, rows} = this.model
      this.slots = []
      const head = h("tr", {}, h("th", {scope: "col"}, corner), ...columns.map((name) => h("th", {scope: "col"}, name)))
      const bodies = []
      rows.forEach(([group, label], i) => {
        if (i === 0 || rows[i - 1][0] !== group) {
          bodies.push(h("tbody", {}, h("tr", {}, h("th", {scope: "rowgroup", colspan: columns.length + 1}, group))))
        }
        const row = h("tr", {}, h("th", {scope: "row"}, label))
        for (const _ of columns) {
          const slot = h("td")
          this.slots.push(slot)
          row.append(slot)
        }
        bodies.at(-1).append(row)
      })
      this.table.replaceChildren(h("thead", {}, head), ...bodies)
    }

    _fill(slot, [entry, kind, words, exponent, place], current) {
      const {base, here, unvisited} = this.model
      const key = [entry, kind, words, exponent, place, current].join("|")
      if (slot.dataset.key === key) return
      slot.dataset.key = key
      slot.dataset.kind = kind
      const box = h("div", {class: `cell ${kind}`})
      if (kind === "empty") {
        box.append(h("span", {class: "dot", "aria-hidden": "true"}, entry), h("span", {class: "hidden"}, unvisited))
      } else {
        box.append(h("b", {}, entry), " ", h("span", {class: "words"}, words), " ",
          h("span", {class: "where"}, h("span", {}, base, h("sup", {}, exponent)),
            ...place.split(", ").filter(Boolean).flatMap((part) => [", ", h("span", {}, part)])))
      }
      if (current) {
        box.classList.add("current")
        box.append(" ", h("span", {class: "hidden"}, here))
        slot.setAttribute("aria-current", "true")
      } else {
        slot.removeAttribute("aria-current")
      }
      slot.replaceChildren(box)
    }
  }

  class CellTable extends LayoutDOM {
    static __module__ = MODULE
    static {
      this.prototype.default_view = CellTableView
      this.define(({Int, List, Str, Tuple}) => ({
        title: [Str, ""],
        note: [Str, ""],
        corner: [Str, ""],
        base: [Str, ""],
        here: [Str, ""],
        unvisited: [Str, ""],
        columns: [List(Str), []],
        rows: [List(Tuple(Str, Str)), []],
        cells: [List(Tuple(Str, Str, Str, Str, Str)), []],
        current: [Int, -1],
      }))
    }
  }

  // ---------------------------------------------------------------- TermCard

  class TermCardView extends PartView {
    static css = `
      h3 { font-size: 13px; font-weight: 600; }
      .note { font-size: 12px; color: var(--soft); }
      .equation { display: flex; flex-wrap: wrap; align-items: center; gap: .3rem .55rem; margin: .5rem 0 .35rem; font-size: 17px; }
      .symbol { font-family: Georgia, "Times New Roman", serif; font-style: italic; } .symbol sub { font-size: .68em; font-style: normal; }
      .matrix { display: inline-grid; grid-template-columns: auto auto; gap: .1rem 1rem; padding: .15rem .6rem; position: relative; text-align: right; font-weight: 600; }
      .matrix::before, .matrix::after { content: ""; position: absolute; top: 0; bottom: 0; width: 6px; border: 2px solid var(--ink); }
      .matrix::before { left: 0; border-right: 0; } .matrix::after { right: 0; border-left: 0; }
      .matrix .the-term { color: var(--event); }
      .none .the-term { color: inherit; }
      .state { font-size: 12px; font-weight: 600; padding: .1rem .5rem; border-radius: 999px; border: 1px solid var(--tone); color: var(--tone); --tone: var(--soft); }
      .applied .state { --tone: var(--good); } .missing .state { --tone: var(--bad); border-style: dashed; }
      dl { display: grid; grid-template-columns: 1fr auto; margin: .3rem 0 0; font-size: 13px; }
      dt, dd { padding: .12rem 0; }
      dt { color: var(--soft); } dd { margin: 0; padding-left: .8rem; font-weight: 600; text-align: right; white-space: nowrap; }
      .sum { border-top: 1px solid var(--ink); }
    `

    build() {
      this.heading = h("h3")
      this.note = h("p", {class: "note"})
      this.symbol = h("span", {class: "symbol"})
      this.matrix = h("span", {class: "matrix", "aria-hidden": "true"})
      this.spoken = h("span", {class: "hidden"})
      this.state = h("span", {class: "state"})
      this.lines = h("dl")
      this.box = h("div", {}, this.heading, this.note,
        h("div", {class: "equation"}, this.symbol, "=", this.matrix, this.spoken, this.state), this.lines)
      return this.box
    }

    refresh() {
      const {title, note, symbol, subscript, matrix, state, words, lines} = this.model
      this.box.className = state
      set_text(this.heading, title)
      set_text(this.note, note)
      this.symbol.replaceChildren(symbol, h("sub", {}, subscript))
      this.matrix.replaceChildren(...matrix.flatMap((row, i) =>
        row.map((text, j) => h("span", {class: i === 1 && j === 0 ? "the-term" : ""}, text))))
      set_text(this.spoken, matrix.map((row) => row.join(", ")).join("; "))
      set_text(this.state, words)
      this.lines.replaceChildren(...lines.flatMap(([id, label, value], i) => {
        const name = i === lines.length - 1 ? "sum" : ""
        return [h("dt", {class: name}, label), h("dd", {class: name, "data-line": id}, value)]
      }))
    }
  }

  class TermCard extends LayoutDOM {
    static __module__ = MODULE
    static {
      this.prototype.default_view = TermCardView
      this.define(({List, Str, Tuple}) => ({
        title: [Str, ""],
        note: [Str, ""],
        symbol: [Str, ""],
        subscript: [Str, ""],
        matrix: [List(List(Str)), []],
        state: [Str, "none"],
        words: [Str, ""],
        lines: [List(Tuple(Str, Str, Str)), []],
      }))
    }
  }

  // ---------------------------------------------------------------- Announcer

  class AnnouncerView extends PartView {
    build() {
      this.region = h("p", {class: "hidden", role: "status", "aria-live": "polite", "aria-atomic": "true"})
      return this.region
    }

    refresh() {
      const {text, delay} = this.model
      if (text === this.heard) return
      this.heard = text
      clearTimeout(this.timer)
      this.timer = setTimeout(() => this._speak(), delay)
    }

    /** Speak, or wait for the end of a move: what is said in the middle of one is stale before it is heard. */
    _speak() {
      if ([...sliders].some((slider) => slider.moving)) {
        this.timer = setTimeout(() => this._speak(), SETTLE)
        return
      }
      set_text(this.region, this.heard)
      this.model.spoken += 1
    }

    remove() {
      clearTimeout(this.timer)
      super.remove()
    }
  }

  class Announcer extends LayoutDOM {
    static __module__ = MODULE
    static {
      this.prototype.default_view = AnnouncerView
      this.define(({Int, Str}) => ({text: [Str, ""], delay: [Int, 600], spoken: [Int, 0]}))
    }
  }

  // ---------------------------------------------------------------- Pacer

  class PacerView extends PartView {
    static css = `:host { display: none !important; }`

    refresh() {
      const {asked, painted, delay} = this.model
      if (asked === painted || (this.waiting === asked && this.delay === delay)) return
      this.waiting = asked
      this.delay = delay
      const turn = this.turn = {}
      const answer = () => {
        if (this.turn === turn && this.model.painted !== asked) this.model.painted = asked
      }
      // A timer set in a frame runs after its paint; a hidden page gets no frames.
      if (document.visibilityState === "visible") requestAnimationFrame(() => setTimeout(answer, delay))
      else setTimeout(answer, delay)
    }
  }

  class Pacer extends LayoutDOM {
    static __module__ = MODULE
    static {
      this.prototype.default_view = PacerView
      this.define(({Int}) => ({asked: [Int, 0], painted: [Int, 0], delay: [Int, 0]}))
    }
  }

  Bokeh.require("base").register_models([
    Board, StiffnessSlider, NumberSlider, ProgressLine, Segmented, ToggleButton, SignLine, Caption, ReadoutTable, SplitBars, CellTable, TermCard,
    Announcer, Pacer,
  ])
})()
