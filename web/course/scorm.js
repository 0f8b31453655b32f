// SCORM 1.2: completion, score and resume through the API object of the learning management system.
// Names and limits are those of the SCORM 1.2 Run-Time Environment (ADL, 2001).

import { say } from "../words.js";
import { clock, score } from "./lms.js";

const SUSPEND_LIMIT = 4096; // characters of cmi.suspend_data
const DEEPEST = 10; // windows above this one to look for the API in
const COMMIT_MS = 1000; // changes close together are committed once

function findApi(start) {
  for (let [here, depth] = [start, 0]; here && depth < DEEPEST; depth += 1) {
    try {
      if (here.API) return here.API;
    } catch {
      return null; // a window of another origin
    }
    if (here.parent === here) break;
    here = here.parent;
  }
  return null;
}

const time = ({ hours, minutes, seconds }) => [Math.min(hours, 9999).toString().padStart(4, "0"), minutes.toString().padStart(2, "0"), seconds.toString().padStart(2, "0")].join(":");

export function openScorm() {
  const api = findApi(window) ?? (window.opener ? findApi(window.opener) : null);
  const started = Date.now();
  if (!api || String(api.LMSInitialize("")) !== "true") {
    return { resume: "", message: say("course_away"), report() {}, answered() {}, finish: () => say("course_away"), leave() {} };
  }
  const get = (name) => String(api.LMSGetValue(name) ?? "");
  const set = (name, value) => {
    if (String(api.LMSSetValue(name, String(value))) === "true") return true;
    console.warn(`scorm: ${name} was refused with error ${api.LMSGetLastError()}`);
    return false;
  };
  let status = get("cmi.core.lesson_status");
  let closed = false;
  let timer = null;
  const resume = get("cmi.suspend_data");

  const lms = {
    resume,
    message: "",
    commit() {
      clearTimeout(timer);
      timer = null;
      if (!closed && String(api.LMSCommit("")) !== "true") lms.message = say("course_away");
    },
    setStatus(next) {
      if (status === "passed" || status === next) return; // a pass is for good
      if (set("cmi.core.lesson_status", next)) status = next;
    },
    report(grade, text) {
      if (closed) return;
      set("cmi.core.score.raw", Math.round(100 * score(grade)));
      if (text.length <= SUSPEND_LIMIT) set("cmi.suspend_data", text);
      lms.setStatus(grade.passed ? "passed" : "incomplete");
      timer ??= setTimeout(() => lms.commit(), COMMIT_MS);
    },
    answered() {}, // answers are part of what is kept; the course hears of the grade
    finish(grade) {
      lms.setStatus(grade?.passed ? "passed" : "failed");
      lms.commit();
      return grade?.passed ? say("course_told_passed") : say("course_told_failed");
    },
    leave() {
      if (closed) return;
      set("cmi.core.session_time", time(clock(started)));
      set("cmi.core.exit", status === "incomplete" ? "suspend" : "");
      lms.commit();
      closed = true;
      api.LMSFinish("");
    },
  };
  set("cmi.core.score.min", 0);
  set("cmi.core.score.max", 100);
  if (status !== "passed" && status !== "failed" && status !== "completed") lms.setStatus("incomplete");
  lms.commit();
  return lms;
}
