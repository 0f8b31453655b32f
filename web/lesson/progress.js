// What the learner did in one lesson, kept in the browser's storage, which other tabs write to as well: before anything
// is written, what they kept since is taken in. Nobody's progress is lost; starting over counts for all.

import { say } from "../words.js";
import { Kept, readProgress, writeProgress } from "./kept.js";
import { bestGrade, union } from "./merge.js";

const CLOSED = say("cannot_keep");
const REFUSED = say("keeps_no_more");
const ASIDE = say("set_aside");
const STUCK = say("no_room_aside");

export class Progress {
  #store;
  #slug;
  #last = null; // the text last read or written
  #closed = false; // something unreadable stands there, and must not be written over

  // `store` is a Kept, or has its methods.
  constructor(slug, store = new Kept(slug)) {
    this.#store = store;
    this.#slug = slug;
    this.message = ""; // what the learner must know about the storage, or ""
    this.round = 0;
    this.#clear();
    try {
      this.round = store.getRound();
      this.#last = store.get();
    } catch {
      this.message = CLOSED;
    }
    const kept = this.#read();
    if (kept && kept.round >= this.round) Object.assign(this, kept);
  }

  // Where another tab writes what concerns this lesson.
  get keys() {
    return this.#store.keys;
  }

  // The kept prediction must be one of the lesson's choices; a lesson may have changed since.
  requirePrediction(ids) {
    if (this.prediction !== null && !ids.includes(this.prediction)) this.prediction = null;
  }

  // Takes in what another tab kept. Returns "nothing", "more", or "all" when that tab started over.
  sync() {
    let text, round;
    try {
      text = this.#store.get();
      round = this.#store.getRound();
    } catch {
      return "nothing";
    }
    if (text === this.#last && round <= this.round) return "nothing";
    this.#last = text;
    const kept = this.#read();
    const latest = Math.max(round, kept?.round ?? 0);
    const started = latest > this.round;
    if (started) {
      this.#clear();
      this.round = latest;
    }
    const more = kept?.round === this.round && this.#merge(kept);
    return started ? "all" : more ? "more" : "nothing";
  }

  // Writes everything down; whether it is kept now. Call sync() before.
  write() {
    if (this.#closed) return false;
    const text = writeProgress(this);
    try {
      if (text !== this.#last) this.#store.set(text);
      this.#last = text;
      if ([CLOSED, REFUSED].includes(this.message)) this.message = "";
      return true;
    } catch {
      this.message ||= REFUSED;
      return false;
    }
  }

  forget() {
    this.#clear();
    this.round += 1;
    this.#closed = false;
    this.#last = null;
    try {
      this.#store.setRound(this.round); // first: a tab that sees the rest gone must know why
      this.#store.remove();
    } catch {
      // nothing was kept, or it is gone and the number comes with the next write
    }
  }

  // A grade and the trail it was given to, from the worker. Returns whether the worker lacks something of the trail.
  graded(grade, trail) {
    this.trail = union(trail, this.trail);
    const lacks = this.trail !== trail;
    this.grade = lacks ? bestGrade(grade, this.grade) : grade;
    return lacks;
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

  // Whether a former value is missing in what another tab wrote over it: then it is to be written again.
  get isAhead() {
    const kept = this.#last === null ? null : readProgress(this.#last, this.#slug);
    if (!kept) return false;
    return union(kept.trail, this.trail) !== kept.trail || Object.keys(this.answers).some((id) => !Object.hasOwn(kept.answers, id));
  }

  #merge(kept) {
    const before = [this.prediction, JSON.stringify(this.answers), this.trail];
    this.prediction = kept.prediction ?? this.prediction; // the first one that was kept stands
    this.answers = { ...this.answers, ...kept.answers };
    this.trail = union(this.trail, kept.trail);
    this.grade = bestGrade(this.grade, kept.grade);
    const after = [this.prediction, JSON.stringify(this.answers), this.trail];
    return after.some((value, i) => value !== before[i]);
  }

  #read() {
    if (this.#last === null) return null;
    const kept = readProgress(this.#last, this.#slug);
    if (kept) return kept;
    try {
      this.#store.setAside(this.#last);
      this.message = ASIDE;
      this.#last = null;
    } catch {
      this.message = STUCK;
      this.#closed = true;
    }
    return null;
  }

  #clear() {
    this.prediction = null;
    this.answers = {};
    this.trail = null;
    this.grade = null;
    this.controls = null;
  }
}
