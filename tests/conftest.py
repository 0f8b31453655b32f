"""Fixtures every room shares: the built site, a server for it, and a browser that tolerates no stray request."""

import os
import shutil
import threading
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from waiting import PATIENCE_MS

BROWSER_ARGUMENTS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark browser tests in the junit report, where .ci/run counts them."""
    for item in items:
        if item.get_closest_marker("browser"):
            item.user_properties.append(("browser", "yes"))


@pytest.fixture(scope="session")
def built_site(tmp_path_factory):
    """Return the folder of a freshly built site."""
    from ferrolab.site.build import build_site

    return build_site(tmp_path_factory.mktemp("build") / "site")


@pytest.fixture(scope="session")
def site_address(built_site) -> Iterator[str]:
    """Serve the built site and return its address, which ends in a slash."""
    from ferrolab.site.serve import make_server

    with make_server(built_site, port=0) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server.address
        server.shutdown()
        thread.join()


def chromium_path() -> str:
    """Return where Chromium is; a machine without one fails the test, it does not skip it."""
    path = os.environ.get("FERROLAB_CHROMIUM") or next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    if path is None:
        pytest.fail("no Chromium on the PATH; install it or set FERROLAB_CHROMIUM (scripts/test does)")
    return path


@pytest.fixture(scope="session")
def browser():
    """Return headless Chromium."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE_MS)
    path = chromium_path()
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=list(BROWSER_ARGUMENTS))
        yield chromium
        chromium.close()


@pytest.fixture
def browser_with_memory(browser):
    """Return a Chromium that keeps pages alive for the way back, as a learner's does and Playwright's does not."""
    made = browser.browser_type.launch(
        executable_path=chromium_path(), args=list(BROWSER_ARGUMENTS), ignore_default_args=["--disable-back-forward-cache"]
    )
    yield made
    made.close()


class Watch:
    """What a page did that it must not do: console errors, uncaught errors, requests to other origins, failures."""

    def __init__(self, page, origin: str) -> None:
        self.origin = origin
        self.troubles: list[str] = []
        self.requests: list[str] = []
        page.on("console", lambda message: message.type == "error" and self.troubles.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: self.troubles.append(f"uncaught: {error}"))
        page.on("response", lambda answer: answer.status >= 400 and self.troubles.append(f"{answer.status}: {answer.url}"))
        page.context.on("request", self._requested)

    def _requested(self, request) -> None:
        self.requests.append(request.url)
        parts = urlsplit(request.url)
        if parts.scheme not in ("data", "blob") and f"{parts.scheme}://{parts.netloc}" != self.origin:
            self.troubles.append(f"request to another origin: {request.url}")


@pytest.fixture
def open_page(browser, site_address):
    """Return a function that opens a page of a new learner, with Playwright's context options.

    The test fails if a page did what a :class:`Watch` reports. There are no service workers (tests/site/test_offline.py has
    them): requests through one cannot be provoked to fail.
    """
    pages = []

    def new(**options):
        options = {"base_url": site_address, "viewport": {"width": 1440, "height": 900}, "service_workers": "block"} | options
        context = browser.new_context(**options)
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        page.watch = Watch(page, site_address.rstrip("/"))
        pages.append(page)
        return page

    yield new
    for page in pages:
        page.context.close()
    assert [trouble for page in pages for trouble in page.watch.troubles] == []


@pytest.fixture
def page(open_page):
    """Return a new learner's page."""
    return open_page()
