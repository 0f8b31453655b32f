// Lays an archive of the site (an uncompressed tar made by `ferrolab build`) into Pyodide's file system.
// Shared by the page's worker and by the build's import test in Node.

export const SITE_PACKAGES = "/lib/python3.14/site-packages";

const BLOCK = 512;
const text = new TextDecoder();

function field(bytes, start, length) {
  const end = bytes.indexOf(0, start);
  return text.decode(bytes.subarray(start, end < 0 || end > start + length ? start + length : end));
}

// The files keep views into `bytes` (no copy): do not change it afterwards.
export function unpack(FS, bytes, root) {
  const folders = new Set();
  let count = 0;
  for (let at = 0; at + BLOCK <= bytes.length && bytes[at] !== 0; ) {
    const size = parseInt(field(bytes, at + 124, 12), 8);
    const prefix = field(bytes, at + 345, 155);
    const path = `${root}/${prefix ? `${prefix}/` : ""}${field(bytes, at, 100)}`;
    const type = bytes[at + 156];
    if (!Number.isFinite(size) || (type !== 0x30 && type !== 0)) throw new Error(`archive entry ${path} is not a plain file`);
    const folder = path.slice(0, path.lastIndexOf("/"));
    if (!folders.has(folder)) {
      FS.mkdirTree(folder);
      folders.add(folder);
    }
    const start = at + BLOCK;
    if (start + size > bytes.length) throw new Error(`the archive ends inside ${path}`);
    FS.writeFile(path, bytes.subarray(start, start + size), { canOwn: true });
    count += 1;
    at = start + Math.ceil(size / BLOCK) * BLOCK;
  }
  return count;
}
