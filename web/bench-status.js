// What the learner sees of the bench before it is live and after it has failed: stages with a progress bar,
// or one sentence and a Retry button.

import { say } from "./words.js";

const STAGES = {
  runtime: () => say("stage_runtime"),
  numerics: () => say("stage_numerics"),
  bench: () => say("stage_bench"),
};

export const stageLabel = (id) => STAGES[id]();

// cause -> sentence; `subject` is a file name or the last line of an error.
const SENTENCES = {
  network: (subject) => say("failed_network", { subject }),
  outdated: () => say("failed_outdated"),
  python: (subject) => say("failed_python", { subject }),
  silent: () => say("failed_silent"),
  wasm: (subject) => say("failed_wasm", { subject }),
  page: (subject) => say("failed_page", { subject }),
  frame: () => say("failed_frame"),
  browser: () => say("failed_browser"),
};

// What the bench waits for, when it waits long.
const SLOW = {
  file: ([file]) => say("slow_file", { file }),
  start: () => say("slow_start"),
  turn: () => say("slow_turn"),
};

const HOPELESS = ["browser", "frame"]; // trying again changes nothing

export function sentence(cause, subject) {
  return (SENTENCES[cause] ?? SENTENCES.page)(String(subject).slice(0, 200));
}

function element(tag, className, text) {
  const made = document.createElement(tag);
  made.className = className;
  if (text) made.textContent = text;
  return made;
}

export class BenchStatus {
  constructor(container, onRetry) {
    this.onRetry = onRetry;
    for (const left of container.querySelectorAll(".bench-status")) left.remove(); // of a guard (see lesson/guard.js)
    this.box = element("div", "bench-status");
    this.box.tabIndex = -1;
    container.prepend(this.box);
  }

  loading() {
    const live = element("div", "bench-status-text");
    live.setAttribute("role", "status");
    this.stage = element("p", "bench-status-stage", stageLabel("runtime"));
    live.append(element("p", "bench-status-heading", say("starting_heading")), this.stage);
    this.bar = element("progress", "bench-status-bar");
    this.bar.max = 1;
    this.bar.value = 0;
    this.bar.setAttribute("aria-label", say("starting_heading"));
    this.box.replaceChildren(live, this.bar, (this.note = element("p", "bench-status-note", say("starting_meanwhile"))));
    this.box.hidden = false;
  }

  // It goes on, but slowly: `files` have not come yet (none when it computes); null when the wait is over.
  slow(files, loading) {
    if (!loading) return files ? this.computing() : this.live();
    if (!this.bar?.isConnected) return;
    this.note.textContent = files === null ? say("starting_meanwhile") : files.length ? SLOW.file(files) : SLOW.start();
    this.note.setAttribute("role", "status");
    if (files === null) this.button?.remove();
    else if (!this.button?.isConnected) this.retry();
  }

  computing() {
    const live = element("div", "bench-status-text");
    live.setAttribute("role", "status");
    live.append(element("p", "bench-status-heading", say("slow_heading")), element("p", "bench-status-sentence", SLOW.turn()));
    this.box.replaceChildren(live);
    this.retry();
    this.box.hidden = false;
  }

  alone() {
    const way = element("a", "", say("open_alone"));
    Object.assign(way, { href: location.href, target: "_blank", rel: "noopener" });
    this.box.append(way);
  }

  // Where the page itself is out of date, a retry loads it again.
  retry(reload = false) {
    this.button = element("button", "bench-status-retry", reload ? say("load_again") : say("retry"));
    this.button.type = "button";
    this.button.addEventListener("click", () => {
      if (reload) return location.reload();
      this.onRetry();
      this.box.focus({ preventScroll: true }); // the button is gone
    });
    this.box.append(this.button);
  }

  progress(stage, fraction) {
    if (!this.bar?.isConnected) return;
    const label = stageLabel(stage);
    if (this.stage.textContent !== label) this.stage.textContent = label;
    this.bar.value = Math.max(this.bar.value, fraction);
  }

  failed(cause, subject) {
    const alert = element("div", "bench-status-text bench-status-failed");
    alert.setAttribute("role", "alert");
    alert.append(element("p", "bench-status-heading", say("failed_heading")), element("p", "bench-status-sentence", sentence(cause, subject)));
    this.box.replaceChildren(alert);
    if (cause === "frame") this.alone();
    if (!HOPELESS.includes(cause)) this.retry(cause === "outdated");
    this.box.hidden = false;
  }

  live() {
    if (this.box.contains(document.activeElement)) this.box.parentElement.closest("[tabindex]")?.focus({ preventScroll: true });
    this.box.hidden = true;
    this.box.replaceChildren();
  }
}
