// The prediction that unlocks the bench: asked once, kept, and shown again beside the truth.

import { say } from "../words.js";

const byId = (id) => document.getElementById(id);

export class Predict {
  #form = byId("predict-form");
  #choices;
  #onPredicted;

  constructor(lesson, onPredicted) {
    this.#choices = lesson.predict.choices;
    this.#onPredicted = onPredicted;
    byId("predict-kept").tabIndex = -1;
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      const id = new FormData(this.#form).get("predict");
      if (typeof id !== "string") return;
      this.show(id);
      byId("predict-kept").focus({ preventScroll: true }); // the button is gone
      this.#onPredicted(id);
    });
  }

  // Show the prediction with this id as kept; null opens the question again.
  show(id) {
    const known = this.#choices.some((choice) => choice.id === id);
    for (const input of this.#form.querySelectorAll("input")) {
      input.checked = input.value === id;
      input.disabled = known;
    }
    this.#form.querySelector("button").hidden = known;
    this.#form.querySelector(".hint").hidden = known;
    this.#form.classList.toggle("is-kept", known);
    const kept = byId("predict-kept");
    kept.hidden = !known;
    kept.textContent = known ? say("prediction_kept") : "";
    this.#tellTruth(known ? id : null);
  }

  #tellTruth(id) {
    const place = byId("truth-predicted");
    if (!place) return;
    place.replaceChildren();
    if (id === null) {
      place.textContent = say("nothing_predicted");
      return;
    }
    // The words as they stand in the question, equations and all.
    const label = this.#form.querySelector(`input[value="${CSS.escape(id)}"]`).nextElementSibling;
    place.append(...label.cloneNode(true).childNodes);
    const choice = this.#choices.find((c) => c.id === id);
    place.classList.toggle("was-right", choice.correct === true);
  }
}
