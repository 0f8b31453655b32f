// What a browser keeps of one lesson, and whether it can be trusted: anything may stand in a storage, an older version's
// data, an edit, half a write. The trail's rules are those of src/ferrolab/lesson/trail.py; a test holds the two together.

const VERSION = 2;
export const MAX_EVENTS = 5000;
const MAX_TEXT = 2000;
const MAX_ITEMS = 200;
const MAX_NUMBER = 1e300;

export const keyOf = (slug) => `ferrolab:lesson:${slug}`;
const roundKeyOf = (slug) => `ferrolab:round:${slug}`;
const asideKeyOf = (slug, number) => `ferrolab:set-aside:${slug}${number === 1 ? "" : `:${number}`}`;
const ASIDE = 5; // so many values that could not be read are kept; one more takes the last one's place

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isRound = (value) => Number.isInteger(value) && value >= 0 && value < 1e9;
const hasKeys = (value, ...keys) => Object.keys(value).length === keys.length && keys.every((key) => Object.hasOwn(value, key));

function isPlain(value, depth) {
  if (value === null || typeof value === "boolean") return true;
  if (typeof value === "number") return Math.abs(value) <= MAX_NUMBER;
  if (typeof value === "string") return value.length <= MAX_TEXT;
  const items = Object.values(value);
  return depth > 0 && items.length <= MAX_ITEMS && items.every((item) => isPlain(item, depth - 1));
}

function isEvent(event) {
  if (!isObject(event)) return false;
  if (event.kind === "seen") {
    return hasKeys(event, "kind", "controls", "readout") && [event.controls, event.readout].every((part) => isObject(part) && isPlain(part, 4));
  }
  return event.kind === "answered" && hasKeys(event, "kind", "question", "response") && typeof event.question === "string" &&
    event.question.length > 0 && event.question.length <= MAX_TEXT && isPlain(event.response, 1);
}

export const isTrail = (trail, slug) =>
  isObject(trail) && hasKeys(trail, "version", "lesson", "events") && trail.version === 1 && trail.lesson === slug &&
  Array.isArray(trail.events) && trail.events.length <= MAX_EVENTS && trail.events.every(isEvent);

const isCheck = (check) => isObject(check) && typeof check.id === "string" && typeof check.met === "boolean";
const isList = (value) => Array.isArray(value) && value.every((item) => typeof item === "string");
const isGrade = (grade) =>
  isObject(grade) && typeof grade.passed === "boolean" && Array.isArray(grade.checks) && grade.checks.every(isCheck) &&
  isList(grade.steps ?? []) && isList(grade.stuck ?? []);

const isAnswers = (answers) =>
  isObject(answers) && Object.values(answers).every((a) => isObject(a) && isPlain(a.response, 0) && typeof a.right === "boolean");

// From each older version to the next.
const MIGRATIONS = {
  1: (value) => ({ ...value, version: 2, round: 0 }), // nobody counted how often a lesson was started over
};

// The progress in `text`, brought to this version, or null when it is not one.
export function readProgress(text, slug) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  while (isObject(value) && Object.hasOwn(MIGRATIONS, value.version)) value = MIGRATIONS[value.version](value);
  const good =
    isObject(value) && value.version === VERSION && isRound(value.round) && (value.trail === null || isTrail(value.trail, slug)) &&
    (value.grade === null || isGrade(value.grade)) && isAnswers(value.answers) &&
    (value.prediction === null || typeof value.prediction === "string") &&
    (value.controls === null || (isObject(value.controls) && isPlain(value.controls, 1)));
  return good ? value : null;
}

export const writeProgress = ({ round, prediction, answers, trail, grade, controls }) =>
  JSON.stringify({ version: VERSION, round, prediction, answers, trail, grade, controls });

// The browser's storage of one lesson; every method may throw, as storage does.
export class Kept {
  constructor(slug) {
    this.slug = slug;
    this.key = keyOf(slug);
    this.roundKey = roundKeyOf(slug);
    this.keys = [this.key, this.roundKey];
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
  // How often the lesson was started over, which outlives what was forgotten: another tab learns of it here.
  getRound() {
    const round = Number(localStorage.getItem(this.roundKey));
    return isRound(round) ? round : 0;
  }
  setRound(round) {
    localStorage.setItem(this.roundKey, String(round));
  }
  // Moves a value that cannot be read out of the way, whole; where there is no room for that it stays where it is.
  setAside(text) {
    let number = 1;
    while (number < ASIDE && (localStorage.getItem(asideKeyOf(this.slug, number)) ?? text) !== text) number += 1;
    this.remove(); // first, for the room
    try {
      localStorage.setItem(asideKeyOf(this.slug, number), text);
    } catch (error) {
      this.set(text);
      throw error;
    }
  }
}
