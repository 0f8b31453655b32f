"""What a lesson's page has kept of the readouts its student looked at."""

import json

from waiting import until

LAST = """([key, wanted]) => {
  const seen = JSON.parse(localStorage.getItem(key)).trail.events.filter(({ kind }) => kind === "seen");
  return seen.length > 0 && Object.entries(wanted).every(([name, value]) => seen.at(-1).controls[name] === value);
}"""


def seen(page, key: str) -> list[dict]:
    """Return what the page has kept under `key` as looked at, in order."""
    kept = json.loads(page.evaluate("key => localStorage.getItem(key)", key) or '{"trail": null}')
    return [event for event in (kept["trail"] or {"events": []})["events"] if event["kind"] == "seen"]


def look(page, key: str, **controls: object) -> dict:
    """Wait until the last readout looked at has these controls, however long the machine takes, and return its record."""
    until(page, LAST, [key, controls])
    return seen(page, key)[-1]
