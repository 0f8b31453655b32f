// The tables of a bench.
(() => {
  "use strict"

  const {LayoutDOM, MODULE, PartView, h, register, set_text} = globalThis.ferrolab_bench

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

  class CellTableView extends PartView {
    static css = `
      :host { container-type: inline-size; }
      .note { margin-bottom: .35rem; }
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

  register(ReadoutTable, CellTable)
})()
