// How far a long computation has come.
(() => {
  "use strict"

  const {LayoutDOM, MODULE, PartView, h, register, set_text} = globalThis.ferrolab_bench

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

  register(ProgressLine)
})()
