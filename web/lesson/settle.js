// When has a readout been looked at? When it stood unchanged for 600 ms while the page was visible, the bench in view
// and unlocked. Each readout is reported at most once.

const DELAY = 600; // ms
const ENOUGH = 200; // px of the bench that must show, or half of it when it is smaller

export class Settle {
  #timer = null;
  #pending = null; // the sequence number on the screen, not yet reported
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
    document.addEventListener("visibilitychange", () => this.#restart());
  }

  set counts(value) {
    this.#counts = value;
    this.#restart();
  }

  // A new readout is on the screen; null when the bench is gone.
  show(seq) {
    this.#pending = seq;
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#restart();
  }

  get #holds() {
    return this.#pending !== null && this.#counts && this.#inView && document.visibilityState === "visible";
  }

  // The clock runs exactly while everything holds; it starts from nought when something ceased to.
  #restart() {
    if (!this.#holds) {
      clearTimeout(this.#timer);
      this.#timer = null;
    } else if (this.#timer === null) {
      this.#timer = setTimeout(() => {
        const seq = this.#pending;
        this.#timer = null;
        this.#pending = null;
        this.#onSettled(seq);
      }, DELAY);
    }
  }
}
