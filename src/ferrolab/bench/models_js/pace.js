// What is said, and when the next piece of work may begin.
(() => {
  "use strict"

  const {LayoutDOM, MODULE, PartView, h, register, set_text, sliders} = globalThis.ferrolab_bench

  // How often the live region looks whether a move has ended (ms).
  const SETTLE = 150

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

  register(Announcer, Pacer)
})()
