// The module worker that runs Python for a lesson page: loads Pyodide and the archives from the site's own
// runtime/ folder, starts ferrolab.site.session.Session and carries its messages.
//
// page -> worker  {kind: "start", text}            once; text is JSON for Session.from_json
//                 {kind: "turn", turn, act, text}  act and text go to Session.receive
//                 {kind: "call"}                   answered by "alive"
// worker -> page  {kind: "holds", lock}            the name of a lock that is free again when this worker is no more
//                 {kind: "progress", stage, fraction}, {kind: "alive", files} while it loads; files: what has not come
//                 {kind: "taken"} at the start of a turn, which may take long
//                 {kind: "opened"} when the document, first readout and grade have been sent
//                 {kind: "said", what, text, buffers}   a message of the session; buffers: [[id, bytes], ...]
//                 {kind: "done", turn}
//                 {kind: "failed", cause: "network" | "python" | "wasm", subject, detail}

import { unpack, SITE_PACKAGES } from "./unpack.js";

const HEARTBEAT_MS = 1000;
const home = new URL("../runtime/", import.meta.url);
const post = (kind, more = {}, transfer = []) => self.postMessage({ kind, ...more }, transfer);

// Its name is that of a lock nobody else asks for but the page, to learn of this worker's end (see worker-life.js).
const held = () => (post("holds", { lock: self.name }), new Promise(() => {}));
self.navigator.locks?.request(self.name, held).catch(() => {}); // refused, as in a sandboxed frame: the page calls instead

class NetworkError extends Error {
  constructor(name, reason) {
    super(`${name}: ${reason}`);
    this.subject = name;
  }
}

const asked = new Set(); // addresses of the files it needs
const missing = () => [...asked].filter((url) => performance.getEntriesByName(url).length === 0).map((url) => url.split("/").at(-1));

// The file whose failure an error of Pyodide's own loading tells of: one that its words name, or that came to nothing.
function culprit(words) {
  const came = (url) => performance.getEntriesByName(url).every(({ responseStatus }) => responseStatus !== 0 && !(responseStatus >= 400));
  return [...asked].map((url) => [url, url.split("/").at(-1)]).find(([url, name]) => words.includes(name) || !came(url))?.[1];
}

async function module(name, base = home) {
  asked.add(new URL(name, base).href);
  try {
    return await import(new URL(name, base));
  } catch (error) {
    throw new NetworkError(name, error.message);
  }
}

// A file of runtime/, reporting how much of it has come.
async function download(name, onBytes) {
  asked.add(new URL(name, home).href);
  let answer;
  try {
    answer = await fetch(new URL(name, home));
  } catch (error) {
    throw new NetworkError(name, error.message);
  }
  if (!answer.ok) throw new NetworkError(name, `status ${answer.status}`);
  const parts = [];
  let size = 0;
  try {
    for (const reader = answer.body.getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(value);
      size += value.length;
      onBytes(value.length);
    }
  } catch (error) {
    throw new NetworkError(name, error.message);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

async function loadRuntime() {
  const { default: manifest } = await module("manifest.js", import.meta.url);
  const core = new URL(`${manifest.core}/`, home);
  const total = manifest.archives.reduce((sum, file) => sum + file.size, 0);
  let arrived = 0;
  let told = 0;
  const onBytes = (count) => {
    arrived += count;
    if (arrived - told < total / 50) return;
    told = arrived;
    post("progress", { stage: "runtime", fraction: 0.6 * Math.min(1, arrived / total) });
  };
  // Everything comes at once: the archives here, the rest by Pyodide itself.
  const archives = manifest.archives.map((file) => download(file.name, onBytes));
  for (const promise of archives) promise.catch(() => {}); // awaited below; a failure is told once
  const { loadPyodide } = await module("pyodide.mjs", core);
  for (const name of ["pyodide.asm.mjs", "pyodide.asm.wasm"]) asked.add(new URL(name, core).href);
  asked.add(new URL(manifest.stdlib.name, home).href);
  const pyodide = await loadPyodide({
    indexURL: core.href,
    stdLibURL: new URL(manifest.stdlib.name, home).href,
    lockFileContents: { info: manifest.platform, packages: {} },
    env: manifest.env,
  }).catch((error) => {
    const name = culprit(String(error?.message));
    throw name ? new NetworkError(name, error.message) : error;
  });
  for (const bytes of await Promise.all(archives)) unpack(pyodide.FS, bytes, SITE_PACKAGES);
  return pyodide;
}

class Refused extends Error {}

// The smallest module there is: a browser or a policy that refuses WebAssembly refuses it too.
function requireWasm() {
  try {
    new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
  } catch (error) {
    throw new Refused(String(error?.message ?? error));
  }
}

// Buffers come as a Python list of (id, bytes).
function say(what, text, buffers) {
  const list = buffers.length ? buffers.toJs() : [];
  post("said", { what, text, buffers: list }, list.map(([, bytes]) => bytes.buffer));
}

async function start(text) {
  post("progress", { stage: "runtime", fraction: 0 });
  requireWasm();
  const pyodide = await loadRuntime();
  self.pyodide = pyodide; // a handle for who looks from outside: a console, the tests, scripts/bench
  post("progress", { stage: "numerics", fraction: 0.65 });
  pyodide.runPython("import numpy");
  post("progress", { stage: "bench", fraction: 0.75 });
  const { Session } = pyodide.pyimport("ferrolab.site.session");
  const session = Session.from_json(text, say);
  session.open();
  return session;
}

// Told once: what fails after the first failure is its consequence.
let failed = false;

function fail(error) {
  if (failed) return;
  failed = true;
  const detail = String(error?.message ?? error);
  const cause = error instanceof NetworkError ? "network" : error instanceof Refused ? "wasm" : "python";
  const subject = error.subject ?? detail.trim().split("\n").at(-1);
  post("failed", { cause, subject, detail: detail.slice(-4000) });
}

let session = null;

// Pyodide starts its WebAssembly in a promise of its own: where that fails, nobody awaits it, and without these the
// page would wait for ever.
const stranded = (reason) => {
  const words = String(reason?.message ?? reason);
  if (session === null) fail(new NetworkError(culprit(words) ?? "pyodide.asm.wasm", words));
};
self.addEventListener("unhandledrejection", (event) => stranded(event.reason));
self.addEventListener("error", (event) => stranded(event.error ?? event.message));

self.onmessage = async ({ data }) => {
  try {
    if (data.kind === "start") {
      const beat = setInterval(() => post("alive", { files: missing() }), HEARTBEAT_MS);
      try {
        session = await start(data.text);
      } finally {
        clearInterval(beat);
      }
      post("opened");
    } else if (data.kind === "call") {
      post("alive");
    } else {
      post("taken");
      session.receive(data.act, data.text);
      post("done", { turn: data.turn });
    }
  } catch (error) {
    fail(error);
  }
};
