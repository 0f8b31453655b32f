// The module worker that runs Python for a lesson page: loads Pyodide and the archives from the site's own
// runtime/ folder, starts ferrolab.site.session.Session and carries its messages.
//
// page -> worker  {kind: "start", text, plain}     once; text is JSON for Session.from_json; plain: without the snapshot
//                 {kind: "turn", turn, act, text}  act and text go to Session.receive
//                 {kind: "call"}                   answered by "alive"
//                 {kind: "keep", allowed}          what the next visit needs may be kept, or not; answered by "kept"
// worker -> page  {kind: "holds", lock}            the name of a lock that is free again when this worker is no more
//                 {kind: "progress", stage, fraction}, {kind: "alive", files} while it loads; files: what has not come
//                 {kind: "taken"} at the start of a turn, which may take long
//                 {kind: "opened"} when the document, first readout and grade have been sent
//                 {kind: "said", what, text, buffers}   a message of the session; buffers: [[id, bytes], ...]
//                 {kind: "done", turn}
//                 {kind: "failed", cause: "network" | "python" | "wasm", subject, detail}

import { culprit, missing, module, NetworkError } from "./files.js";
import { bringUp } from "./python.js";

const HEARTBEAT_MS = 1000;
const post = (kind, more = {}, transfer = []) => self.postMessage({ kind, ...more }, transfer);

// Its name is that of a lock nobody else asks for but the page, to learn of this worker's end (see worker-life.js).
const held = () => (post("holds", { lock: self.name }), new Promise(() => {}));
self.navigator.locks?.request(self.name, held).catch(() => {}); // refused, as in a sandboxed frame: the page calls instead

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

let keep = null; // see python.js
let shown = 0;

function progress(share) {
  if (share - shown < 0.02) return;
  shown = share;
  post("progress", { stage: "runtime", fraction: 0.6 * share });
}

async function start({ text, plain }) {
  post("progress", { stage: "runtime", fraction: 0 });
  requireWasm();
  const { default: manifest } = await module("manifest.js", import.meta.url);
  const python = await bringUp(manifest, { plain, onProgress: progress });
  const { pyodide } = python;
  keep = python.keep;
  Object.assign(self, { pyodide, startedFrom: python.from }); // for who looks from outside: a console, the tests, scripts/bench
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
        session = await start(data);
      } finally {
        clearInterval(beat);
      }
      post("opened");
    } else if (data.kind === "keep") {
      const done = keep;
      keep = null; // what it holds is free again, kept or not
      if (data.allowed && (await done?.().catch(() => false))) post("kept");
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
