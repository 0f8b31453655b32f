"""Waiting until something is true, on pages whose content security policy is in force."""

import time
from collections.abc import Callable

PATIENCE_MS = 60_000
"""Milliseconds a test waits for anything: the bench takes a few seconds, on a busy machine some more."""
SOON_MS = 10_000
"""Milliseconds a page may take to say that something is wrong."""


def wait_for(ask: Callable[[], object], missed: Callable[[], str]) -> None:
    """Ask until the answer is true; when patience is at its end, fail with what `missed` says."""
    ends = time.monotonic() + PATIENCE_MS / 1000
    while not ask():
        assert time.monotonic() < ends, missed()
        time.sleep(0.05)


def until(page, expression: str, argument: object = None) -> None:
    """Wait until `expression`, JavaScript or a function of `argument`, perhaps asynchronous, is true in the page or frame.

    One that throws is not true yet: the page may be on its way, and what it keeps not kept.

    Playwright's own `wait_for_function` asks a second time by `eval` within the page, which the site's policy forbids: it
    works where the first answer is true, and fails where it is not.
    """
    from playwright.sync_api import Error

    answer: object = None

    def ask() -> bool:
        nonlocal answer
        try:
            answer = page.evaluate(expression, argument)
        except Error as error:
            answer = error
            return False
        return bool(answer)

    wait_for(ask, lambda: f"never true: {expression} of {argument}, at last {answer!r}")
