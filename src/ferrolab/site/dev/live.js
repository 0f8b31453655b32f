// For authors, sent by `ferrolab serve --watch` alone and part of no built site: reloads the page when something was
// saved, and shows what `ferrolab check` has to say about the lesson.

const slug = document.querySelector("main[data-slug]")?.dataset.slug ?? document.body.dataset.brokenLesson ?? null;
// The version this page was made from: a save between the page and the first event must not be missed.
const version = Number(new URL(import.meta.url).searchParams.get("version"));

const element = (tag, text, style = "") => Object.assign(document.createElement(tag), { textContent: text, style });

const box = element("details", "", `position: fixed; left: 1rem; bottom: calc(1rem + var(--bar)); z-index: 40; max-width: min(44rem, calc(100vw - 2rem));
  max-height: 60vh; overflow: auto; background: var(--card); color: var(--ink); border: 1px solid var(--bad); border-radius: 8px;
  padding: 0.5rem 0.9rem; font: 14px/1.45 var(--sans); box-shadow: 0 4px 18px rgb(0 0 0 / 0.15);`);
box.id = "ferrolab-faults";
box.hidden = true;
box.setAttribute("role", "status");
document.body.append(box);

function showFaults(faults) {
  box.hidden = faults.length === 0;
  const count = `${faults.length} ${faults.length === 1 ? "fault" : "faults"}`;
  box.replaceChildren(element("summary", `ferrolab check: ${count}`, "cursor: pointer; font-weight: 600;"));
  for (const { file, line, code, message, fix } of faults) {
    const row = element("p", "", "margin: 0.5rem 0;");
    row.append(element("strong", `${code} ${file}${line ? `:${line}` : ""}`), element("br", ""), `${message} `, element("em", fix));
    box.append(row);
  }
}

new EventSource("/__ferrolab/events").onmessage = ({ data }) => {
  const told = JSON.parse(data);
  if (told.version !== version) return location.reload();
  if (!document.body.dataset.brokenLesson) showFaults(told.faults[slug] ?? []);
};
