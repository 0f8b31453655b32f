"""Where the page may stand and what it may be refused: frames, policies, scripts that never come."""

import functools
import json
import re

import pytest
from packages import Handler, serving
from playwright.sync_api import expect
from waiting import SOON_MS, until

LESSON = "lessons/the-gradient-that-lies/"
LESSONS = ("lessons/who-is-to-blame/", "lessons/forces-at-a-distance/")
KEY = "ferrolab:lesson:the-gradient-that-lies"

pytestmark = pytest.mark.browser


def live(place):
    expect(place.locator("#bench")).to_have_attribute("data-bench-state", "live")


def predict(place):
    place.locator("#predict-form").get_by_role("radio").first.check()
    place.get_by_role("button", name="Keep my prediction").click()


def forgive(page, pattern):
    page.watch.troubles = [trouble for trouble in page.watch.troubles if not re.search(pattern, trouble)]


def course(attributes):
    """Return a page with a frame of these attributes."""
    return f'<!doctype html><title>A course</title><link rel="icon" href="data:,"><iframe {attributes} style="width:100%;height:90vh"></iframe>'


def framed(page, attributes):
    """Open the lesson in a frame of a page beside it."""
    html = course(f'{attributes} src="/{LESSON}"')
    page.route("**/course.html", lambda route: route.fulfill(body=html, content_type="text/html"))
    page.goto("course.html")
    return page.frame_locator("iframe")


def test_the_lesson_works_in_a_frame(page):
    frame = framed(page, "")
    live(frame)
    predict(frame)
    expect(frame.locator("#checks .met").first).to_be_visible()
    until(page, "key => JSON.parse(localStorage.getItem(key))?.trail?.events.length > 1", KEY)


def test_a_frame_that_forbids_everything_is_told_of_with_a_way_out(page):
    frame = framed(page, 'sandbox="allow-scripts"')
    alert = frame.get_by_role("alert").filter(has_text="The bench is not running")
    expect(alert).to_contain_text("stands in a frame that does not let it start the bench", timeout=SOON_MS)
    way = frame.get_by_role("link", name="Open in its own window")
    assert way.get_attribute("href").endswith(LESSON) and way.get_attribute("target") == "_blank"
    expect(frame.locator("#bench-state")).to_have_text("bench failed", timeout=SOON_MS)
    assert frame.locator("math").count() > 3
    forgive(page, "CORS|origin 'null'|ERR_FAILED")


class OpenHost(Handler):
    """A host that lets every origin read its files, as some public ones do, sends no policy, and has a course."""

    frame = f'sandbox="allow-scripts" src="/{LESSON}"'

    def do_GET(self):
        if self.path != "/course.html":
            return super().do_GET()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(course(self.frame).encode())

    def end_headers(self):
        self.send_header("Access-Control-Allow-Origin", "*")
        super().end_headers()


@pytest.fixture
def open_host(built_site):
    with serving(functools.partial(OpenHost, directory=built_site)) as address:
        yield address


def test_in_a_sandboxed_frame_scripts_that_do_run_say_that_the_bench_cannot(page, open_host):
    """Its origin counts for nothing: no storage, no locks, no worker."""
    page.watch.origin = open_host
    page.goto(f"{open_host}/course.html")
    frame = page.frame_locator("iframe")
    alert = frame.get_by_role("alert").filter(has_text="The bench is not running")
    expect(alert).to_contain_text("stands in a frame that does not let it start the bench", timeout=SOON_MS)
    expect(frame.get_by_role("link", name="Open in its own window")).to_be_visible()
    expect(frame.locator("#notice")).to_contain_text("does not let the page keep anything", timeout=SOON_MS)
    forgive(page, "404|worker.js|Worker|origin 'null'")


