// Choices: one of a few, or on and off.
(() => {
  "use strict"

  const {LayoutDOM, MODULE, PartView, h, register, set_text} = globalThis.ferrolab_bench

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

  register(Segmented, ToggleButton)
})()
