// What two tabs did in one lesson, put together. Checks ask only whether something has been seen or answered, so the union
// of two trails is worth at least as much as either.

import { MAX_EVENTS } from "./kept.js";

const keyOf = (event) => JSON.stringify(event);

// The events of `first`, then those of `second` that it lacks, each tab's own order kept. Either may be null. Returns
// `first` itself when it lacks nothing.
export function union(first, second) {
  if (!first || !second || first === second) return first ?? second;
  const left = new Map();
  for (const event of first.events) left.set(keyOf(event), (left.get(keyOf(event)) ?? 0) + 1);
  const more = second.events.filter((event) => {
    const count = left.get(keyOf(event)) ?? 0;
    left.set(keyOf(event), count - 1);
    return count <= 0;
  });
  if (more.length === 0) return first;
  let events = [...first.events, ...more];
  // Too many: what was seen twice is worth no more than once.
  if (events.length > MAX_EVENTS) events = [...new Map(events.map((event) => [keyOf(event), event])).values()].slice(0, MAX_EVENTS);
  return { ...first, events };
}

// `grade`, with every check and step as good as in `other`: until the union itself has been graded.
export function bestGrade(grade, other) {
  if (!grade || !other) return grade ?? other;
  const met = new Map(other.checks.filter((check) => check.met).map((check) => [check.id, check]));
  const checks = grade.checks.map((check) => (check.met ? check : (met.get(check.id) ?? check)));
  const steps = [...new Set([...(grade.steps ?? []), ...(other.steps ?? [])])];
  return { ...grade, checks, steps, passed: checks.every((check) => check.met) };
}
