// The service worker of one built site: after the first visit the site works without a network.
// `ferrolab build` puts the site's own list in place of null and the result at the site's root; a page that no build
// made (a course's package, an author's preview) has none.
//
// Files under a hashed name never change: they come from the cache, once their content has been held to the list.
// Pages come from the network as long as it answers, so a new deployment is seen at the next load; a page names its
// files by hash, so old and new never mix. What no open page needs any more is deleted, of this site alone.

const SITE = null; // { version, assets, pages: [path], files: {path: sha256}, install: [path of a file] }

const HOME = new URL("./", self.location).href;
const PATH = new URL(HOME).pathname;
const FILES = `ferrolab files ${PATH}`;
const PAGES = `ferrolab pages ${PATH} ${SITE.version}`;
const LIST = new URL("kept-version.json", HOME).href; // what a version consists of, kept beside its pages
const HASH = "x-ferrolab-sha256";
const PATIENCE_MS = 4000; // a network slower than this gives way to the kept page
const ANSWER_MS = 3000; // an open page that is suspended does not answer

const address = (path) => new URL(path, HOME).href;
const open = (name) => caches.open(name);

async function sha256(body) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", await body.arrayBuffer()));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// The answer in the cache under `url`, or null when there is none or it is not what was put there.
async function intact(cache, url, expected) {
  const kept = await cache.match(url, { ignoreVary: true });
  if (!kept) return null;
  const wanted = expected ?? kept.headers.get(HASH);
  if (wanted && (await sha256(kept.clone())) === wanted) return kept;
  await cache.delete(url, { ignoreVary: true });
  return null;
}

// `answer` with its own hash, as it is kept: decoded, and no longer the result of a redirect.
function sealed(answer, hash) {
  const headers = new Headers(answer.headers);
  for (const name of ["content-encoding", "content-length", "vary"]) headers.delete(name);
  headers.set(HASH, hash);
  return new Response(answer.body, { headers });
}

// Fetches a file of this version into the cache; the browser's own cache may have it, right or wrong.
async function fetchFile(cache, path) {
  for (const mode of ["force-cache", "reload"]) {
    const answer = await fetch(address(path), { cache: mode });
    if (answer.ok && (await sha256(answer.clone())) === SITE.files[path]) {
      await cache.put(address(path), sealed(answer.clone(), SITE.files[path]));
      return answer;
    }
  }
  throw new Error(`${path} is not the file of version ${SITE.version}`);
}

async function fetchPage(cache, path) {
  const answer = await fetch(address(path), { cache: "no-cache" });
  if (!answer.ok) throw new Error(`${path}: status ${answer.status}`);
  const text = await answer.clone().text();
  // A host may have touched the page; but it must be of this version.
  if (/<html/i.test(text) && !text.includes(SITE.assets)) throw new Error(`${path} is of another version`);
  await cache.put(address(path), sealed(answer.clone(), await sha256(answer)));
}

async function install() {
  const [files, pages] = await Promise.all([open(FILES), open(PAGES)]);
  for (const path of SITE.install) if (!(await intact(files, address(path), SITE.files[path]))) await fetchFile(files, path);
  for (const path of SITE.pages) await fetchPage(pages, path);
  await pages.put(LIST, new Response(JSON.stringify({ assets: SITE.assets, files: Object.keys(SITE.files) })));
  await self.skipWaiting();
}

// Which assets each open page of this site uses; null for one that does not say.
async function inUse() {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const ours = windows.filter(({ url }) => url.startsWith(HOME));
  return Promise.all(
    ours.map(
      (client) =>
        new Promise((resolve) => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = ({ data }) => resolve(data);
          setTimeout(resolve, ANSWER_MS, null);
          client.postMessage({ kind: "which" }, [port2]);
        }),
    ),
  );
}

async function cleanUp() {
  const used = await inUse();
  const needed = new Set(Object.keys(SITE.files));
  for (const name of await caches.keys()) {
    const [maker, kind, path, version] = name.split(" ");
    if (maker !== "ferrolab" || kind !== "pages" || path !== PATH || version === SITE.version) continue;
    const list = await (await (await open(name)).match(LIST))?.json().catch(() => null);
    if (list && used.some((assets) => assets === null || assets === list.assets)) list.files.forEach((file) => needed.add(file));
    else await caches.delete(name);
  }
  const files = await open(FILES);
  for (const { url } of await files.keys()) if (!needed.has(url.slice(HOME.length))) await files.delete(url, { ignoreVary: true });
}

async function activate() {
  await self.clients.claim();
  await cleanUp();
}

async function answerFile(request) {
  const path = request.url.slice(HOME.length);
  const files = await open(FILES);
  const kept = await intact(files, request.url, SITE.files[path]);
  if (kept) return kept;
  // An open page of an older version asks for files this version does not know; they are let through.
  return path in SITE.files ? fetchFile(files, path).catch(() => fetch(request)) : fetch(request);
}

async function keptPage(path) {
  const pages = await open(PAGES);
  const kept = await intact(pages, address(path));
  if (kept || !SITE.pages.includes(`${path}/index.html`)) return kept;
  return Response.redirect(`${address(path)}/`); // its addresses are relative to the folder
}

async function answerPage(request, path) {
  const asked = fetch(request, { cache: "no-cache" }); // a host may let browsers keep its pages for a while
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS, null));
  const answer = await Promise.race([asked, late]).catch(() => null);
  if (answer && answer.status < 500) return answer;
  return (await keptPage(path)) ?? answer ?? asked;
}

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("message", (event) => event.data?.kind === "hello" && event.waitUntil(cleanUp()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(HOME)) return;
  const path = new URL(request.url).pathname.slice(PATH.length);
  if (/-[0-9a-f]{16}(\/|\.\w+$)/.test(path)) return event.respondWith(answerFile(request));
  const page = path === "" || path.endsWith("/") ? `${path}index.html` : path;
  if (request.mode === "navigate" || SITE.pages.includes(page)) event.respondWith(answerPage(request, page));
});
