// What the views of the bench's own Bokeh models have in common (Python twins: models.py). The other files here have the views.
// Plain classic scripts: loaded after bokeh.min.js, this one first, one by one or joined; no compiler, nothing that runs text.
// Colours and geometry come from custom properties set by tokens.py.
(() => {
  "use strict"

  const Bokeh = globalThis.Bokeh
  if (Bokeh === undefined) {
    throw new Error("ferrolab's models were loaded before bokeh.min.js; load them after.")
  }
  const {LayoutDOM, LayoutDOMView} = Bokeh.require("models/layouts/layout_dom")

  const MODULE = "ferrolab.bench.models"

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
    h3 { font-size: 13px; font-weight: 600; }
    .note { font-size: 12px; color: var(--soft); }
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

  const {register_models} = Bokeh.require("base")

  globalThis.ferrolab_bench = {
    LayoutDOM, LayoutDOMView, MODULE, PartView, h, set_text,
    sliders: new Set(), // the views of the sliders on the page
    register: (...models) => register_models(models),
  }
})()
