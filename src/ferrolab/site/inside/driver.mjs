// Runs one Python file in Pyodide under Node and prints what it returns, for the build.
//
// usage: node driver.mjs job.json
//   job: { core, stdlib, mounts: {path in Pyodide: host folder}, packs: [tar files], unpack, env,
//          path: [sys.path entries to put in front], script, argument }
// The script must define run(argument) -> a JSON-able value. One line of JSON goes to stdout:
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
  const pyodide = await loadPyodide({
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
  pyodide.globals.set("_entries", JSON.stringify(job.path ?? []));
  pyodide.runPython("import sys, json; sys.path[:0] = json.loads(_entries)");
  pyodide.runPython(fs.readFileSync(job.script, "utf8"), { filename: path.basename(job.script) });
  pyodide.globals.set("_argument", JSON.stringify(job.argument ?? null));
  const result = await pyodide.runPythonAsync("import json; json.dumps(run(json.loads(_argument)))");
  return { result: JSON.parse(result), boot_ms: booted - started, run_ms: performance.now() - booted };
}

let line;
try {
  line = await main();
} catch (error) {
  line = { error: String(error?.message ?? error).slice(-4000) };
}
process.stdout.write(JSON.stringify(line) + "\n");
process.exitCode = line.error ? 1 : 0;
