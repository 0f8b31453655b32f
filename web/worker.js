// The module worker that runs Python for a lesson page: loads Pyodide and the archives from the site's own
// runtime/ folder, starts ferrolab.site.session.Session and carries its messages.
//
// page -> worker  {kind: "start", text}            once; text is JSON {lesson, trail, scheme, controls}
//                 {kind: "turn", turn, act, text}  act and text go to Session.receive
// worker -> page  {kind: "progress", stage, fraction}, {kind: "alive"} while it loads
//                 {kind: "opened"} when the document, first readout and grade have been sent
//                 {kind: "said", what, text, buffers}   a message of the session; buffers: [[id, bytes], ...]
//                 {kind: "done", turn}
//                 {kind: "failed", cause: "network" | "python", subject, detail}

import { unpack, SITE_PACKAGES } from "./unpack.js";

const HEARTBEAT_MS = 1000;
const home = new URL("../runtime/", import.meta.url);
const post = (kind, more = {}, transfer = []) => self.postMessage({ kind, ...more }, transfer);

class NetworkError extends Error {
  constructor(name, reason) {
    super(`${name}: ${reason}`);
    this.subject = name;
  }
}

async function module(name, base = home) {
  try {
    return await import(new URL(name, base));
  } catch (error) {
    throw new NetworkError(name, error.message);
  }
}

// A file of runtime/, reporting how much of it has come.
async function download(name, onBytes) {
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
  const pyodide = await loadPyodide({
    indexURL: core.href,
    stdLibURL: new URL(manifest.stdlib.name, home).href,
    lockFileContents: { info: manifest.platform, packages: {} },
    env: manifest.env,
  });
  for (const bytes of await Promise.all(archives)) unpack(pyodide.FS, bytes, SITE_PACKAGES);
  return pyodide;
}

// Buffers come as a Python list of (id, bytes).
function say(what, text, buffers) {
  const list = buffers.length ? buffers.toJs() : [];
  post("said", { what, text, buffers: list }, list.map(([, bytes]) => bytes.buffer));
}

async function start(text) {
  post("progress", { stage: "runtime", fraction: 0 });
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
  const cause = error instanceof NetworkError ? "network" : "python";
  const subject = error.subject ?? detail.trim().split("\n").at(-1);
  post("failed", { cause, subject, detail: detail.slice(-4000) });
}

let session = null;

// Pyodide starts its WebAssembly in a promise of its own: where that fails, nobody awaits it, and without these the
// page would wait for ever.
const stranded = (reason) => session === null && fail(new NetworkError("pyodide.asm.wasm", String(reason?.message ?? reason)));
self.addEventListener("unhandledrejection", (event) => stranded(event.reason));
self.addEventListener("error", (event) => stranded(event.error ?? event.message));

self.onmessage = async ({ data }) => {
  try {
    if (data.kind === "start") {
      const beat = setInterval(() => post("alive"), HEARTBEAT_MS);
      try {
        session = await start(data.text);
      } finally {
        clearInterval(beat);
      }
      post("opened");
    } else {
      session.receive(data.act, data.text);
      post("done", { turn: data.turn });
    }
  } catch (error) {
    fail(error);
  }
};
