// Keeps the site for visits without a network, once the page has what it needs itself. Named by pages of a built
// site alone (see publish.py): a course's package and an author's preview leave nothing in the browser.
// Where there is no service worker to be had (a private window, a plain http address) nothing happens.

import { assets } from "./published.js";

const home = new URL("../", import.meta.url);

// The page's own files come first.
function settled() {
  const bench = document.getElementById("bench");
  if (!bench) return new Promise((resolve) => setTimeout(resolve, 1000));
  return new Promise((resolve) => {
    const look = () => bench.dataset.benchState === "live" && resolve();
    new MutationObserver(look).observe(bench, { attributes: true, attributeFilter: ["data-bench-state"] });
    look();
  });
}

const active = (worker) =>
  new Promise((resolve) => {
    const look = () => ["activated", "redundant"].includes(worker.state) && resolve();
    worker.addEventListener("statechange", look);
    look();
  });

// Whether the service worker of this deployment keeps the site.
async function keep() {
  const serviceWorker = self.origin === "null" ? undefined : navigator.serviceWorker; // a sandboxed frame may not even ask
  serviceWorker?.addEventListener("message", ({ data, ports }) => data?.kind === "which" && ports[0].postMessage(assets));
  serviceWorker?.startMessages();
  await settled();
  try {
    const registration = await serviceWorker.register(new URL("sw.js", home));
    await registration.update().catch(() => {}); // no network: the one there is will do
    const next = registration.installing ?? registration.waiting;
    if (next) await active(next); // an older one would take what this page keeps for a leftover
    registration.active.postMessage({ kind: "hello" });
    return true;
  } catch (error) {
    console.info("This site is not kept for offline use:", error.message);
    return false;
  }
}

document.dispatchEvent(new CustomEvent("ferrolab:keep", { detail: await keep() }));
