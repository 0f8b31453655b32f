// The words of the page's language, which the page brings (src/ferrolab/words has the files): say(KEY, {placeholders}).
// A text with plural forms is chosen by the placeholder `count`.

const words = JSON.parse(document.getElementById("words-data").textContent);

export const { language } = words;

// What the worker's bench and session say; only a lesson's page has it.
export const benchWords = words.bench ?? null;

const plural = new Intl.PluralRules(language);

export function say(key, values = {}) {
  const text = words.script[key];
  const form = typeof text === "string" ? text : (text[plural.select(values.count)] ?? text.other);
  return form.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}

// A number with `digits` decimals and the language's own mark before them; no groups.
export const number = (value, digits) => value.toFixed(digits).replace(".", words.numbers.decimal);
