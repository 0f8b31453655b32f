// Shows a grade: the pass checks, the steps of the guided practice, the messages for whoever is stuck, the truth.

import { say } from "../words.js";

const byId = (id) => document.getElementById(id);

export class GradeView {
  #lesson;
  #met = new Set();
  #all = false; // whether the learner asked for every message

  constructor(lesson) {
    this.#lesson = lesson;
    this.#addShowAll();
    this.show(null);
  }

  // `grade` as the worker sends it, or null before there is one.
  show(grade) {
    const checks = new Map((grade?.checks ?? []).map((check) => [check.id, check]));
    const met = new Set(this.#lesson.checks.filter(({ id }) => checks.get(id)?.met).map(({ id }) => id));
    const fresh = [...met].filter((id) => !this.#met.has(id));
    this.#met = met;
    this.#showChecks(met, fresh);
    this.#showSteps(new Set(grade?.steps ?? []));
    this.#showStuck(grade?.stuck ?? []);
    const passed = met.size === this.#lesson.checks.length;
    document.body.classList.toggle("has-passed", passed);
    for (const element of document.querySelectorAll("[data-when-passed]")) element.hidden = !passed;
    const truth = byId("truth");
    if (truth) {
      const revealed = met.has(truth.dataset.revealedBy);
      byId("truth-answer").hidden = !revealed;
      byId("truth-waiting").hidden = revealed;
    }
  }

  #showChecks(met, fresh) {
    for (const item of byId("checks").children) {
      const id = item.dataset.check;
      item.classList.toggle("met", met.has(id));
      item.querySelector(".check-state").textContent = met.has(id) ? say("check_met") : say("check_not_yet");
    }
    const next = this.#lesson.checks.find(({ id }) => !met.has(id));
    byId("checks-next").textContent = next ? say("checks_next", { hint: next.hint }) : say("checks_all");
    byId("checks-next").hidden = false;
    if (fresh.length > 0) {
      const labels = this.#lesson.checks.filter(({ id }) => fresh.includes(id)).map(({ label }) => label);
      byId("announce").textContent = say("announce_met", { labels: labels.join("; "), met: met.size, all: this.#lesson.checks.length });
    }
  }

  #showSteps(done) {
    let now = true;
    for (const step of document.querySelectorAll("[data-step]")) {
      const isDone = done.has(step.dataset.step);
      step.classList.toggle("done", isDone);
      step.classList.toggle("now", !isDone && now);
      step.querySelector(".step-state").textContent = isDone ? say("step_done") : "";
      if (!isDone) now = false;
    }
  }

  #showStuck(ids) {
    for (const message of document.querySelectorAll("[data-stuck]")) {
      const live = ids.includes(message.dataset.stuck);
      message.classList.toggle("live", live);
      message.querySelector(".stuck-you").hidden = !live;
      message.hidden = !live && !this.#all;
    }
    const here = byId("stuck-here");
    const first = ids.length > 0 ? byId(`stuck-${ids[0]}`) : null;
    here.hidden = !first;
    if (first) {
      const link = here.querySelector("a");
      link.href = `#${first.id}`;
      link.textContent = first.querySelector("h3").textContent;
    }
  }

  #addShowAll() {
    const first = document.querySelector("[data-stuck]");
    if (!first) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "quiet";
    const label = () => {
      button.textContent = this.#all ? say("show_mine") : say("show_all");
      button.setAttribute("aria-pressed", String(this.#all));
    };
    button.addEventListener("click", () => {
      this.#all = !this.#all;
      label();
      for (const message of document.querySelectorAll("[data-stuck]")) {
        message.hidden = !this.#all && !message.classList.contains("live");
      }
    });
    label();
    const row = document.createElement("p");
    row.append(button);
    first.before(row);
  }
}
