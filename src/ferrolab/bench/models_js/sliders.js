// Sliders: one move at a time is under way, and the newest waits.
(() => {
  "use strict"

  const {LayoutDOM, MODULE, PartView, h, register, set_text, sliders} = globalThis.ferrolab_bench

  // How long a slider waits for an answer before it sends the next move anyway (ms).
  const PATIENCE = 2000

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

  register(StiffnessSlider, NumberSlider)
})()
