"""After the first visit the site works without a network; what is kept is checked, and touches no other site."""

import os
import shutil

import pytest
from hosting import KEPT, LESSON, NAMES, hosting, live, visit
from seen import look
from waiting import until

from ferrolab.site.build import MARKER, assets_folder

KEY = "ferrolab:lesson:the-gradient-that-lies"

pytestmark = pytest.mark.browser


def met(page, count):
    until(page, "n => document.querySelectorAll('#checks .met').length === n", count)


def pass_the_lesson(page):
    page.get_by_label("It grows").check()
    page.get_by_role("button", name="Keep my prediction").click()
    page.get_by_role("slider", name="Contact stiffness").fill("6")
    until(page, "document.querySelectorAll('#checks .met').length > 1")
    for dt in ("1e-5", "1e-6"):
        page.get_by_role("radio", name=f"{dt} s").check(force=True)
        look(page, KEY, dt=float(dt))
    met(page, 3)
    page.get_by_role("button", name="Error tolerance").click()
    met(page, 4)


def test_a_lesson_visited_once_is_passed_without_a_network(visitor, host):
    page = visitor().new_page()
    visit(page, host.address)
    host.stop()
    try:
        page.reload()
        live(page)
        pass_the_lesson(page)
        page.goto(f"{host.address}index.html")
        assert "passed" in page.locator("[data-lesson='the-gradient-that-lies'] .progress-text").inner_text()
        page.goto(f"{host.address}lessons/who-is-to-blame")
        assert page.url.endswith("/who-is-to-blame/")
        live(page)
    finally:
        host.start()


def test_a_repeat_visit_fetches_nothing_it_has(visitor, host):
    page = visitor().new_page()
    visit(page, host.address)
    host.sent.clear()
    page.goto("about:blank")
    page.goto(host.address + LESSON)
    live(page)
    page.wait_for_timeout(1000)
    assert host.bodies == []
    assert ("/" + LESSON, 304, 0) in host.sent, "the page itself is asked for again: it may be a new one"


def test_a_first_visit_asks_for_each_file_once(visitor, host):
    page = visitor().new_page()
    visit(page, host.address)
    large = [(path, length) for path, _, length in host.sent if length > 100_000]
    assert len(large) == len({path for path, _ in large}) > 3


DAMAGE = """
async (place) => {
  let damaged = 0;
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      if (!request.url.includes(place)) continue;
      const kept = await cache.match(request, { ignoreVary: true });
      const bytes = new Uint8Array(await kept.arrayBuffer());
      bytes.fill(32, bytes.length >> 1); // the second half is lost
      await cache.put(request, new Response(bytes, { headers: kept.headers }));
      damaged += 1;
    }
  }
  return damaged;
}
"""


def test_damaged_entries_are_noticed_and_fetched_again(visitor, host):
    page = visitor().new_page()
    visit(page, host.address)
    for place in ("/runtime.js", "/pyodide.asm.wasm", "/memory-", LESSON):
        assert page.evaluate(DAMAGE, place) > 0
    page.goto(host.address + LESSON)
    live(page)
    until(page, KEPT, "/")
    page.wait_for_timeout(500)
    host.sent.clear()
    page.goto(host.address + LESSON)
    live(page)
    assert host.bodies == [], "what was damaged is whole again"


@pytest.fixture
def two_sites(built_site, tmp_path):
    """The site twice on one origin, below /course/week6/ and /course/week7/."""
    (tmp_path / MARKER).write_text('{"assets": "assets"}')
    for week in ("week6", "week7"):
        shutil.copytree(built_site, tmp_path / "course" / week, copy_function=os.link)
    with hosting(tmp_path) as host:
        yield host


def test_two_sites_on_one_origin_keep_apart(visitor, two_sites):
    page = visitor().new_page()
    visit(page, f"{two_sites.address}course/week6/", "/course/week6/")
    page.evaluate("caches.open('somebody else').then((cache) => cache.put('/x', new Response('theirs')))")
    before = page.evaluate(NAMES)
    visit(page, f"{two_sites.address}course/week7/", "/course/week7/")
    after = page.evaluate(NAMES)
    assert {name: after[name] for name in before} == before
    added = {name: urls for name, urls in after.items() if name not in before}
    assert len(added) == 2
    assert all("/course/week7/" in url for urls in added.values() for url in urls)


DENIALS = {
    "no service worker": "delete Navigator.prototype.serviceWorker",
    "registration refused": "ServiceWorkerContainer.prototype.register = async () => { throw new DOMException('denied', 'SecurityError'); }",
    "no cache": "Object.defineProperty(window, 'caches', { get() { throw new DOMException('denied', 'SecurityError'); } }); delete Navigator.prototype.serviceWorker",
}


@pytest.mark.parametrize("denial", DENIALS)
def test_where_nothing_may_be_kept_the_page_works_without(visitor, host, denial):
    page = visitor().new_page()
    troubles = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda message: message.type == "error" and troubles.append(message.text))
    page.add_init_script(DENIALS[denial])
    page.goto(host.address + LESSON)
    live(page)
    page.reload()
    live(page)
    assert troubles == []


def test_what_is_kept_is_what_the_site_lists(visitor, host, built_site):
    page = visitor().new_page()
    visit(page, host.address)
    kept = page.evaluate(NAMES)
    pages = {f"{host.address}{path.relative_to(built_site).as_posix()}" for path in built_site.rglob("*.html")}
    [own] = [urls for name, urls in kept.items() if name.startswith("ferrolab pages / ")]
    assert pages < set(own)
    scripts = {f"{host.address}{path.relative_to(built_site).as_posix()}" for path in assets_folder(built_site).rglob("*") if path.suffix in (".js", ".css")}
    assert scripts < set(kept["ferrolab files /"])
