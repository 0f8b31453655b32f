// Starts Pyodide from a memory snapshot that the build made with the same function: the page's worker restores one,
// the build makes and tries it in Node. All of it is Pyodide's private business (the version is pinned by the lock), so
// whoever calls this must be ready to start from the archives when it fails.

import { SITE_PACKAGES } from "./unpack.js";

const nothing = () => {
  throw new Error("the snapshot refers to a JavaScript object that no longer exists");
};

// Pyodide's options for a start with numpy's libraries in place before Python runs. They lie in memory and in the table
// of functions where they lay when the snapshot was made, as they are loaded at the same moment in the same order.
//   create     default export of pyodide.asm.mjs
//   libraries  [[path below site-packages, address or file]]
//   memory     bytes the memory must have at least
//   ready      a promise of everything the restored memory needs, awaited while WebAssembly compiles
export function withLibraries(create, libraries, { memory = 0, ready = null } = {}) {
  const places = new Map(libraries.map(([path, place]) => [`${SITE_PACKAGES}/${path}`, place]));
  return {
    async createPyodideModule(settings) {
      const { locateFile } = settings;
      settings.dynamicLibraries = [...places.keys()];
      settings.locateFile = (name) => places.get(name) ?? locateFile(name);
      const [module] = await Promise.all([create(settings), ready]);
      if (memory > module.HEAP8.length && !module.growMemory(memory)) throw new Error(`${memory} bytes of memory are not to be had`);
      return module;
    },
  };
}

// The options that restore `bytes`, which may still be on their way until `ready`.
export const restoring = (create, libraries, memory, bytes, ready) => ({
  ...withLibraries(create, libraries, { memory, ready }),
  _loadSnapshot: bytes,
  _snapshotDeserializer: nothing,
});

// The memory of a Pyodide that was started with _makeSnapshot, without the zeros at its end.
export function take(pyodide) {
  const module = pyodide._module;
  clearFree(module);
  const bytes = pyodide.makeMemorySnapshot();
  let end = bytes.length;
  while (bytes[end - 1] === 0) end -= 1;
  return { memory: module.HEAP8.length, bytes: bytes.subarray(0, Math.ceil(end / 4) * 4) };
}

const LARGEST = 65536;
const SMALLEST = 32;

// What was freed keeps its content until it is used again: it is made zeros, which weigh nothing on the wire.
function clearFree(module) {
  const top = () => module.HEAPU32[module._emscripten_get_sbrk_ptr() >>> 2];
  const held = [];
  for (let size = LARGEST; size >= SMALLEST; size /= 2) {
    for (let grown = false; !grown; ) {
      const before = top();
      const place = module._malloc(size);
      module.HEAPU8.fill(0, place, place + size);
      held.push(place);
      grown = top() > before; // nothing of this size was free
    }
  }
  for (const place of held) module._free(place);
}
