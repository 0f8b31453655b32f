// What the learner did in one lesson, kept in the browser's storage.
// Anything may stand there: another version's data, an edit, half a write. What cannot be read is set aside under
// another key, a sentence says so, and the lesson begins anew.

import { say } from "../words.js";

const VERSION = 1;
const MAX_EVENTS = 5000;

export const keyOf = (slug) => `ferrolab:lesson:${slug}`;

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isPlain = (value, depth = 4) =>
  value === null ||
  typeof value === "boolean" ||
  (typeof value === "number" && Number.isFinite(value)) ||
  (typeof value === "string" && value.length <= 2000) ||
  (depth > 0 && typeof value === "object" && Object.values(value).every((item) => isPlain(item, depth - 1)));

function isEvent(event) {
  if (!isObject(event)) return false;
  if (event.kind === "seen") return isObject(event.controls) && isObject(event.readout) && isPlain(event, 5);
  return event.kind === "answered" && typeof event.question === "string" && isPlain(event.response, 1);
}

const isTrail = (trail, slug) =>
  trail === null ||
  (isObject(trail) && trail.version === 1 && trail.lesson === slug && Array.isArray(trail.events) &&
    trail.events.length <= MAX_EVENTS && trail.events.every(isEvent));

const isCheck = (check) => isObject(check) && typeof check.id === "string" && typeof check.met === "boolean";
const isGrade = (grade) =>
  grade === null || (isObject(grade) && typeof grade.passed === "boolean" && Array.isArray(grade.checks) && grade.checks.every(isCheck));

const isAnswers = (answers) =>
  isObject(answers) && Object.values(answers).every((a) => isObject(a) && isPlain(a.response, 0) && typeof a.right === "boolean");

// The progress in `text`, or null when it is not one.
export function readProgress(text, slug) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const good =
    isObject(value) && value.version === VERSION && isTrail(value.trail, slug) && isGrade(value.grade) && isAnswers(value.answers) &&
    (value.prediction === null || typeof value.prediction === "string") &&
    (value.controls === null || (isObject(value.controls) && isPlain(value.controls, 1)));
  return good ? value : null;
}

// The browser's storage under one key; every method may throw, as storage does.
class Kept {
  constructor(slug) {
    this.slug = slug;
    this.key = keyOf(slug);
  }
  get() {
    return localStorage.getItem(this.key);
  }
  set(text) {
    localStorage.setItem(this.key, text);
  }
  remove() {
    localStorage.removeItem(this.key);
  }
  setAside(text) {
    localStorage.setItem(`ferrolab:set-aside:${this.slug}`, text.slice(0, 200000));
    this.remove();
  }
}

export class Progress {
  #store;

  // `store` has get, set, remove and setAside, as Kept has.
  constructor(slug, store = new Kept(slug)) {
    this.#store = store;
    this.message = ""; // what the learner must know about the storage, or ""
    this.#clear();
    let text = null;
    try {
      text = store.get();
    } catch {
      this.message = say("cannot_keep");
    }
    if (text === null) return;
    const kept = readProgress(text, slug);
    if (kept) Object.assign(this, kept);
    else this.#setAside(text);
  }

  // The kept prediction must be one of the lesson's choices; a lesson may have changed since.
  requirePrediction(ids) {
    if (this.prediction !== null && !ids.includes(this.prediction)) this.prediction = null;
  }

  save() {
    const { prediction, answers, trail, grade, controls } = this;
    try {
      this.#store.set(JSON.stringify({ version: VERSION, prediction, answers, trail, grade, controls }));
      return true;
    } catch {
      return false;
    }
  }

  forget() {
    this.#clear();
    try {
      this.#store.remove();
    } catch {
      // nothing was kept
    }
  }

  // Take prediction and answers from a trail that was kept elsewhere; `isRight(question id, response)` judges.
  adopt(trail, isRight) {
    for (const { kind, question, response } of trail.events) {
      if (kind !== "answered") continue;
      if (question === "predict") this.prediction = response;
      else this.answers[question] = { response, right: isRight(question, response) };
    }
  }

  // Whether this answer stands in the trail the worker last reported.
  isInTrail(question, response) {
    const events = this.trail?.events ?? [];
    return events.some((e) => e.kind === "answered" && e.question === question && e.response === response);
  }

  #clear() {
    this.prediction = null;
    this.answers = {};
    this.trail = null;
    this.grade = null;
    this.controls = null;
  }

  #setAside(text) {
    this.message = say("set_aside");
    try {
      this.#store.setAside(text);
    } catch {
      // a full storage keeps the bad value; the next save replaces it
    }
  }
}
