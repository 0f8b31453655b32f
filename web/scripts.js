// The page's classic scripts: Bokeh's own, then the views of the bench's models.

const SCRIPTS = ["bokeh.min.js", "models.js"];

const pending = new Set();

// The names of those that were asked for and have not come.
export const missingScripts = () => [...pending];

let scripts = null; // loaded once for all benches of the page

export function loadScripts() {
  scripts ??= Promise.all(
    SCRIPTS.map(
      (name) =>
        new Promise((resolve, reject) => {
          const script = document.createElement("script");
          script.src = new URL(name, import.meta.url);
          script.async = false; // run in this order
          pending.add(name);
          script.onload = () => {
            pending.delete(name);
            resolve();
          };
          script.onerror = () => {
            pending.delete(name);
            scripts = null;
            script.remove();
            reject(Object.assign(new Error(`${name} did not load`), { cause: "network", subject: name }));
          };
          document.head.append(script);
        }),
    ),
  );
  return scripts;
}
