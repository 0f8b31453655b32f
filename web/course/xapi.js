// cmi5: statements to the learning record store that launched the lesson, and resume through its state API.
// Statements, verbs and launch parameters are those of cmi5 (ADL, Quartz, 2016) on xAPI 1.0.3. The store's address comes
// with the launch; a page that was not launched by one says so and sends nothing.

import { say } from "../words.js";
import { clock, score } from "./lms.js";

const VERBS = "http://adlnet.gov/expapi/verbs/";
const CMI5 = { id: "https://w3id.org/xapi/cmi5/context/categories/cmi5" };
const MOVE_ON = { id: "https://w3id.org/xapi/cmi5/context/categories/moveon" };
const STATE = "ferrolab.resume";
const PATIENCE_MS = 8000; // a course that answers later does not answer
const NORMAL = "Normal"; // the launch mode in which a session counts; Browse and Review are for looking

const duration = ({ hours, minutes, seconds }) => `PT${hours}H${minutes}M${seconds}S`;

function launch() {
  const query = new URLSearchParams(location.search);
  const asked = Object.fromEntries(["endpoint", "fetch", "actor", "registration", "activityId"].map((name) => [name, query.get(name)]));
  if (Object.values(asked).some((value) => !value)) return null;
  try {
    return { ...asked, actor: JSON.parse(asked.actor), endpoint: asked.endpoint.replace(/\/*$/, "/") };
  } catch {
    return null;
  }
}

class Store {
  constructor(asked, token) {
    this.asked = asked;
    this.headers = { Authorization: `Basic ${token}`, "X-Experience-API-Version": "1.0.3", "Content-Type": "application/json" };
    this.template = {};
    this.counts = true; // whether a pass or a failure may be told
    this.queue = Promise.resolve(); // statements arrive in the order they were made
    this.lost = false;
  }

  async call(path, query, options = {}) {
    const answer = await fetch(`${this.asked.endpoint}${path}?${new URLSearchParams(query)}`, { headers: this.headers, keepalive: true, signal: AbortSignal.timeout(PATIENCE_MS), ...options });
    if (!answer.ok && answer.status !== 404) throw new Error(`${path} answered ${answer.status}`);
    return answer;
  }

  state(id) {
    const { activityId, registration, actor } = this.asked;
    return { stateId: id, activityId, registration, agent: JSON.stringify(actor) };
  }

  async read(id) {
    const answer = await this.call("activities/state", this.state(id));
    return answer.status === 404 ? null : answer.text();
  }

  keep(id, text) {
    this.then(() => this.call("activities/state", this.state(id), { method: "PUT", body: text }));
  }

  then(act) {
    this.queue = this.queue.then(act).catch((error) => {
      this.lost = true;
      console.warn("xapi:", error.message);
    });
  }

  statement(verb, { result, categories = [], object } = {}) {
    const base = this.template.contextActivities ?? {};
    const statement = {
      id: crypto.randomUUID(),
      actor: this.asked.actor,
      verb: { id: VERBS + verb, display: { en: verb } },
      object: { objectType: "Activity", id: this.asked.activityId, ...object },
      context: {
        ...this.template,
        registration: this.asked.registration,
        contextActivities: { ...base, category: [...(base.category ?? []), ...categories] },
      },
      timestamp: new Date().toISOString(),
    };
    if (result) statement.result = result;
    return statement;
  }

  send(statement) {
    this.then(() => this.sendNow(statement));
  }

  // For a page that is going away and cannot wait its turn.
  sendNow(statement) {
    return this.call("statements", { statementId: statement.id }, { method: "PUT", body: JSON.stringify(statement) });
  }
}

async function open(asked) {
  const answer = await fetch(asked.fetch, { method: "POST", signal: AbortSignal.timeout(PATIENCE_MS) });
  const token = (await answer.json())["auth-token"];
  if (!token) throw new Error("the course gave no token");
  const store = new Store(asked, token);
  const launchData = await store.read("LMS.LaunchData");
  if (launchData) {
    const { contextTemplate = {}, launchMode = NORMAL } = JSON.parse(launchData);
    store.template = contextTemplate;
    store.counts = launchMode === NORMAL;
  }
  return [store, (await store.read(STATE)) ?? ""];
}

export async function openXapi(lesson) {
  const away = { resume: "", message: say("course_away"), report() {}, answered() {}, finish: () => say("course_away"), leave() {} };
  const asked = launch();
  if (!asked) return away;
  let store, resume;
  try {
    [store, resume] = await open(asked);
  } catch (error) {
    console.warn("xapi:", error.message);
    return away;
  }
  const started = Date.now();
  const spent = () => duration(clock(started));
  let last = resume;
  let told = { passed: false, failed: false, completed: false, left: false };
  const once = (verb, result) => {
    if (told[verb] || told.left || !store.counts) return;
    told = { ...told, [verb]: true };
    store.send(store.statement(verb, { result: { duration: spent(), ...result }, categories: [CMI5, MOVE_ON] }));
  };
  const pass = (grade) => {
    if (told.failed) return; // one verdict a session
    once("passed", { success: true, score: { scaled: score(grade) } });
    once("completed", { completion: true });
  };
  store.send(store.statement("initialized", { categories: [CMI5] }));
  let opened = false; // the first grade is that of what was kept
  return {
    resume,
    get message() {
      return store.lost ? say("course_away") : "";
    },
    report(grade, text) {
      if (told.left) return;
      if (text !== last) store.keep(STATE, (last = text));
      if (grade.passed && (opened || !resume)) pass(grade);
      else if (grade.passed) told = { ...told, passed: true, completed: true }; // told in an earlier session
      opened = true;
    },
    answered(question, response, right) {
      const object = { id: `${asked.activityId}#${question.id}`, definition: { type: "http://adlnet.gov/expapi/activities/cmi.interaction", description: { [lesson.language ?? "en"]: question.ask } } };
      store.send(store.statement("answered", { object, result: { response: String(response), success: right } }));
    },
    finish(grade) {
      if (grade?.passed) pass(grade);
      else {
        if (!told.passed) once("failed", { success: false, score: { scaled: grade ? score(grade) : 0 } });
        once("completed", { completion: true });
      }
      return grade?.passed ? say("course_told_passed") : say("course_told_failed_once");
    },
    leave() {
      if (told.left) return;
      told = { ...told, left: true };
      store.sendNow(store.statement("terminated", { result: { duration: spent() }, categories: [CMI5] }));
    },
  };
}
