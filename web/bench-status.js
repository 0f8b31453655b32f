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
  retry: "Retry",
  reload: "Load the page again",
};

// cause -> sentence; `subject` is a file name or the last line of an error.
const SENTENCES = {
  network: (subject) => `The file ${subject} could not be loaded. Check your connection, then press Retry.`,
  outdated: () => "This site has been published anew since you opened the page. Load the page again to go on; your progress is kept.",
  python: (subject) => `The bench ran into an error and stopped (${subject}). Your progress is kept; press Retry to start it again.`,
  silent: () => "The bench has stopped answering. Your progress is kept; press Retry to start it again.",
  stalled: () => "Loading the bench has stopped making progress. Check your connection, then press Retry.",
  page: (subject) => `The bench could not be shown (${subject}). Press Retry to start it again.`,
  browser: () => "This browser cannot run the bench: it needs WebAssembly and module workers. A current Chrome, Edge, Firefox or Safari can.",
};

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
    this.box = element("div", "bench-status");
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
    this.box.replaceChildren(live, this.bar, element("p", "bench-status-note", WORDS.meanwhile));
    this.box.hidden = false;
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
    if (cause !== "browser") {
      const old = cause === "outdated";
      const retry = element("button", "bench-status-retry", old ? WORDS.reload : WORDS.retry);
      retry.type = "button";
      retry.addEventListener("click", () => (old ? location.reload() : this.onRetry()));
      this.box.append(retry);
    }
    this.box.hidden = false;
  }

  live() {
    this.box.hidden = true;
    this.box.replaceChildren();
  }
}
