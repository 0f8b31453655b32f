// The retrieval questions: answered on the spot, explained either way, and open to another try.

import { say } from "../words.js";
import { isRight, readNumber } from "./score.js";

export function wireQuestions(lesson, onAnswer) {
  for (const form of document.querySelectorAll("[data-question]")) {
    const question = lesson.questions.find(({ id }) => id === form.dataset.question);
    wireQuestion(form, question, (response, right) => onAnswer(question.id, response, right));
  }
}

// Show the answers that were kept.
export function restoreQuestions(lesson, progress) {
  for (const form of document.querySelectorAll("[data-question]")) {
    const question = lesson.questions.find(({ id }) => id === form.dataset.question);
    const kept = progress.answers[question.id];
    if (!kept) continue;
    restore(form, question, kept.response);
    show(form, isRight(question, kept.response));
  }
}

// One question's form: judged on the spot, explained either way.
export function wireQuestion(form, question, onAnswer) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const response = responseOf(form, question);
    if (response === null) return;
    const right = isRight(question, response);
    show(form, right);
    onAnswer(response, right);
  });
  form.addEventListener("input", () => clear(form));
}

export function clearQuestions() {
  for (const form of document.querySelectorAll("[data-question]")) {
    form.reset();
    clear(form);
  }
}

function responseOf(form, question) {
  const verdict = form.querySelector(".verdict");
  const text = String(new FormData(form).get(question.kind === "choice" ? `question-${question.id}` : "response") ?? "").trim();
  const complain = (sentence) => {
    verdict.textContent = sentence;
    verdict.className = "verdict";
    form.querySelector("input").focus();
    return null;
  };
  if (!text) return complain(question.kind === "choice" ? say("choose_first") : say("type_first"));
  if (question.kind !== "numeric") return text;
  const number = readNumber(text);
  return number === null || !Number.isFinite(number) ? complain(say("type_number")) : number;
}

function restore(form, question, response) {
  if (question.kind === "choice") {
    for (const input of form.querySelectorAll("input")) input.checked = input.value === response;
  } else {
    form.elements.response.value = String(response);
  }
}

function show(form, right) {
  const verdict = form.querySelector(".verdict");
  verdict.textContent = right ? say("right") : say("wrong");
  verdict.className = `verdict ${right ? "is-right" : "is-wrong"}`;
  form.querySelector(".explanation.right").hidden = !right;
  form.querySelector(".explanation.wrong").hidden = right;
}

function clear(form) {
  form.querySelector(".verdict").textContent = "";
  for (const explanation of form.querySelectorAll(".explanation")) explanation.hidden = true;
}
