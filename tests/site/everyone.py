"""What the tests for everyone share: axe, the focused control through shadow roots, and what live regions said."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from waiting import until

ROOT = Path(__file__).parents[2]
SLUGS = sorted(path.parent.name for path in (ROOT / "lessons").glob("*/lesson.toml"))
AXE = ROOT / "tests" / "tools" / "node_modules" / "axe-core" / "axe.min.js"


@cache
def axe_source() -> str:
    """Return axe-core; where it is not installed the test fails, it does not skip."""
    if not AXE.is_file():
        pytest.fail("axe-core is not in tests/tools; run scripts/setup")
    return AXE.read_text(encoding="utf-8")


def violations(page: Any) -> list[str]:
    """Return what axe-core finds serious or critical on the page as it stands."""
    page.evaluate(axe_source())
    found = page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")["violations"]
    grave = [one for one in found if one["impact"] in ("serious", "critical")]
    return [f"{one['id']}: {node['target']} {node['html'][:160]}" for one in grave for node in one["nodes"]]


def put_in_scheme(page: Any, scheme: str) -> None:
    """Let the system be light or dark, and wait until the whole page is: the bench is recoloured by Python."""
    page.emulate_media(color_scheme=scheme)
    page.locator(f"#bench [data-scheme={scheme}][role=region]").wait_for(state="attached")


def open_lesson(page: Any, slug: str) -> None:
    page.goto(f"lessons/{slug}/index.html")
    page.wait_for_selector('#bench[data-bench-state="live"]')


def predict(page: Any) -> None:
    page.locator("#predict-form input").first.check()
    page.locator("#predict-form button").click()
    until(page, "!document.getElementById('bench').inert")


#: The element that has the focus, through every shadow root, with what it says of itself.
FOCUSED = """() => {
  let node = document.activeElement;
  while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
  if (!node || node === document.body) return null;
  const root = node.getRootNode();
  const face = node.matches("label input") ? node.parentElement : node;
  const drawn = [node, face, node.nextElementSibling, node.closest("label"), node.closest(".card"), face.querySelector(".face")].filter(Boolean);
  const outlined = drawn.some((one) => {
    const style = getComputedStyle(one);
    return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
  });
  const named = node.getAttribute("aria-labelledby");
  return {
    tag: node.tagName.toLowerCase(), type: node.type ?? "", role: node.getAttribute("role") ?? "", id: node.id, value: node.value ?? "",
    pressed: node.getAttribute("aria-pressed"), text: node.getAttribute("aria-valuetext") ?? "",
    name: (node.getAttribute("aria-label") ?? (named && root.getElementById(named)?.textContent)
      ?? [...(node.labels ?? [])].map((one) => one.textContent).join(" ") ?? "").trim() || node.textContent.trim(),
    outlined: outlined || node.matches("input[type=range]"), box: face.getBoundingClientRect().toJSON(),
  };
}"""

#: Records what is written into live regions, wherever they are.
LISTEN = """() => {
  globalThis.heard ??= [];
  const roots = (globalThis.listenedTo ??= new Set());
  const isLive = (node) => node.closest?.("[role=status], [role=alert], [aria-live=polite], [aria-live=assertive]");
  const watch = (root) => {
    if (roots.has(root)) return;
    roots.add(root);
    new MutationObserver((changes) => {
      for (const { target, addedNodes } of changes) {
        const live = isLive(target.nodeType === Node.TEXT_NODE ? target.parentElement : target);
        if (live && !live.hidden && live.textContent.trim()) heard.push(live.textContent.trim());
        addedNodes.forEach(dive);
      }
    }).observe(root, {subtree: true, childList: true, characterData: true});
  };
  const dive = (node) => {
    if (node.shadowRoot) { watch(node.shadowRoot); dive(node.shadowRoot); }
    node.childNodes.forEach(dive);
  };
  watch(document);
  dive(document);
}"""


def tab_to(page: Any, wanted: Any, limit: int = 80, key: str = "Tab") -> dict:
    """Press Tab until what has the focus satisfies `wanted`; on the way every stop has a name and shows its focus."""
    for _ in range(limit):
        page.keyboard.press(key)
        found = page.evaluate(FOCUSED)
        if found is None:
            continue
        assert found["name"], f"a stop without a name: {found}"
        assert found["outlined"], f"a stop whose focus is not seen: {found}"
        if wanted(found):
            return found
    raise AssertionError("the control was not reached by keyboard")