def test_the_lesson_works_in_a_frame_of_another_site_whose_storage_is_refused(page, built_site):
    """The course is on one host, the lesson on another that sends no `frame-ancestors`; a private window refuses such storage."""
    with serving(functools.partial(Handler, directory=built_site)) as host:
        beside = type("Beside", (OpenHost,), {"frame": f'src="{host.replace("127.0.0.1", "localhost")}/{LESSON}"'})
        with serving(functools.partial(beside, directory=built_site)) as address:
            page.goto(f"{address}/course.html")
            frame = page.frame_locator("iframe")
            live(frame)
            predict(frame)
            expect(frame.locator("#checks .met").first).to_be_visible()
            expect(frame.locator("#notice")).to_contain_text("does not let the page keep anything", timeout=SOON_MS)
    forgive(page, "request to another origin")


@pytest.mark.parametrize("file", ["lesson.js", "runtime.js", "merge.js"])
def test_a_script_of_the_page_itself_that_is_refused_is_named(page, file):
    page.route(f"**/{file}", lambda route: route.abort())
    page.goto(LESSON)
    alert = page.get_by_role("alert").filter(has_text="The bench is not running")
    expect(alert).to_contain_text(f"The file {file} could not be loaded", timeout=SOON_MS)
    page.unroute(f"**/{file}")
    page.get_by_role("button", name="Load the page again").click()
    expect(page.get_by_role("progressbar")).to_be_visible()
    forgive(page, "ERR_FAILED")


def test_a_script_of_the_page_itself_that_never_comes_is_told_of_and_may_still_come(page):
    held = []
    page.route("**/runtime.js", lambda route: held.append(route))  # noqa: PLW0108 (Playwright cannot mark a method of list)
    page.clock.install()
    page.goto(LESSON, wait_until="commit")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.clock.run_for(9000)
    alert = page.get_by_role("alert").filter(has_text="longer than usual")
    expect(alert).to_contain_text("lesson.js has not come yet", timeout=SOON_MS)
    for route in held:
        route.continue_()
    live(page)
    assert alert.count() == 0


def test_without_scripts_the_page_says_what_the_bench_needs(browser, site_address):
    context = browser.new_context(base_url=site_address, java_script_enabled=False)
    page = context.new_page()
    page.goto(LESSON)
    expect(page.get_by_text("The bench needs JavaScript and WebAssembly")).to_be_visible()
    assert page.locator("math").count() > 3
    context.close()


VIOLATIONS = """
window.violations = [];
document.addEventListener('securitypolicyviolation', (e) => window.violations.push(`${e.violatedDirective} ${e.blockedURI}`));
"""


@pytest.mark.parametrize("address", LESSONS)
def test_the_whole_way_of_a_student_breaks_no_rule_of_the_policy(open_page, address):
    """Under the policy `ferrolab serve` sends, and without cross-origin isolation; the console reports violations too."""
    page = open_page(accept_downloads=True)
    page.add_init_script(VIOLATIONS)
    policy = page.goto(address).headers["content-security-policy"]
    assert "'unsafe-eval'" not in policy and "script-src 'self';" in policy
    assert page.evaluate("self.crossOriginIsolated") is False
    live(page)
    predict(page)
    slider = page.get_by_role("slider").first
    slider.focus()
    for key in ("PageUp", "ArrowRight", "Home", "PageUp", "PageUp"):
        page.keyboard.press(key)
    page.locator("#bench").get_by_role("radio").last.check(force=True)
    for button in page.locator("#bench").get_by_role("button").all()[:1]:
        button.click()
    page.wait_for_selector(".bench-root")
    form = page.locator("[data-question]").first
    form.locator("input").first.fill("1") if form.locator("input[type=text]").count() else form.locator("input").first.check()
    form.get_by_role("button", name="Answer").click()
    page.get_by_role("button", name="Switch to dark colours").click()
    page.get_by_role("button", name="Show every message").click()
    expect(page.locator("#bench-state")).to_have_text("bench live")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save my evidence file").click()
    assert json.loads(saved.value.path().read_text())["lesson"] in address
    page.get_by_role("button", name="Start over").click()
    page.get_by_role("button", name="Forget it all").click()
    expect(page.locator("#checks .met")).to_have_count(0)
    assert page.evaluate("window.violations") == []
    page.goto("index.html")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert page.evaluate("window.violations") == []
