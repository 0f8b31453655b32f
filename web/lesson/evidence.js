// "Hand in your work": one file with the trail and the grade, saved on this device; `ferrolab verify` reads it.

import { say } from "../words.js";

const VERSION = 1; // of the file, see src/ferrolab/lesson/evidence.py

const byId = (id) => document.getElementById(id);

// `page` is the main element, which names the lesson's version and ferrolab's.
export function makeEvidence(page, { trail, grade }, name, now = new Date()) {
  return {
    evidence: VERSION,
    lesson: page.dataset.slug,
    lesson_key: page.dataset.key,
    ferrolab: page.dataset.version,
    name: name.trim(),
    made: now.toISOString(),
    trail,
    grade,
  };
}

function save(text, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export function wireEvidence(page, progress) {
  byId("handin").hidden = false;
  byId("handin-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const said = byId("handin-said");
    if (!progress.trail || progress.trail.events.length === 0) {
      said.textContent = say("nothing_to_hand_in");
      return;
    }
    const name = String(new FormData(event.target).get("name") ?? "");
    const file = `ferrolab-${page.dataset.slug}.json`;
    save(`${JSON.stringify(makeEvidence(page, progress, name), null, 1)}\n`, file);
    said.textContent = say("saved_as", { file });
  });
}
