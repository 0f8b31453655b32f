// startBench: the life of the bench in a lesson page. Starts the worker, shows its progress, embeds the Bokeh
// document, carries readouts and grades, and puts a sentence with a Retry button in the bench's place when
// anything fails. What the readouts mean is the lesson's business (lesson.js).

import { BenchStatus, STAGES } from "./bench-status.js";
import { DocumentLink } from "./document-link.js";
import { outdated } from "./published.js";

const SCRIPTS = ["bokeh.min.js", "models.js"];
const SILENT_LOADING_MS = 60_000; // no sign of life: a slow phone imports for about 20 s without a pause
const STALLED_MS = 180_000; // alive, but no progress: a download hangs
const SILENT_LIVE_MS = 30_000; // no answer to a turn: the slowest readout takes well under a second

let scripts = null; // loaded once for all benches of the page

function loadScripts() {
  scripts ??= Promise.all(
    SCRIPTS.map(
      (name) =>
        new Promise((resolve, reject) => {
          const script = document.createElement("script");
          script.src = new URL(name, import.meta.url);
          script.async = false; // run in this order
          script.onload = resolve;
          script.onerror = () => {
            scripts = null;
            script.remove();
            reject(Object.assign(new Error(`${name} did not load`), { cause: "network", subject: name }));
          };
          document.head.append(script);
        }),
    ),
  );
  return scripts;
}

const painted = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

class BenchRuntime {
  constructor(options) {
    this.options = { scheme: "light", trail: null, controls: null, resume: null, onState() {}, onProgress() {}, onReadout() {}, onGrade() {}, onNotice() {}, ...options };
    this.trail = this.options.trail;
    this.scheme = this.options.scheme;
    this.controls = this.options.controls;
    this.resume = this.options.resume; // what a learning management system kept; the worker sends the next one with each grade
    this.commands = []; // [act, message] not yet sent
    this.worker = null;
    this.status = new BenchStatus(this.options.container, () => this.restart());
    this.root = null;
    this.start();
  }

  setState(state, detail = {}) {
    this.state = state;
    this.options.container.dataset.benchState = state;
    this.options.onState(state, detail);
  }

  start() {
    this.status.loading();
    this.setState("loading");
    this.progress("runtime", 0);
    if (typeof WebAssembly !== "object" || typeof Worker !== "function") return this.fail("browser", "");
    this.link = new DocumentLink(() => this.pump());
    this.lastSeq = 0;
    this.turn = 0;
    this.busy = true; // until the worker has opened
    this.chain = Promise.resolve(); // messages are handled one after the other: embedding takes a while
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.worker = worker;
    worker.onmessage = ({ data }) => {
      if (this.worker !== worker) return;
      this.expect(this.state === "loading" ? SILENT_LOADING_MS : null);
      this.chain = this.chain.then(() => this.worker === worker && this.handle(data)).catch((error) => this.fail("page", error.message, error));
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.worker === worker && this.fail(this.state === "live" ? "page" : "network", "worker.js", event.message ?? "the worker did not load");
    };
    worker.onmessageerror = () => this.worker === worker && this.fail("page", "a message could not be read");
    this.expect(SILENT_LOADING_MS);
    const { lesson } = this.options;
    worker.postMessage({ kind: "start", text: JSON.stringify({ lesson, trail: this.trail, scheme: this.scheme, controls: this.controls, resume: this.resume }) });
    painted().then(loadScripts).catch(() => {}); // read before anything is parsed; a failure is met in embed
  }

  async handle(message) {
    switch (message.kind) {
      case "progress":
        return this.progress(message.stage, message.fraction);
      case "said":
        return this.said(message);
      case "opened":
        this.expect(null);
        this.busy = false;
        this.status.live();
        this.setState("live");
        return this.pump();
      case "done":
        if (message.turn !== this.turn) return;
        this.expect(null);
        this.busy = false;
        return this.pump();
      case "failed":
        return this.fail(message.cause, message.subject, message.detail);
    }
  }

