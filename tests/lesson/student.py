"""What a student does on a lesson's page, and what the page has kept of it."""

from __future__ import annotations


def open_and_predict(page, address: str, prediction: str) -> None:
    """Open the lesson at `address`, wait for its bench, and keep the prediction with that label."""
    page.goto(address)
    page.wait_for_selector('#bench[data-bench-state="live"]')
    page.get_by_label(prediction).check()
    page.get_by_role("button", name="Keep my prediction").click()


def slide(page, name: str, value: float) -> None:
    """Set a slider at once, as the end of a drag does."""
    slider = page.get_by_role("slider", name=name, exact=True)
    slider.evaluate("(e, v) => { e.value = v; e.dispatchEvent(new Event('input', {bubbles: true})); e.dispatchEvent(new Event('change', {bubbles: true})); }", str(value))


def choose(page, name: str) -> None:
    """Press the radio with that name."""
    page.get_by_role("radio", name=name, exact=True).check(force=True)


def answer(page, question: str, *, choice: str = "", typed: str = "") -> None:
    """Answer a question by the id of a choice or by what is typed."""
    form = page.locator(f'[data-question="{question}"]')
    if choice:
        form.locator(f'input[value="{choice}"]').check()
    else:
        form.get_by_role("textbox").fill(typed)
    form.get_by_role("button", name="Answer").click()
