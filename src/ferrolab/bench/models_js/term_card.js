// The term that was missing.
(() => {
  "use strict"

  const {LayoutDOM, MODULE, PartView, h, register, set_text} = globalThis.ferrolab_bench

  class TermCardView extends PartView {
    static css = `
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

  register(TermCard)
})()
