// Brings Python up in the worker: from the memory snapshot when it is kept here or the link is fast, from the archives
// otherwise, and whenever the snapshot fails for any reason.

import { asked, culprit, download, home, module, NetworkError, readInto } from "./files.js";
import { drop, find, isIntact, keep } from "./kept.js";
import { restoring } from "./snapshot.js";
import { unpack, SITE_PACKAGES } from "./unpack.js";

const PROBE_MS = 300; // by then the link is known,
const PROBE_PART = 0.1; // or when so much of the snapshot has come
const HEADERS_MS = 3000; // a host that does not even begin to send it
const FAST_MS = 4000; // a snapshot that takes longer loses against the archives, which are half of it

const fast = (part, ms) => ms / part < FAST_MS;

const common = (manifest) => ({
  indexURL: new URL(`${manifest.core}/`, home).href,
  lockFileContents: { info: manifest.platform, packages: {} },
  env: manifest.env,
});

// Pyodide waits for ever for a WebAssembly that does not come or does not compile; here its end is told.
function load({ loadPyodide }, options) {
  const { instantiateStreaming } = WebAssembly;
  const failed = new Promise((_, reject) => {
    WebAssembly.instantiateStreaming = (...more) => {
      const made = instantiateStreaming.apply(WebAssembly, more);
      made.catch(reject);
      return made;
    };
  });
  return Promise.race([loadPyodide(options), failed]).finally(() => (WebAssembly.instantiateStreaming = instantiateStreaming));
}

// The core's scripts, asked for before anything needs them.
function core(manifest) {
  const folder = new URL(`${manifest.core}/`, home);
  asked.add(new URL("pyodide.asm.wasm", folder).href);
  const both = Promise.all([module("pyodide.mjs", folder), module("pyodide.asm.mjs", folder)]);
  both.catch(() => {}); // awaited where it is used
  return both;
}

// A snapshot on its way: {bytes, ready}, or null when it is not worth waiting for.
async function snapshotOnItsWay({ name, size, sha256 }, onBytes) {
  const url = new URL(name, home).href;
  const bytes = new Uint8Array(size);
  const checked = async () => {
    if (!(await isIntact(bytes, sha256))) throw new Error(`${name} is damaged`);
  };
  const kept = await find(url);
  if (kept) {
    const ready = readInto(bytes, kept, onBytes).then(checked);
    ready.catch(() => {}); // awaited when there is a Python to fill
    return { kept: true, bytes, ready };
  }
  const { saveData } = self.navigator.connection ?? {};
  if (saveData) return null;
  const stop = new AbortController();
  const late = setTimeout(() => stop.abort(), HEADERS_MS);
  const answer = await fetch(url, { signal: stop.signal }).catch(() => null);
  clearTimeout(late);
  if (!answer?.ok) return null; // if something is wrong, the archives will say what
  const begun = performance.now();
  return new Promise((resolve) => {
    let part = 0;
    const decide = (soon) => {
      clearTimeout(timer);
      if (!soon) stop.abort();
      resolve(soon ? { kept: false, bytes, ready } : null);
    };
    const timer = setTimeout(() => decide(part > 0 && fast(part, performance.now() - begun)), PROBE_MS);
    const ready = readInto(bytes, answer, (count, at) => {
      part = at / size;
      if (part >= PROBE_PART) decide(fast(part, performance.now() - begun));
      onBytes(count);
    }).then(checked);
    ready.catch(() => decide(false));
  });
}

async function fromSnapshot(manifest, scripts, { bytes, ready }) {
  const { libraries, memory } = manifest.snapshot;
  const [pyodideModule, { default: create }] = await scripts;
  const places = libraries.map(([path, name]) => [path, new URL(name, home).href]);
  for (const [, url] of places) asked.add(url);
  const options = common(manifest);
  // Pyodide lays a file down as its standard library before the memory says that all of it is there: any file will do.
  const pyodide = await load(pyodideModule, { ...options, stdLibURL: `${options.indexURL}pyodide.mjs`, ...restoring(create, places, memory, bytes, ready) });
  pyodide.pyimport("ferrolab.site.rest").wake(() => layDownRest(pyodide, manifest));
  return pyodide;
}

