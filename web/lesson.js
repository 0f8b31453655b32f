// The lesson page: connects the text, the bench, the grade and what the browser keeps.
// The bench's life in its worker belongs to runtime.js; everything measured comes from there.

import { startBench } from "./runtime.js";
import { Address } from "./lesson/address.js";
import { Bar } from "./lesson/bar.js";
import { wireEvidence } from "./lesson/evidence.js";
import { GradeView } from "./lesson/grade-view.js";
import { Predict } from "./lesson/predict.js";
import { Progress } from "./lesson/progress.js";
import { clearQuestions, restoreQuestions, wireQuestions } from "./lesson/questions.js";
import { Retrieval } from "./lesson/retrieval.js";
import { isRight } from "./lesson/score.js";
import { Settle } from "./lesson/settle.js";
import { wireStartOver } from "./lesson/start-over.js";
import { say } from "./words.js";

const SOON_MS = 300;

const byId = (id) => document.getElementById(id);
const main = byId("content");
const host = byId("bench");
const lesson = JSON.parse(byId("lesson-data").textContent);

// Inside a course, its learning management system keeps the progress, and nothing stays on the device.
const course = main.dataset.lms ? await import("./course/lms.js") : null;
const lms = course && (await course.openLms(main.dataset.lms, lesson));
const retrieval = lms ? null : new Retrieval();
let resumed = !lms || lms.resume === "";

const progress = lms ? new Progress(lesson.slug, new course.Memory()) : new Progress(lesson.slug);
progress.requirePrediction(lesson.predict.choices.map(({ id }) => id));
const view = new GradeView(lesson);
const bar = new Bar();
let state = "loading";
let wasLive = false;
let bench = null;
let saving = null; // a timer
let lacking = false; // whether the worker lacks something that another tab did
let told = 0; // how many events the trail had that the worker was last told
let shown = null; // the sequence number of the readout on the screen
let latest = null; // the last readout told

// What the bench says is told in the bar only to whoever has predicted.
function showInBar() {
  if (progress.prediction === null) bar.say(say("predict_first"));
  else if (latest) bar.showReadout(latest);
}

function notify(message) {
  const notice = byId("notice");
  notice.textContent = message;
  notice.hidden = !message;
}

// Takes in what another tab kept, and writes down what there is.
function save() {
  clearTimeout(saving);
  saving = null;
  const change = progress.sync();
  follow(change);
  if (change === "all") return; // what was to be written down is forgotten
  const before = progress.message;
  progress.write();
  if (progress.message !== before) notify(progress.message);
}

// While a slider moves there is no need to write at each step.
function saveSoon() {
  saving ??= setTimeout(save, SOON_MS);
}

// The bench may be looked at only after the prediction; until then it gets ready behind a notice. One that is not live
// stays reachable, so that it can be retried.
function refreshLock() {
  const locked = progress.prediction === null;
  host.inert = locked && state === "live";
  byId("bench-lock").hidden = !locked;
  document.body.classList.toggle("bench-locked", locked);
  settle.counts = !locked && state === "live";
  if (state === "live") showInBar();
}

// An answer given before the bench was up, or lost with its worker, is told again when it is live.
function tellLostAnswers() {
  const answers = Object.entries(progress.answers).map(([id, { response }]) => [id, response]);
  if (progress.prediction !== null) answers.unshift(["predict", progress.prediction]);
  for (const [id, response] of answers) if (!progress.isInTrail(id, response)) bench.answer(id, response);
}

const settle = new Settle(host, (seq) => bench.settled(seq));

const predict = new Predict(lesson, (id) => {
  follow(progress.sync());
  if (progress.prediction !== null) return predict.show(progress.prediction); // the other tab's came first
  progress.prediction = id;
  save();
  refreshLock();
  if (state === "live") bench.answer("predict", id);
});

wireQuestions(lesson, (id, response, right) => {
  follow(progress.sync());
  progress.answers[id] = { response, right };
  save();
  retrieval?.answered(lesson.slug, id, right);
  lms?.answered(lesson.questions.find((question) => question.id === id), response, right);
  if (state === "live") bench.answer(id, response);
});

