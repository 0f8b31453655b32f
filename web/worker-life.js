// The life of one worker, as the page can know it. It has ended for certain when the lock it holds is free (the browser
// frees it however the worker ends) or, where pages have no locks, when it takes no message and answers no call.
// Everything else is only slowness, which is told and never punished: Python may compute for as long as it needs.

const TICK_MS = 500;
const MOST_MS = 1000; // a tick counts for no more: the clock of a page that slept says nothing about its worker
const SLOW_LOADING_MS = 8000; // no file came, no stage was reached
const SLOW_LIVE_MS = 30_000; // one turn, of a worker that is known to live
const SLOW_UNSURE_MS = 8000; // one turn, of a worker that may have ended
const DEAF_MS = 6000; // an idle worker answers a call at once
const CALL_MS = 2000;
const SILENT_LOADING_MS = 60_000; // a slow phone imports for about 20 s without a word

let count = 0;

export class WorkerLife {
  // Calls onMessage(data), onDeath(cause, subject, detail), and onSlow(names of the files it waits for, or null when it
  // goes on). It never calls anything after end().
  constructor(url, { onMessage, onDeath, onSlow }) {
    this.over = false;
    this.loading = true;
    this.waiting = false; // for the end of a turn
    this.taken = false; // the turn has reached the worker
    this.sure = false; // the lock tells
    this.slow = false;
    this.files = [];
    this.quiet = this.still = 0; // ms since the last word, and since the last sign of progress
    this.onDeath = onDeath;
    this.onSlow = onSlow;
    this.release = new AbortController();
    this.worker = new Worker(url, { type: "module", name: `ferrolab-worker-${Date.now()}-${(count += 1)}-${Math.random()}` });
    this.worker.onmessage = ({ data }) => {
      if (this.over) return;
      this.quiet = 0;
      if (data.kind === "holds") return this.watchLock(data.lock);
      if (data.kind === "alive") return this.setFiles(data.files ?? []);
      if (data.kind === "taken") return (this.taken = true);
      onMessage(data);
    };
    this.worker.onerror = (event) => {
      event.preventDefault();
      const cause = !this.loading ? "page" : self.origin === "null" ? "frame" : "network";
      this.die(cause, "worker.js", event.message ?? "the worker did not load");
    };
    this.worker.onmessageerror = () => this.die("page", "a message could not be read");
    this.timer = setInterval(() => this.tick(), TICK_MS);
    this.last = performance.now();
  }

  post(message) {
    this.worker.postMessage(message);
  }

  // A turn is on its way; opened() and answered() end the loading and the turn.
  turn(message) {
    this.waiting = true;
    this.taken = false;
    this.progressed();
    this.post(message);
  }

  opened() {
    this.loading = false;
    this.progressed();
  }

  answered() {
    this.waiting = false;
    this.progressed();
  }

  progressed() {
    this.still = 0;
    if (!this.slow || this.over) return;
    this.slow = false;
    this.onSlow(null);
  }

  end() {
    this.over = true;
    clearInterval(this.timer);
    this.release.abort();
    this.worker.terminate();
  }

  die(cause, subject, detail) {
    if (!this.over) this.onDeath(cause, subject, detail);
  }

  setFiles(files) {
    if (files.length < this.files.length) this.progressed();
    const told = this.slow && this.loading && files.join() !== this.files.join();
    this.files = files;
    if (told) this.onSlow(files);
  }

  // Whoever asks for a lock that is held gets it when its holder is gone.
  watchLock(name) {
    if (!navigator.locks) return;
    this.sure = true;
    navigator.locks.request(name, { signal: this.release.signal }, () => this.die("silent", "")).catch(() => (this.sure = false));
  }

  tick() {
    const now = performance.now();
    const passed = Math.min(now - this.last, MOST_MS);
    this.last = now;
    if (this.over) return;
    this.quiet += passed;
    this.still += passed;
    if (!this.sure) this.listen();
    const patience = this.loading ? SLOW_LOADING_MS : this.sure ? SLOW_LIVE_MS : SLOW_UNSURE_MS;
    if (this.over || this.slow || this.still < patience || !(this.loading || this.waiting)) return;
    this.slow = true;
    this.onSlow(this.loading ? this.files : []);
  }

  listen() {
    const busy = this.waiting && this.taken;
    if (this.loading ? this.quiet > SILENT_LOADING_MS : !busy && this.quiet > DEAF_MS) return this.die("silent", "");
    if (!this.loading && !busy && this.quiet > CALL_MS) this.post({ kind: "call" });
  }
}
