// Says so when the page's own scripts do not come: where a module is refused, or hangs, nothing else is there to speak.
// A classic script in the head that needs nothing but itself; the words stand in the page.
(() => {
  const PATIENCE_MS = 8000;
  const nameOf = (url) => url.split("/").at(-1).split("?")[0];
  const came = ({ responseStatus }) => responseStatus !== 0 && !(responseStatus >= 400);

  // Once the lesson's script runs, it has put its own status there (see bench-status.js).
  const isUp = () => document.querySelector("#bench .bench-status:not(.bench-guard)") !== null;

  function element(tag, className, text) {
    const made = document.createElement(tag);
    made.className = className;
    made.textContent = text;
    return made;
  }

  function tell(heading, sentence, way) {
    const host = document.getElementById("bench");
    if (!host || isUp()) return;
    const alert = element("div", "bench-status-text bench-status-failed", "");
    alert.setAttribute("role", "alert");
    alert.append(element("p", "bench-status-heading", heading), element("p", "bench-status-sentence", sentence));
    const box = element("div", "bench-status bench-guard", "");
    box.append(alert, way);
    host.querySelector(".bench-guard")?.remove();
    host.prepend(box);
  }

  function act(fault, late) {
    if (!document.getElementById("bench") || isUp()) return;
    const words = JSON.parse(document.getElementById("words-data").textContent).script;
    const say = (key) => words[key].replace(/\{\w+\}/, fault);
    const state = document.getElementById("bench-state");
    if (self.origin === "null") {
      const way = element("a", "", say("open_alone"));
      Object.assign(way, { href: location.href, target: "_blank", rel: "noopener" });
      tell(say("failed_heading"), say("failed_frame"), way);
    } else {
      const way = element("button", "", say("load_again"));
      way.type = "button";
      way.addEventListener("click", () => location.reload());
      if (late) tell(say("starting_heading"), say("slow_script"), way);
      else tell(say("failed_heading"), say("failed_script"), way);
    }
    if (late) return;
    state.dataset.state = "failed";
    state.querySelector("span").textContent = say("bench_failed");
  }

  // The text is there before its modules are waited for; DOMContentLoaded comes only after them.
  const ready = new Promise((resolve) => document.addEventListener("readystatechange", resolve, { once: true }));
  const scripts = () => performance.getEntriesByType("resource").filter(({ name }) => name.endsWith(".js"));
  const module = () => document.querySelector('script[type="module"][src$="/lesson.js"]');

  // The error is that of the script in the page; the file at fault may be one that it imports.
  async function onError({ target }) {
    if (!(target instanceof HTMLScriptElement) || !target.src.endsWith("/lesson.js")) return;
    await ready;
    act(nameOf(scripts().find((entry) => !came(entry))?.name ?? target.src), false);
  }

  addEventListener("error", onError, true);
  setTimeout(() => ready.then(() => module() && act(nameOf(module().src), true)), PATIENCE_MS);
})();
