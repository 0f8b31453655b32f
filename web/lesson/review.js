// The questions that are due, one at a time, on the list of lessons. A question's words come from its lesson's own
// files and are asked for when it is due.

import { say } from "../words.js";
import { wireQuestion } from "./questions.js";
import { Retrieval } from "./retrieval.js";

const byId = (id) => document.getElementById(id);

const days = (n) => (n <= 0 ? say("today") : n === 1 ? say("tomorrow") : say("in_days", { count: n }));

async function load(base, slug, question) {
  const home = `${base}lessons/${slug}/`;
  const [page, data] = await Promise.all([fetch(`${home}questions.html`), fetch(`${home}lesson.json`)]);
  if (!page.ok || !data.ok) throw new Error(`${slug}: ${page.status}, ${data.status}`);
  const lesson = await data.json();
  const parsed = new DOMParser().parseFromString(await page.text(), "text/html");
  const form = parsed.querySelector(`[data-question="${CSS.escape(question)}"]`);
  form.lang = lesson.language;
  return { form: document.importNode(form, true), question: lesson.questions.find(({ id }) => id === question), title: lesson.title };
}

// `lessons` is what the page's lessons-data holds.
export function wireReview(lessons, base, retrieval = new Retrieval()) {
  const known = Object.fromEntries(lessons.map(({ slug, question_ids }) => [slug, question_ids]));
  const section = byId("review");
  const tell = (sentence) => (byId("review-said").textContent = sentence);

  function rest() {
    const next = retrieval.next(known);
    section.hidden = next === null;
    byId("review-place").replaceChildren();
    byId("review-next").hidden = true;
    tell(next === null ? "" : say("none_due", { when: days(next) }));
  }

  async function show() {
    const due = retrieval.due(known);
    if (due.length === 0) return rest();
    section.hidden = false;
    byId("review-next").hidden = true;
    tell(say("due", { count: due.length }));
    const [{ slug, question: id }] = due;
    try {
      const { form, question, title } = await load(base, slug, id);
      form.querySelector(".number")?.remove();
      const from = Object.assign(document.createElement("p"), { className: "kicker", textContent: title });
      byId("review-place").replaceChildren(from, form);
      wireQuestion(form, question, (response, right) => {
        const comes = days(retrieval.answered(slug, id, right));
        const left = retrieval.due(known).length;
        tell(`${say("comes_back", { when: comes })} ${left === 0 ? say("last_for_today") : say("more_due", { count: left })}`);
        byId("review-next").hidden = left === 0;
      });
    } catch {
      tell(say("question_not_loaded"));
    }
  }

  byId("review-next").addEventListener("click", async () => {
    await show();
    byId("review-place").querySelector("input")?.focus();
  });
  show();
}
