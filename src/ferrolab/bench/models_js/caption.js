// The heading of a picture, with its description and its table.
(() => {
  "use strict"

  const {LayoutDOM, MODULE, PartView, h, register, set_text} = globalThis.ferrolab_bench

  class CaptionView extends PartView {
    static css = `
      :host { container-type: inline-size; }
      .line, .title { display: flex; flex-flow: row wrap; gap: 0 .7rem; align-items: baseline; position: relative; }
      .title { flex: 1 1 0; min-width: 0; }
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

  register(Caption)
})()
