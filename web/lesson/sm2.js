// When does a question come back? The algorithm SM-2 as P. A. Wozniak published it ("Optimization of learning", 1990):
// the first interval is one day, the second six, then each is the one before times an easiness factor, which moves with
// the quality (0 to 5) of the recall and is never below 1.3. A recall of quality below 3 starts the item again and
// leaves its factor. Days are counted in whole numbers; an interval with a fraction is rounded up.

const FIRST = 1;
const SECOND = 6;
const EASINESS = 2.5;
const LEAST_EASINESS = 1.3;
const PASSING = 3;

export const newCard = () => ({ repetitions: 0, easiness: EASINESS, interval: 0, due: 0 });

// The card after a recall of `quality` on day `today` (a whole number of days).
export function review(card, quality, today) {
  if (quality < PASSING) return { ...card, repetitions: 0, interval: FIRST, due: today + FIRST };
  const repetitions = card.repetitions + 1;
  const interval = repetitions === 1 ? FIRST : repetitions === 2 ? SECOND : Math.ceil(card.interval * card.easiness);
  const missing = 5 - quality;
  const easiness = Math.max(LEAST_EASINESS, card.easiness + 0.1 - missing * (0.08 + missing * 0.02));
  return { repetitions, easiness, interval, due: today + interval };
}