// An import that the snapshot does not know waits for its files: the worker has nothing else to do.
function layDownRest({ FS }, manifest) {
  const get = ({ name }) => {
    const request = new XMLHttpRequest();
    request.open("GET", new URL(name, home), false);
    request.responseType = "arraybuffer";
    request.send();
    if (request.status !== 200) throw new NetworkError(name, `status ${request.status}`);
    return new Uint8Array(request.response);
  };
  FS.writeFile(`/lib/python${manifest.platform.python.split(".").slice(0, 2).join("")}.zip`, get(manifest.stdlib));
  for (const file of manifest.archives) unpack(FS, get(file), SITE_PACKAGES);
}

async function fromArchives(manifest, scripts, onBytes) {
  const archives = manifest.archives.map(({ name, size }) => download(name, size, onBytes));
  for (const promise of archives) promise.catch(() => {}); // awaited below; a failure is told once
  const [pyodideModule] = await scripts;
  const stdLibURL = new URL(manifest.stdlib.name, home).href;
  asked.add(stdLibURL);
  const pyodide = await load(pyodideModule, { ...common(manifest), stdLibURL }).catch((error) => {
    const name = culprit(String(error?.message));
    throw name ? new NetworkError(name, error.message) : error;
  });
  for (const bytes of await Promise.all(archives)) unpack(pyodide.FS, bytes, SITE_PACKAGES);
  return pyodide;
}

// Python and how it came up: {pyodide, from, keep}. keep() is called in a quiet moment of a page whose site may be kept; it
// leaves what the next visit starts from and answers whether that is there.
//   plain       start from the archives, as the last start from the snapshot came to no good
//   onProgress  told the share that has come, 0 to 1
export async function bringUp(manifest, { plain, onProgress }) {
  const { snapshot } = manifest;
  const scripts = core(manifest);
  const told = (total) => {
    let arrived = 0;
    return (count) => onProgress(Math.min(1, (arrived += count) / total));
  };
  if (snapshot && !plain) {
    const coming = await snapshotOnItsWay(snapshot, told(snapshot.size)).catch(() => null); // the archives need nothing of it
    const url = new URL(snapshot.name, home).href;
    if (coming) {
      try {
        const pyodide = await fromSnapshot(manifest, scripts, coming);
        return { pyodide, from: "snapshot", keep: async () => coming.kept || keep(url, coming.bytes, snapshot.sha256) };
      } catch (error) {
        console.info("The memory snapshot cannot be used, so Python starts from its files:", error.message);
        await drop(url);
      }
    }
  }
  const pyodide = await fromArchives(manifest, scripts, told(manifest.archives.reduce((sum, { size }) => sum + size, 0)));
  return { pyodide, from: "archives", keep: () => keepForNextTime(manifest) };
}

// The snapshot, unless the reader asks to save data: then the archives, which have come already.
async function keepForNextTime({ snapshot, stdlib, archives }) {
  if (!snapshot) return false;
  const url = new URL(snapshot.name, home).href;
  if (await find(url)) return true;
  try {
    if (!self.navigator.connection?.saveData) {
      const bytes = await download(snapshot.name, snapshot.size, () => {}, { priority: "low" });
      return (await isIntact(bytes, snapshot.sha256)) && (await keep(url, bytes, snapshot.sha256));
    }
    for (const { name, size, sha256 } of [stdlib, ...archives]) {
      const bytes = await download(name, size, () => {}, { cache: "force-cache" });
      if (!(await isIntact(bytes, sha256)) || !(await keep(new URL(name, home).href, bytes, sha256))) return false;
    }
    return true;
  } catch {
    return false; // another visit will
  }
}
