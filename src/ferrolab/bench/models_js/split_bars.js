// The shares of the error, as bars.
(() => {
  "use strict"

  const {LayoutDOM, MODULE, PartView, h, register, set_text} = globalThis.ferrolab_bench

  class SplitBarsView extends PartView {
    static css = `
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

  register(SplitBars)
})()
