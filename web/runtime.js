// startBench: the life of the bench in a lesson page. Starts the worker, shows its progress, embeds the Bokeh
// document, carries readouts and grades, and puts a sentence with a Retry button in the bench's place when
// anything fails. What the readouts mean is the lesson's business (lesson.js).

import { BenchStatus, stageLabel } from "./bench-status.js";
import { DocumentLink } from "./document-link.js";
import { outdated } from "./published.js";
import { loadScripts, missingScripts } from "./scripts.js";
import { WorkerLife } from "./worker-life.js";
import { benchWords } from "./words.js";

const painted = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

class BenchRuntime {
  constructor(options) {
    this.options = { scheme: "light", trail: () => null, controls: null, link: null, resume: null, onState() {}, onProgress() {}, onReadout() {}, onGrade() {}, onNotice() {}, ...options };
    this.scheme = this.options.scheme;
    this.controls = this.options.controls;
    this.asked = this.options.link; // until a worker has opened with it
    this.resume = this.options.resume; // what a learning management system kept; the worker sends the next one with each grade
    this.commands = []; // [act, message] not yet sent
    this.plain = false; // start without the memory snapshot
    this.keepable = null; // whether the site may be kept for the next visit (see offline.js); null: not known yet
    this.status = new BenchStatus(this.options.container, () => this.restart());
    this.root = null;
    document.addEventListener("ferrolab:keep", ({ detail }) => this.keep(detail));
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
    this.commands = []; // a new worker is told by `text` below; answers are told again by the lesson
    this.forgetting = false; // a reset is on its way: what the worker still tells is of before
    this.chain = Promise.resolve(); // messages are handled one after the other: embedding takes a while
    try {
      this.life = this.begin();
    } catch (error) {
      return this.fail("frame", error.message, error);
    }
    const { lesson, trail } = this.options;
    const text = JSON.stringify({ lesson, trail: trail(), scheme: this.scheme, controls: this.controls, resume: this.resume, words: benchWords, link: this.asked });
    this.life.post({ kind: "start", text, plain: this.plain });
    const { life } = this; // the scripts are read before anything is parsed
    painted().then(loadScripts).catch((error) => this.life === life && this.fail(error.cause ?? "page", error.subject ?? error.message, error));
  }

  begin() {
    const life = new WorkerLife(new URL("./worker.js", import.meta.url), {
      onMessage: (data) => {
        this.chain = this.chain.then(() => this.life === life && this.handle(data)).catch((error) => this.fail("page", error.message, error));
      },
      onDeath: (cause, subject, detail) => this.fail(cause, subject, detail),
      onSlow: (files) => this.status.slow(files && [...files, ...missingScripts()], this.state === "loading"),
    });
    return life;
  }

  async handle(message) {
    switch (message.kind) {
      case "progress":
        return this.progress(message.stage, message.fraction);
      case "said":
        return this.said(message);
      case "opened":
        this.life.opened();
        this.asked = null;
        this.busy = false;
        this.status.live();
        this.setState("live");
        this.keep(this.keepable);
        return this.pump();
      case "kept":
        document.documentElement.dataset.kept = "";
        return;
      case "done":
        if (message.turn !== this.turn) return;
        this.life.answered();
        this.link.answered();
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
    if (what === "widgets") this.link.widgets = message;
    if (what === "readout" && message.seq > this.lastSeq) {
      this.lastSeq = message.seq;
      this.controls = message.controls;
      this.options.onReadout(message);
    } else if (what === "grade" && !this.forgetting) {
      if (this.resume !== null) this.resume = message.resume;
      this.options.onGrade(message.grade, message.trail, message.resume);
    } else if (what === "notice") {
      this.options.onNotice(message.message);
    }
  }

  async embed(message) {
    const { life } = this;
    try {
      await loadScripts();
      if (this.life !== life) return;
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
    this.life?.progressed();
    this.status.progress(stage, fraction);
    this.options.onProgress({ stage, label: stageLabel(stage), fraction });
  }

  // One turn at a time: what waits goes out when the worker has answered the last one.
  pump() {
    if (this.busy || this.state !== "live") return;
    const [act, text] = this.link.pending
      ? ["patch", this.link.take()]
      : this.commands.length
        ? ((next) => [next[0], JSON.stringify(next[1]())])(this.commands.shift())
        : [null];
    if (act === null) return;
    if (act === "reset") this.forgetting = false;
    this.busy = true;
    this.turn += 1;
    this.life.turn({ kind: "turn", turn: this.turn, act, text });
  }

  // What was moved and never answered is asked of the next worker, unless it is what Python failed at.
  fail(cause, subject, detail) {
    if (this.state === "failed") return;
    if (cause === "python" && this.state === "loading") this.controls = this.asked = null;
    else this.keepMoves({ sent: cause !== "python" });
    this.plain = true; // whatever it was, the snapshot shall not do it again
    this.stop();
    if (detail) console.warn("bench:", detail);
    this.status.failed(cause, subject);
    this.setState("failed", { cause, subject });
    if (cause === "network") outdated().then((is) => is && this.state === "failed" && this.status.failed("outdated", ""));
  }

  keep(allowed) {
    this.keepable = allowed;
    if (allowed !== null && this.state === "live") this.life.post({ kind: "keep", allowed });
  }

  keepMoves(which) {
    const moves = this.link?.moves(which) ?? {};
    if (Object.keys(moves).length) this.controls = { ...this.controls, ...moves };
  }

  stop() {
    this.life?.end();
    this.life = null;
    this.link?.close();
    this.root?.remove();
    this.root = null;
  }

  restart() {
    if (this.state === "live") this.keepMoves();
    this.stop();
    this.start();
  }

  // Everything is forgotten, by the worker that is and by any that comes after it.
  reset() {
    this.controls = null;
    if (this.resume !== null) this.resume = "";
    this.commands = [];
    if (this.state === "failed") return;
    this.forgetting = true;
    this.command("reset", {});
  }

  // `message` is an object, or a function that makes it when its turn comes.
  command(act, message) {
    this.commands.push([act, typeof message === "function" ? message : () => message]);
    this.pump();
  }
}

// Starts the bench in `container`. Options: lesson (what lesson.json holds), trail (a function that returns what is to be
// kept, or null), controls of a former visit (or null), link (the state
// asked for, or null), scheme ("light" or "dark"), and callbacks: onState(state, detail) with state "loading", "live" or
// "failed", which the container's data-bench-state carries too; onProgress({stage, label, fraction});
// onReadout({seq, controls, readout}); onGrade(grade, trail); onNotice(sentence). They may be called at once.
export function startBench(options) {
  const runtime = new BenchRuntime(options);
  return {
    get state() {
      return runtime.state;
    },
    // To the state a link asks for.
    visit(link) {
      if (runtime.state === "failed") runtime.asked = link;
      else runtime.command("link", { link });
    },
    settled(seq) {
      if (seq === runtime.lastSeq && runtime.state === "live") runtime.command("settled", { seq });
    },
    answer: (question, response) => runtime.command("answer", { question, response }),
    reset: () => runtime.reset(),
    retell: () => runtime.command("trail", () => ({ trail: runtime.options.trail() })),
    setScheme(scheme) {
      runtime.scheme = scheme;
      if (runtime.state !== "failed") runtime.command("scheme", { scheme });
    },
    restart: () => runtime.restart(),
  };
}
