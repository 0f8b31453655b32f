// How the worker gets the files of runtime/, and which of them it is waiting for or has failed to get.

export const home = new URL("../runtime/", import.meta.url);

export class NetworkError extends Error {
  constructor(name, reason) {
    super(`${name}: ${reason}`);
    this.subject = name;
  }
}

export const asked = new Set(); // addresses of the files it needs
export const missing = () => [...asked].filter((url) => performance.getEntriesByName(url).length === 0).map((url) => url.split("/").at(-1));

// The file whose failure an error of Pyodide's own loading tells of: one that its words name, or that came to nothing.
export function culprit(words) {
  const came = (url) => performance.getEntriesByName(url).every(({ responseStatus }) => responseStatus !== 0 && !(responseStatus >= 400));
  return [...asked].map((url) => [url, url.split("/").at(-1)]).find(([url, name]) => words.includes(name) || !came(url))?.[1];
}

export async function module(name, base = home) {
  asked.add(new URL(name, base).href);
  try {
    return await import(new URL(name, base));
  } catch (error) {
    throw new NetworkError(name, error.message);
  }
}

// Reads an answer into `bytes`, telling onBytes(how many came, how many there are) after each piece.
export async function readInto(bytes, answer, onBytes) {
  let at = 0;
  for (const reader = answer.body.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes.set(value, at);
    at += value.length;
    onBytes(value.length, at);
  }
  if (at !== bytes.length) throw new Error(`${at} bytes came in the place of ${bytes.length}`);
  return bytes;
}

// The file `name` of runtime/, which has `size` bytes.
export async function download(name, size, onBytes, options = {}) {
  const url = new URL(name, home);
  asked.add(url.href);
  try {
    const answer = await fetch(url, options);
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    return await readInto(new Uint8Array(size), answer, onBytes);
  } catch (error) {
    throw error.name === "AbortError" ? error : new NetworkError(name, error.message);
  }
}
