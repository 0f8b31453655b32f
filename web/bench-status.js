// What the learner sees of the bench before it is live and after it has failed: stages with a progress bar,
// or one sentence and a Retry button. All its words stand here.

export const STAGES = [
  { id: "runtime", label: "Starting Python in your browser" },
  { id: "numerics", label: "Loading the numerical core" },
  { id: "bench", label: "Setting up the bench" },
];

const WORDS = {
  heading: "The bench is getting ready",
  meanwhile: "Nothing is installed; everything is computed here. You can read on.",
  failedHeading: "The bench is not running",
  slowHeading: "The bench is still computing",
  retry: "Retry",
  reload: "Load the page again",
};

// cause -> sentence; `subject` is a file name or the last line of an error.
const SENTENCES = {
  network: (subject) => `The file ${subject} could not be loaded. Check your connection, then press Retry.`,
  outdated: () => "This site has been published anew since you opened the page. Load the page again to go on; your progress is kept.",
  python: (subject) => `The bench ran into an error and stopped (${subject}). Your progress is kept; press Retry to start it again.`,
  silent: () => "The bench has stopped answering. Your progress is kept; press Retry to start it again.",
  wasm: (subject) => `WebAssembly, which the bench is computed with, is refused here (${subject}). Allow it for this page, or use another browser; then press Retry.`,
  page: (subject) => `The bench could not be shown (${subject}). Press Retry to start it again.`,
  frame: () => "The page stands in a frame that does not let it start the bench. Open the page in a window of its own.",
  browser: () => "This browser cannot run the bench: it needs WebAssembly and module workers. A current Chrome, Edge, Firefox or Safari can.",
};

// What the bench waits for, when it waits long.
const SLOW = {
  file: ([name]) => `This takes longer than usual: ${name} has not come yet. Check your connection; you can wait, or press Retry.`,
  start: () => "This takes longer than usual on this device. You can wait, or press Retry.",
  turn: () => "This setting takes long. You can wait, or press Retry to start the bench again; your progress is kept.",
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
    this.stage = element("p", "bench-status-stage", STAGES[0].label);
    live.append(element("p", "bench-status-heading", WORDS.heading), this.stage);
    this.bar = element("progress", "bench-status-bar");
    this.bar.max = 1;
    this.bar.value = 0;
    this.bar.setAttribute("aria-label", WORDS.heading);
    this.box.replaceChildren(live, this.bar, (this.note = element("p", "bench-status-note", WORDS.meanwhile)));
    this.box.hidden = false;
  }

  // It goes on, but slowly: `files` have not come yet (none when it computes); null when the wait is over.
  slow(files, loading) {
    if (!loading) return files ? this.computing() : this.live();
    if (!this.bar?.isConnected) return;
    this.note.textContent = files === null ? WORDS.meanwhile : files.length ? SLOW.file(files) : SLOW.start();
    this.note.setAttribute("role", "status");
    this.button?.remove();
    if (files !== null) this.retry();
  }

  computing() {
    const live = element("div", "bench-status-text");
    live.setAttribute("role", "status");
    live.append(element("p", "bench-status-heading", WORDS.slowHeading), element("p", "bench-status-sentence", SLOW.turn()));
    this.box.replaceChildren(live);
    this.retry();
    this.box.hidden = false;
  }

  // Where the page itself is out of date, a retry loads it again.
  retry(reload = false) {
    this.button = element("button", "bench-status-retry", reload ? WORDS.reload : WORDS.retry);
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
    const label = STAGES.find(({ id }) => id === stage).label;
    if (this.stage.textContent !== label) this.stage.textContent = label;
    this.bar.value = Math.max(this.bar.value, fraction);
  }

  failed(cause, subject) {
    const alert = element("div", "bench-status-text bench-status-failed");
    alert.setAttribute("role", "alert");
    alert.append(element("p", "bench-status-heading", WORDS.failedHeading), element("p", "bench-status-sentence", sentence(cause, subject)));
    this.box.replaceChildren(alert);
    if (!HOPELESS.includes(cause)) this.retry(cause === "outdated");
    this.box.hidden = false;
  }

  live() {
    if (this.box.contains(document.activeElement)) this.box.parentElement.closest("[tabindex]")?.focus({ preventScroll: true });
    this.box.hidden = true;
    this.box.replaceChildren();
  }
}
