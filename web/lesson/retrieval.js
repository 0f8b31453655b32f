// Which questions come back, and when: kept in this browser under one key, for all lessons together.

import { newCard, review } from "./sm2.js";

const KEY = "ferrolab:retrieval";
const VERSION = 1;
const RIGHT = 4; // SM-2's "correct after a hesitation": the page cannot tell more
const WRONG = 2; // "incorrect, but the right answer seemed easy to recall" once it is shown

const DAY_MS = 86_400_000;

// Days since 1970 by the clock of the place: a question due tomorrow is due after midnight here.
export function dayOf(date) {
  return Math.floor((date.getTime() - date.getTimezoneOffset() * 60_000) / DAY_MS);
}

const isCard = (card) =>
  typeof card === "object" && card !== null &&
  ["repetitions", "easiness", "interval", "due"].every((key) => Number.isFinite(card[key]) && card[key] >= 0 && card[key] < 1e6);

const idOf = (slug, question) => `${slug}/${question}`;

export class Retrieval {
  #now;

  constructor(now = () => new Date()) {
    this.#now = now;
  }

  // Anything may stand in a browser's storage: what is no card is left out, and comes back with the next answer.
  get #cards() {
    try {
      const kept = JSON.parse(localStorage.getItem(KEY));
      if (kept?.version !== VERSION || typeof kept.cards !== "object" || kept.cards === null) return {};
      return Object.fromEntries(Object.entries(kept.cards).filter(([, card]) => isCard(card)));
    } catch {
      return {};
    }
  }

  #keep(cards) {
    try {
      localStorage.setItem(KEY, JSON.stringify({ version: VERSION, cards }));
    } catch {
      // a browser that keeps nothing asks nothing again
    }
  }

  // An answer counts once it is due: trying again the same day moves nothing. Returns in how many days it comes back.
  answered(slug, question, right) {
    const cards = this.#cards;
    const id = idOf(slug, question);
    const today = dayOf(this.#now());
    const card = cards[id] ?? newCard();
    if (!cards[id] || card.due <= today) {
      cards[id] = review(card, right ? RIGHT : WRONG, today);
      this.#keep(cards);
    }
    return (cards[id] ?? card).due - today;
  }

  forget(slug) {
    this.#keep(Object.fromEntries(Object.entries(this.#cards).filter(([id]) => !id.startsWith(`${slug}/`))));
  }

  // [{slug, question}] of the lessons in `known` (slug -> question ids), the longest due first.
  due(known) {
    const today = dayOf(this.#now());
    return this.#of(known)
      .filter(({ due }) => due <= today)
      .sort((a, b) => a.due - b.due);
  }

  // In how many days the next question comes back, or null when none does.
  next(known) {
    const days = this.#of(known).map(({ due }) => due - dayOf(this.#now()));
    return days.length ? Math.max(0, Math.min(...days)) : null;
  }

  #of(known) {
    const cards = this.#cards;
    return Object.entries(known).flatMap(([slug, questions]) =>
      questions.filter((question) => cards[idOf(slug, question)]).map((question) => ({ slug, question, due: cards[idOf(slug, question)].due })),
    );
  }
}
