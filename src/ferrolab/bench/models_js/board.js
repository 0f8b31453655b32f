// Where the parts of a bench stand.
(() => {
  "use strict"

  const {LayoutDOM, LayoutDOMView, MODULE, register} = globalThis.ferrolab_bench

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

  register(Board)
})()
