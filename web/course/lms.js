// A lesson inside a course: who keeps the progress and hears of the grade. Part of exported packages alone: the page
// names the kind of system it was exported for, and a page of the site names none.
//
// Both kinds offer: resume (what was kept, "" for nothing), message (what the learner must know, or ""),
// report(grade, resume), answered(question, response, right), finish(grade) and leave(). Nothing is kept on the device.

import { openScorm } from "./scorm.js";
import { openXapi } from "./xapi.js";

const KINDS = { scorm: openScorm, cmi5: openXapi };

export async function openLms(kind, lesson) {
  const lms = await KINDS[kind](lesson);
  addEventListener("pagehide", () => lms.leave());
  return lms;
}

// A share of the pass checks, from 0 to 1.
export function score(grade) {
  return grade.checks.filter(({ met }) => met).length / grade.checks.length;
}

// Time spent, as hours, minutes and seconds.
export function clock(since, now = Date.now()) {
  const seconds = Math.max(0, Math.round((now - since) / 1000));
  return { hours: Math.floor(seconds / 3600), minutes: Math.floor(seconds / 60) % 60, seconds: seconds % 60 };
}

// Where a page that must not use the browser's storage keeps its progress while it is open.
export class Memory {
  #text = null;
  get() {
    return this.#text;
  }
  set(text) {
    this.#text = text;
  }
  remove() {
    this.#text = null;
  }
  getRound() {
    return 0;
  }
  setRound() {}
  setAside() {}
}
