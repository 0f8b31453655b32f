// Runs one Python file in Pyodide under Node and prints what it returns, for the build.
//
// usage: node driver.mjs job.json
//   job: { core, stdlib, mounts: {path in Pyodide: host folder}, packs: [tar files], unpack, env,
//          path: [sys.path entries to put in front], script, argument,
//          snapshot: { start: the page's snapshot.js, libraries: [[path, file]], and `make: file`, or `restore: file` and `memory` },
//          then: [script, argument] to run after the first }
// Each script must define run(argument) -> a JSON-able value; the last one's is the result, or, of a snapshot that was
// made, the size of the memory it needs. One line of JSON goes to stdout:
//   {"result": ...} or {"error": "..."}; an uncaught error in Node would print the whole wasm glue.

import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const job = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
const bytes = (file) => new Uint8Array(fs.readFileSync(file));
globalThis.XMLHttpRequest ??= class {};

async function main() {
  const { loadPyodide } = await import(pathToFileURL(path.join(job.core, "pyodide.mjs")));
  const started = performance.now();
  const { options, take } = job.snapshot ? await snapshot() : {};
  const pyodide = await loadPyodide({
    ...options,
    indexURL: job.core + path.sep,
    stdLibURL: job.stdlib ?? undefined,
    env: job.env ?? {},
    stdout: (line) => process.stderr.write(line + "\n"),
    stderr: (line) => process.stderr.write(line + "\n"),
  });
  const booted = performance.now();
  for (const [inside, host] of Object.entries(job.mounts ?? {})) {
    pyodide.FS.mkdirTree(inside);
    pyodide.FS.mount(pyodide.FS.filesystems.NODEFS, { root: host }, inside);
  }
  if (job.packs?.length) {
    const { unpack, SITE_PACKAGES } = await import(pathToFileURL(job.unpack));
    for (const pack of job.packs) unpack(pyodide.FS, bytes(pack), SITE_PACKAGES);
  }
  run(pyodide, "import json, sys\ndef run(entries): sys.path[:0] = entries", "path", job.path ?? []);
  const scripts = [[job.script, job.argument], ...(job.then ? [job.then] : [])];
  let result;
  for (const [script, argument] of scripts) result = await run(pyodide, fs.readFileSync(script, "utf8"), path.basename(script), argument ?? null);
  const done = { result, boot_ms: booted - started, run_ms: performance.now() - booted };
  if (!job.snapshot?.make) return done;
  await new Promise((resolve) => setTimeout(resolve)); // what Python left for its loop is done
  const { bytes: memory, memory: size } = take(pyodide);
  fs.writeFileSync(job.snapshot.make, memory);
  return { ...done, result: { memory: size } };
}

// Nothing of it stays in Python but what it imported.
function run(pyodide, source, filename, argument) {
  const scope = pyodide.toPy({ __name__: filename, _argument: JSON.stringify(argument) });
  pyodide.runPython(source, { filename, globals: scope });
  const text = pyodide.runPython("import json; json.dumps(run(json.loads(_argument)))", { globals: scope });
  scope.destroy();
  return JSON.parse(text);
}

async function snapshot() {
  const { withLibraries, restoring, take } = await import(pathToFileURL(job.snapshot.start));
  const { default: create } = await import(pathToFileURL(path.join(job.core, "pyodide.asm.mjs")));
  const { libraries, make, restore, memory } = job.snapshot;
  const options = make ? { _makeSnapshot: true, ...withLibraries(create, libraries) } : restoring(create, libraries, memory, bytes(restore));
  return { options, take };
}

let line;
try {
  line = await main();
} catch (error) {
  line = { error: String(error?.message ?? error).slice(-4000) };
}
process.stdout.write(JSON.stringify(line) + "\n");
process.exitCode = line.error ? 1 : 0;
