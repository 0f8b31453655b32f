// Walks a lesson in Firefox as a learner does and prints what the page says at the end, as one line of JSON.
//
// usage: node walk.mjs '{"firefox": PATH, "address": URL, "slug": SLUG, "prediction": ID, "returns": true, "acts": [...]}'
// `returns` waits for the bench of a second visit too.
// An act sets controls and waits until that readout has been looked at, or answers a question:
//   {"set": [{"kind", "label", "value"}], "controls": {...}}    {"question", "kind", "response"}

import { createRequire } from "node:module";

const { default: puppeteer } = await import(createRequire(new URL("../../tools/package.json", import.meta.url)).resolve("puppeteer-core"));
const job = JSON.parse(process.argv[2]);
const LOOKED_AT_MS = 60_000;

const browser = await puppeteer.launch({ browser: "firefox", executablePath: job.firefox, headless: true });
const troubles = [];
try {
  console.log(JSON.stringify({ ...(await walk()), troubles }));
} catch (error) {
  console.log(JSON.stringify({ error: String(error.stack ?? error), troubles }));
} finally {
  await browser.close();
}

async function walk() {
  const page = await browser.newPage();
  page.setDefaultTimeout(LOOKED_AT_MS);
  page.on("console", (message) => message.type() === "error" && troubles.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => troubles.push(`uncaught: ${error.message}`));
  await page.setViewport({ width: 1440, height: 900 });
  await page.goto(`${job.address}lessons/${job.slug}/index.html`);
  await live(page);
  await press(page, `#predict-form input[value="${job.prediction}"]`);
  await press(page, "#predict-form button");
  for (const act of job.acts) await (act.set ? look(page, act) : answer(page, act));
  await page.waitForSelector("body.has-passed");
  await page.waitForFunction((slug) => JSON.parse(localStorage.getItem(`ferrolab:lesson:${slug}`))?.grade?.passed, {}, job.slug);
  const language = await page.$eval("html", (html) => html.lang);
  const truth = await page.$eval("#truth-answer", (answer) => !answer.hidden);
  const events = await page.evaluate((slug) => JSON.parse(localStorage.getItem(`ferrolab:lesson:${slug}`)).trail.events, job.slug);
  await page.reload();
  const afterwards = await page.$$eval("#checks li", (checks) => checks.every((check) => check.classList.contains("met")));
  if (job.returns) await live(page);
  await page.goto(`${job.address}index.html`);
  const card = await page.$eval(`[data-lesson="${job.slug}"]`, (item) => item.classList.contains("has-passed"));
  return { passed: true, language, truth, afterwards, card, events };
}

function live(page) {
  return page.waitForSelector('#bench[data-bench-state="live"]');
}

async function press(page, selector) {
  const element = await page.waitForSelector(selector);
  await element.scrollIntoView();
  await element.click();
}

async function look(page, { set, controls }) {
  await page.evaluate(() => scrollTo(0, 0));
  for (const { kind, label, value } of set) {
    const handle = await page.evaluateHandle(find, kind, label, value);
    if (!handle.asElement()) throw new Error(`the bench has no ${kind} ${label} ${value}`);
    if (kind === "slider") await slide(page, handle, value);
    else await handle.asElement().click();
  }
  await page.waitForFunction(
    (slug, wanted) => {
      const events = JSON.parse(localStorage.getItem(`ferrolab:lesson:${slug}`))?.trail?.events ?? [];
      const last = events.filter(({ kind }) => kind === "seen").at(-1);
      return last && Object.entries(wanted).every(([name, value]) => last.controls[name] === value);
    },
    {},
    job.slug,
    controls,
  );
}

// By the keyboard where that is near, else as a pointer leaves it.
async function slide(page, handle, value) {
  const from = await handle.evaluate((input) => input.valueAsNumber);
  const step = await handle.evaluate((input) => Number(input.step));
  const count = Math.round((value - from) / step);
  await handle.focus();
  if (Math.abs(count) <= 20) {
    for (let i = 0; i < Math.abs(count); i += 1) await page.keyboard.press(count > 0 ? "ArrowRight" : "ArrowLeft");
  } else {
    await handle.evaluate((input, to) => {
      input.value = to;
      input.dispatchEvent(new Event("input", { bubbles: true }));
    }, value);
  }
}

async function answer(page, { question, kind, response }) {
  const form = `[data-question="${question}"]`;
  if (kind === "choice") await press(page, `${form} input[value="${response}"]`);
  else {
    await page.$eval(`${form} input`, (input) => (input.value = ""));
    await page.type(`${form} input`, String(response));
  }
  await press(page, `${form} button`);
}

// A control of the bench by its kind and name, wherever the shadow roots hide it. Runs in the page.
function find(kind, label, value) {
  const all = (root, selector) => [
    ...root.querySelectorAll(selector),
    ...[...root.querySelectorAll("*")].flatMap((node) => (node.shadowRoot ? all(node.shadowRoot, selector) : [])),
  ];
  const bench = document.getElementById("bench");
  const named = (node) => node.getRootNode().getElementById(node.getAttribute("aria-labelledby"))?.textContent;
  if (kind === "slider") return all(bench, "input[type=range]").find((input) => [...input.labels].some((one) => one.textContent === label)) ?? null;
  if (kind === "toggle") return all(bench, "button[aria-pressed]").find((button) => button.textContent === label) ?? null;
  const group = all(bench, "[role=radiogroup]").find((one) => named(one) === label);
  return group?.querySelector(`input[value="${value}"]`) ?? null;
}
