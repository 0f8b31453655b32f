"""Deploying twice under one browser profile: the next load has all of the new site, and an old page goes on or says so."""

import pytest
from hosting import KEPT, LESSON, NAMES, build_again, live, visit
from waiting import until

from ferrolab.site.build import assets_folder

pytestmark = pytest.mark.browser

FIRST, SECOND = "The gradient that lies", "The gradient that lied"


def edit(web, lessons):
    """Change a text and a script, so that a mix of the two deployments is seen."""
    toml = lessons / "the-gradient-that-lies" / "lesson.toml"
    text = toml.read_text(encoding="utf-8")
    assert text.count(f'title = "{FIRST}"') == 1
    toml.write_text(text.replace(f'title = "{FIRST}"', f'title = "{SECOND}"'), encoding="utf-8")
    script = web / "lesson.js"
    script.write_text(script.read_text(encoding="utf-8") + '\ndocument.body.dataset.deployment = "second";\n', encoding="utf-8")


@pytest.fixture(scope="module")
def second_site(built_site, tmp_path_factory):
    return build_again(built_site, tmp_path_factory.mktemp("second"), edit)


def is_second(page):
    return page.locator("h1").inner_text() == SECOND, page.evaluate("document.body.dataset.deployment ?? 'first'") == "second"


def test_the_next_load_has_all_of_the_new_deployment_and_the_old_one_is_deleted_exactly(visitor, host, built_site, second_site):
    page = visitor().new_page()
    visit(page, host.address)
    assert is_second(page) == (False, False)
    host.publish(second_site)
    host.sent.clear()
    page.reload()
    live(page)
    assert is_second(page) == (True, True)
    old, new = assets_folder(built_site).name, assets_folder(second_site).name
    assert not any(old in path for path, _, _ in host.sent)
    assert not any(path.startswith("/runtime/") for path, _, _ in host.sent), "what did not change is not sent again"
    until(page, f"async () => !JSON.stringify(await ({NAMES})()).includes('{old}')")
    kept = page.evaluate(NAMES)
    assert len([name for name in kept if name.startswith("ferrolab pages / ")]) == 1
    listed = {f"{host.address}{path.relative_to(second_site).as_posix()}" for path in second_site.rglob("*") if path.is_file()}
    assert set(kept["ferrolab files /"]) < listed and any(new in url for url in kept["ferrolab files /"])
    host.stop()
    page.reload()
    live(page)
    assert is_second(page) == (True, True), "without a network too"
    host.start()


def test_an_old_page_still_open_goes_on_although_its_files_are_gone_from_the_host(visitor, host, second_site):
    context = visitor()
    old = context.new_page()
    visit(old, host.address)
    old.get_by_label("It grows").check()
    old.get_by_role("button", name="Keep my prediction").click()
    host.publish(second_site)
    new = context.new_page()
    new.goto(host.address + LESSON)
    live(new)
    assert is_second(new) == (True, True)
    until(new, "async () => (await caches.keys()).filter((name) => name.startsWith('ferrolab pages / ')).length === 2")
    new.wait_for_timeout(1000)
    [worker] = old.workers
    worker.evaluate("setTimeout(() => { throw new Error('killed by the test') })")
    old.wait_for_selector('#bench[data-bench-state="failed"]')
    old.get_by_role("button", name="Retry").click()
    live(old)
    assert is_second(old) == (False, False)
    old.close()
    new.reload()
    live(new)
    until(new, "async () => (await caches.keys()).filter((name) => name.startsWith('ferrolab pages / ')).length === 1")


def test_an_old_page_that_kept_nothing_asks_to_be_loaded_again(visitor, host, second_site):
    page = visitor(service_workers="block").new_page()
    page.goto(host.address + LESSON)
    live(page)
    host.publish(second_site)
    [worker] = page.workers
    page.route("**/worker.js", lambda route: route.fulfill(status=404))  # the browser's own cache is not asked
    worker.evaluate("setTimeout(() => { throw new Error('killed by the test') })")
    page.wait_for_selector('#bench[data-bench-state="failed"]')
    page.get_by_role("button", name="Retry").click()
    page.get_by_text("This site has been published anew").wait_for()
    page.get_by_role("button", name="Load the page again").click()
    page.unroute("**/worker.js")
    live(page)
    assert is_second(page) == (True, True)


def test_a_text_alone_reaches_the_next_load_too(visitor, host, built_site, tmp_path):
    def words(web, lessons):
        prose = lessons / "the-gradient-that-lies" / "lesson.md"
        prose.write_text(prose.read_text(encoding="utf-8") + "\nA last word.\n", encoding="utf-8")

    page = visitor().new_page()
    visit(page, host.address)
    host.publish(build_again(built_site, tmp_path, words))
    page.reload()
    page.get_by_text("A last word.").wait_for(state="attached")
    live(page)
    until(page, KEPT, "/")