  async said({ what, text, buffers }) {
    if (what === "patch") return this.link.apply(text, buffers);
    const message = JSON.parse(text);
    if (what === "document") return this.embed(message);
    if (what === "readout" && message.seq > this.lastSeq) {
      this.lastSeq = message.seq;
      this.controls = message.controls;
      this.options.onReadout(message);
    } else if (what === "grade") {
      this.trail = message.trail;
      if (this.resume !== null) this.resume = message.resume;
      this.options.onGrade(message.grade, message.trail, message.resume);
    } else if (what === "notice") {
      this.options.onNotice(message.message);
    }
  }

  async embed(message) {
    const { worker } = this;
    try {
      await loadScripts();
      if (this.worker !== worker) return;
      this.progress("bench", 0.9);
      this.root?.remove();
      this.root = document.createElement("div");
      this.root.className = "bench-root";
      this.options.container.append(this.root);
      await this.link.embed(message, this.root);
    } catch (error) {
      this.fail(error.cause ?? "page", error.subject ?? error.message, error);
    }
  }

  progress(stage, fraction) {
    if (this.stage !== stage || this.fraction !== fraction) this.progressAt = performance.now();
    this.stage = stage;
    this.fraction = fraction;
    this.status.progress(stage, fraction);
    this.options.onProgress({ stage, label: STAGES.find(({ id }) => id === stage).label, fraction });
  }

  // One turn at a time: what waits goes out when the worker has answered the last one.
  pump() {
    if (this.busy || this.state !== "live") return;
    const [act, text] = this.link.pending
      ? ["patch", this.link.take()]
      : this.commands.length
        ? ((next) => [next[0], JSON.stringify(next[1])])(this.commands.shift())
        : [null];
    if (act === null) return;
    this.busy = true;
    this.turn += 1;
    this.expect(SILENT_LIVE_MS);
    this.worker.postMessage({ kind: "turn", turn: this.turn, act, text });
  }

  // The worker must speak within `ms` (null: need not), or the bench has failed.
  expect(ms) {
    clearTimeout(this.watchdog);
    if (ms === null) return;
    if (this.state === "loading" && performance.now() - this.progressAt > STALLED_MS) return this.fail("stalled", "");
    this.watchdog = setTimeout(() => this.fail("silent", ""), ms);
  }

  fail(cause, subject, detail) {
    if (this.state === "failed") return;
    this.stop();
    if (detail) console.warn("bench:", detail);
    this.status.failed(cause, subject);
    this.setState("failed", { cause, subject });
    if (cause === "network") outdated().then((is) => is && this.state === "failed" && this.status.failed("outdated", ""));
  }

  stop() {
    clearTimeout(this.watchdog);
    this.worker?.terminate();
    this.worker = null;
    this.link?.close();
    this.root?.remove();
    this.root = null;
  }

  restart() {
    this.stop();
    this.start();
  }

  command(act, message) {
    this.commands.push([act, message]);
    this.pump();
  }
}

// Starts the bench in `container`. Options: lesson (what lesson.json holds), trail and controls kept from a former
// visit (or null), scheme ("light" or "dark"), and callbacks: onState(state, detail) with state "loading", "live" or
// "failed", which the container's data-bench-state carries too; onProgress({stage, label, fraction});
// onReadout({seq, controls, readout}); onGrade(grade, trail); onNotice(sentence). They may be called at once.
export function startBench(options) {
  const runtime = new BenchRuntime(options);
  return {
    get state() {
      return runtime.state;
    },
    settled(seq) {
      if (seq === runtime.lastSeq && runtime.state === "live") runtime.command("settled", { seq });
    },
    answer: (question, response) => runtime.command("answer", { question, response }),
    reset: () => runtime.command("reset", {}),
    setScheme(scheme) {
      runtime.scheme = scheme;
      if (runtime.state === "live") runtime.command("scheme", { scheme });
      else if (runtime.state === "loading") runtime.commands.push(["scheme", { scheme }]);
    },
    restart: () => runtime.restart(),
  };
}
