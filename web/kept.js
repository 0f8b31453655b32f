// The worker's own hand in the site's cache (see sw.js): the memory snapshot is too large to pass through the service
// worker at each visit. It is held to its hash, as everything else there. Where nothing may be kept, nothing is.

const CACHE = `ferrolab files ${new URL("../", import.meta.url).pathname}`;
const HASH = "x-ferrolab-sha256";

export async function isIntact(bytes, sha256) {
  if (!self.crypto?.subtle) return true; // a page without https has no hash to offer, and no cache to doubt
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("") === sha256;
}

const attempt = async (act) => {
  try {
    return (await act(await self.caches.open(CACHE))) ?? null;
  } catch {
    return null; // no cache here (a sandboxed frame may not even ask), or a full one
  }
};

// The kept answer for `url`, or null.
export const find = (url) => attempt((cache) => cache.match(url, { ignoreVary: true }));

export const drop = (url) => attempt((cache) => cache.delete(url, { ignoreVary: true }));

// Whether `bytes` are kept now.
export async function keep(url, bytes, sha256) {
  const headers = { "content-type": "application/octet-stream", [HASH]: sha256 };
  return (await attempt(async (cache) => (await cache.put(url, new Response(bytes, { headers })), true))) === true;
}
