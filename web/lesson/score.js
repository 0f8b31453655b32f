// Is an answer right? The same rules stand in src/ferrolab/lesson/score.py; a test holds the two together.

const ROUNDING = 1e-9; // so that 0.55 is within 0.05 of 0.5
const ARTICLES = new Set(["a", "an", "the"]);

export function words(text) {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/["'\u2018\u2019\u201c\u201d.,;:!?()]/g, " ")
    .split(/\s+/)
    .filter((word) => word && !ARTICLES.has(word));
}

function contains(given, form) {
  if (form.length === 0) return false;
  for (let i = 0; i + form.length <= given.length; i += 1) {
    if (form.every((word, j) => given[i + j] === word)) return true;
  }
  return false;
}

export function isRight(question, response) {
  if (question.kind === "choice") return question.choices.some((choice) => choice.correct === true && choice.id === response);
  if (question.kind === "numeric") {
    return Number.isFinite(response) && Math.abs(response - question.answer) <= question.tolerance * (1 + ROUNDING);
  }
  if (typeof response !== "string") return false;
  const given = words(response);
  return question.accept.some((form) => contains(given, words(form)));
}

// A number as a person types it: 0.5, 0,5, 1/2, 4.55e1, 4.55 × 10^1. Null when it is none.
export function readNumber(text) {
  const plain = text
    .trim()
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/\s*[×x*]\s*10\s*\^?\s*([-+]?\d+)$/, "e$1")
    .replace(/^([-+]?\d+),(\d+)/, "$1.$2");
  const fraction = /^([-+]?\d+(?:\.\d+)?)\s*\/\s*(\d+(?:\.\d+)?)$/.exec(plain);
  if (fraction) return Number(fraction[2]) === 0 ? null : Number(fraction[1]) / Number(fraction[2]);
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(plain) ? Number(plain) : null;
}