restoreQuestions(lesson, progress);
wireEvidence(main, progress);
if (lms) wireFinish();

// What the course kept is in the first trail the worker sends.
function resumeFrom(trail) {
  resumed = true;
  progress.adopt(trail, (id, response) => isRight(lesson.questions.find((question) => question.id === id) ?? { kind: "choice", choices: [] }, response));
  showKept();
}

function showKept() {
  progress.requirePrediction(lesson.predict.choices.map(({ id }) => id));
  predict.show(progress.prediction);
  restoreQuestions(lesson, progress);
  refreshLock();
}

// What another tab of this lesson did (see Progress.sync) holds here too.
function follow(what) {
  if (what === "nothing") return;
  if (what === "all") {
    beginAnew();
    notify(say("started_over_elsewhere"));
  }
  showKept();
  view.show(progress.grade);
  tellTrail();
}

function tellTrail() {
  const count = progress.trail?.events.length ?? 0;
  if (state !== "live" || count <= told) return;
  told = count;
  bench.retell();
}

function keepUp() {
  follow(progress.sync());
  if (progress.isAhead) save();
}

function wireFinish() {
  byId("finish").addEventListener("click", () => (byId("finish-said").textContent = lms.finish(progress.grade)));
}

function beginAnew() {
  clearTimeout(saving);
  saving = null;
  told = 0;
  bench.reset();
  predict.show(null);
  clearQuestions();
  view.show(null);
  refreshLock();
  settle.show(shown); // what stands on the screen may count again
}

wireStartOver(() => {
  progress.forget();
  retrieval?.forget(lesson.slug);
  beginAnew();
  notify(progress.message);
  host.closest(".bench-scroll")?.scrollTo(0, 0);
  byId("predict").scrollIntoView({ block: "start" });
  byId("predict").querySelector("input")?.focus({ preventScroll: true });
});

function showState(text) {
  const place = byId("bench-state");
  place.dataset.state = state;
  place.querySelector("span").textContent = text;
}

predict.show(progress.prediction);
view.show(progress.grade);
refreshLock();
notify(lms?.message || progress.message);

const scheme = () => document.documentElement.dataset.scheme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");

// In a course the address is the course's.
const address = lms ? null : new Address((link) => bench.visit(link));

bench = startBench({
  container: host,
  lesson,
  trail: () => progress.trail,
  resume: lms ? lms.resume : null,
  controls: progress.controls,
  link: address?.asked ?? null,
  scheme: scheme(),
  onState(next) {
    state = next;
    showState({ loading: say("bench_loading"), live: say("bench_live"), failed: say("bench_failed") }[state]);
    if (state === "failed") settle.show((shown = latest = null));
    if (state === "loading") {
      told = 0;
      bar.say(say("bench_loading"));
    }
    if (state === "failed") bar.say(wasLive ? say("bench_has_stopped") : say("bench_could_not_start"), "!");
    if (state === "live") wasLive = true;
    refreshLock();
    if (state !== "live") return;
    tellLostAnswers();
    if (lacking) tellTrail();
  },
  onProgress({ label }) {
    if (state === "loading") showState(label);
  },
  onReadout(report) {
    settle.show((shown = report.seq));
    latest = report;
    showInBar();
    address?.tell(report.link);
    progress.controls = report.controls;
    if (progress.prediction !== null) saveSoon();
  },
  onGrade(grade, trail, resume) {
    lacking = progress.graded(grade, trail);
    if (!resumed) resumeFrom(trail);
    view.show(progress.grade);
    if (lacking) tellTrail();
    else lms?.report(grade, resume);
    if (lms?.message) notify(lms.message);
    if (progress.prediction !== null) save();
  },
  onNotice: notify,
});

if (!lms) {
  addEventListener("storage", ({ key }) => (key === null || progress.keys.includes(key)) && keepUp());
  addEventListener("pageshow", ({ persisted }) => persisted && keepUp());
  document.addEventListener("visibilitychange", keepUp);
}
for (const leaving of ["pagehide", "visibilitychange"]) addEventListener(leaving, () => saving !== null && save());

document.addEventListener("ferrolab:scheme", ({ detail }) => bench.setScheme(detail));
