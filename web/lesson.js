// The lesson page: connects the text, the bench, the grade and what the browser keeps.
// The bench's life in its worker belongs to runtime.js; everything measured comes from there.

import { startBench } from "./runtime.js";
import { Bar } from "./lesson/bar.js";
import { wireEvidence } from "./lesson/evidence.js";
import { GradeView } from "./lesson/grade-view.js";
import { Predict } from "./lesson/predict.js";
import { Progress } from "./lesson/progress.js";
import { clearQuestions, wireQuestions } from "./lesson/questions.js";
import { Settle } from "./lesson/settle.js";
import { wireStartOver } from "./lesson/start-over.js";

const byId = (id) => document.getElementById(id);
const main = byId("content");
const host = byId("bench");
const lesson = JSON.parse(byId("lesson-data").textContent);

const progress = new Progress(lesson.slug);
progress.requirePrediction(lesson.predict.choices.map(({ id }) => id));
const view = new GradeView(lesson);
const bar = new Bar();
let state = "loading";
let bench = null;
let shown = null; // the sequence number of the readout on the screen

function notify(message) {
  const notice = byId("notice");
  notice.textContent = message;
  notice.hidden = !message;
}

function save() {
  if (!progress.save() && !progress.message) {
    progress.message = "This browser refuses to keep your progress; it will be lost when you leave the page.";
    notify(progress.message);
  }
}

// The bench may be looked at only after the prediction; until then it gets ready behind a notice. A bench that failed
// stays reachable, so that it can be retried.
function refreshLock() {
  const locked = progress.prediction === null;
  host.inert = locked && state !== "failed";
  byId("bench-lock").hidden = !locked;
  document.body.classList.toggle("bench-locked", locked);
  settle.counts = !locked && state === "live";
}

// An answer given before the bench was up, or lost with its worker, is told again when it is live.
function tellLostAnswers() {
  const answers = Object.entries(progress.answers).map(([id, { response }]) => [id, response]);
  if (progress.prediction !== null) answers.unshift(["predict", progress.prediction]);
  for (const [id, response] of answers) if (!progress.isInTrail(id, response)) bench.answer(id, response);
}

const settle = new Settle(host, (seq) => bench.settled(seq));

const predict = new Predict(lesson, (id) => {
  progress.prediction = id;
  save();
  refreshLock();
  if (state === "live") bench.answer("predict", id);
});

wireQuestions(lesson, progress, (id, response, right) => {
  progress.answers[id] = { response, right };
  save();
  if (state === "live") bench.answer(id, response);
});

wireEvidence(main, progress);

wireStartOver(() => {
  progress.forget();
  bench.reset();
  predict.show(null);
  clearQuestions();
  view.show(null);
  refreshLock();
  settle.show(shown); // what stands on the screen may count again
  notify("");
  byId("predict").scrollIntoView({ block: "start" });
});

function showState(text) {
  const place = byId("bench-state");
  place.dataset.state = state;
  place.querySelector("span").textContent = text;
}

predict.show(progress.prediction);
view.show(progress.grade);
refreshLock();
notify(progress.message);

const scheme = () => document.documentElement.dataset.scheme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");

bench = startBench({
  container: host,
  base: main.dataset.base,
  lesson,
  trail: progress.trail,
  controls: progress.controls,
  scheme: scheme(),
  onState(next) {
    state = next;
    showState({ loading: "bench starting", live: "bench live", failed: "bench failed" }[state]);
    if (state === "failed") settle.show((shown = null));
    if (state === "loading") bar.say("bench starting");
    if (state === "failed") bar.say("the bench could not start", "!");
    refreshLock();
    if (state === "live") tellLostAnswers();
  },
  onProgress({ label }) {
    if (state === "loading") showState(label);
  },
  onReadout(report) {
    settle.show((shown = report.seq));
    bar.showReadout(report);
    progress.controls = report.controls;
    if (progress.prediction !== null) save();
  },
  onGrade(grade, trail) {
    progress.grade = grade;
    progress.trail = trail;
    view.show(grade);
    if (progress.prediction !== null) save();
  },
  onNotice: notify,
});

document.addEventListener("ferrolab:scheme", ({ detail }) => bench.setScheme(detail));
