// Keeps the site for visits without a network, once the page has what it needs itself. Named by pages of a built
// site alone (see publish.py): a course's package and an author's preview leave nothing in the browser.
// Where there is no service worker to be had (a private window, a plain http address) nothing happens.

const home = new URL("../", import.meta.url);
const assets = import.meta.url.split("/").at(-2);

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

async function keep() {
  const { serviceWorker } = navigator;
  serviceWorker.addEventListener("message", ({ data, ports }) => data?.kind === "which" && ports[0].postMessage(assets));
  serviceWorker.startMessages();
  await settled();
  const registration = await serviceWorker.register(new URL("sw.js", home));
  (await serviceWorker.ready).active.postMessage({ kind: "hello" });
  return registration;
}

if (navigator.serviceWorker) keep().catch((error) => console.info("This site is not kept for offline use:", error.message));
