// The list of lessons: fills in, from the browser's storage, how far the learner is.

import { keyOf, readProgress } from "./kept.js";
import { wireReview } from "./review.js";
import { say } from "../words.js";

const lessons = JSON.parse(document.getElementById("lessons-data").textContent);

for (const { slug, checks, questions } of lessons) {
  const card = document.querySelector(`[data-lesson="${CSS.escape(slug)}"]`);
  let text = null;
  try {
    text = localStorage.getItem(keyOf(slug));
  } catch {
    continue; // storage refused: the card keeps saying "not started"
  }
  if (text === null) continue;
  const progress = readProgress(text, slug);
  const place = card.querySelector(".progress-text");
  if (!progress) {
    place.textContent = say("kept_unreadable");
    continue;
  }
  const met = (progress.grade?.checks ?? []).filter((check) => check.met).length;
  const right = Object.values(progress.answers).filter((answer) => answer.right).length;
  card.querySelectorAll(".meter i").forEach((dot, i) => dot.classList.toggle("met", i < met));
  const state = met === checks ? say("passed") : say("checks_of", { met, checks });
  place.textContent = say("progress_line", { state, right, questions });
  card.classList.toggle("has-passed", met === checks);
}

wireReview(lessons, document.getElementById("content").dataset.base);
