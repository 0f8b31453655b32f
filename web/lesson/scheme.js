// Light or dark, before the first paint: the learner's choice when there is one, else what the system prefers.
// A classic script in the head, so that the page never flashes. Tells the page through the event "ferrolab:scheme".
(() => {
  const KEY = "ferrolab:scheme";
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const kept = () => {
    try {
      const value = localStorage.getItem(KEY);
      return value === "light" || value === "dark" ? value : null;
    } catch {
      return null; // storage may be refused; the system's preference stands
    }
  };
  const current = () => root.dataset.scheme ?? (system.matches ? "dark" : "light");
  const tell = () => document.dispatchEvent(new CustomEvent("ferrolab:scheme", { detail: current() }));

  root.classList.add("scripted"); // what only stands in for the bench need not show
  const choice = kept();
  if (choice) root.dataset.scheme = choice;

  document.addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("scheme");
    if (!button) return;
    const label = () => {
      const dark = current() === "dark"; // the page brings the words on the button
      button.textContent = dark ? button.dataset.light : button.dataset.dark;
      button.setAttribute("aria-label", dark ? button.dataset.toLight : button.dataset.toDark);
    };
    button.hidden = false;
    label();
    button.addEventListener("click", () => {
      root.dataset.scheme = current() === "dark" ? "light" : "dark";
      try {
        localStorage.setItem(KEY, root.dataset.scheme);
      } catch {
        // not kept, still switched
      }
      label();
      tell();
    });
    system.addEventListener("change", () => {
      label();
      tell();
    });
  });
})();
