// When has a readout been looked at? When it stood unchanged for 600 ms while the page was visible, the bench in view
// and unlocked. Each readout is reported at most once.

const DELAY = 600; // ms
const TICK = 100; // ms between two looks at the clock
const MOST = 150; // ms a tick may count for: the time of a page that was suspended is nobody's looking
const ENOUGH = 200; // px of the bench that must show, or half of it when it is smaller

export class Settle {
  #timer = null;
  #pending = null; // the sequence number on the screen, not yet reported
  #looked = 0; // ms it has been looked at
  #last = 0; // when that was last counted
  #inView = false;
  #counts = false; // whether looking counts at all: predicted, and the bench is live
  #onSettled;

  constructor(host, onSettled) {
    this.#onSettled = onSettled;
    const thresholds = Array.from({ length: 41 }, (_, i) => i / 40);
    new IntersectionObserver(
      (entries) => {
        const { intersectionRect, boundingClientRect } = entries[entries.length - 1];
        this.#inView = boundingClientRect.height > 0 && intersectionRect.height >= Math.min(ENOUGH, boundingClientRect.height / 2);
        this.#restart();
      },
      { threshold: thresholds },
    ).observe(host);
    for (const change of ["visibilitychange", "freeze", "resume"]) document.addEventListener(change, () => this.#begin());
    for (const change of ["pagehide", "pageshow"]) addEventListener(change, () => this.#begin());
  }

  set counts(value) {
    this.#counts = value;
    this.#restart();
  }

  // A new readout is on the screen; null when the bench is gone.
  show(seq) {
    this.#pending = seq;
    this.#begin();
  }

  get #holds() {
    return this.#pending !== null && this.#counts && this.#inView && document.visibilityState === "visible";
  }

  // Whatever was looked at has to be looked at anew.
  #begin() {
    this.#stop();
    this.#restart();
  }

  #stop() {
    clearInterval(this.#timer);
    this.#timer = null;
  }

  // The clock runs exactly while everything holds; it starts from nought when something ceased to.
  #restart() {
    if (!this.#holds) this.#stop();
    else if (this.#timer === null) {
      this.#looked = 0;
      this.#last = performance.now();
      this.#timer = setInterval(() => this.#tick(), TICK);
    }
  }

  #tick() {
    const now = performance.now();
    this.#looked += Math.min(now - this.#last, MOST);
    this.#last = now;
    if (this.#looked < DELAY) return;
    const seq = this.#pending;
    this.#stop();
    this.#pending = null;
    this.#onSettled(seq);
  }
}
