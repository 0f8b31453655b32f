// Whether the site has been published anew since this page was loaded: its files may be gone then.

// The folder this page's own files lie in, named by their content.
export const assets = import.meta.url.split("/").at(-2);

export async function outdated() {
  try {
    const answer = await fetch(new URL("../site.json", import.meta.url), { cache: "no-store" });
    return answer.ok && (await answer.json()).assets !== assets;
  } catch {
    return false; // no network, or a course's package, which has no such file
  }
}
