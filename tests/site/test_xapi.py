"""cmi5 in Chromium: what a record store is told, in which order, and what comes back when the lesson is opened again."""

import pytest
from fake_lrs import ACTOR, REGISTRATION, TEMPLATE, record_store
from packages import hosted, predict, slide
from waiting import wait_for

from ferrolab.lesson import load_lesson
from ferrolab.lesson.compact import LIMIT
from ferrolab.lesson.new import new_lesson
from ferrolab.site.export import page_path

pytestmark = pytest.mark.browser
CMI5 = "https://w3id.org/xapi/cmi5/context/categories/cmi5"
MOVE_ON = "https://w3id.org/xapi/cmi5/context/categories/moveon"


@pytest.fixture(scope="module")
def lesson(tmp_path_factory):
    return load_lesson(new_lesson("my-lesson", tmp_path_factory.mktemp("lessons")))


@pytest.fixture
def visit(browser, lesson, built_site, tmp_path):
    """A function that opens the lesson as a course launches it and gives the page; and the store, as its attribute."""
    with record_store() as store, hosted("cmi5", lesson, built_site, tmp_path) as address:
        context = browser.new_context()
        context.set_default_timeout(60_000)

        def open_lesson(launched=True):
            page = context.new_page()
            page.strays = []
            page.on("request", lambda request: request.url.startswith(("data:", "blob:", address, store.address)) or page.strays.append(request.url))
            target = f"{address}package/{page_path(lesson)}"
            page.goto(store.launch(target) if launched else target)
            page.locator('#bench[data-bench-state="live"]').wait_for()
            return page

        open_lesson.store = store
        yield open_lesson
        context.close()


def verbs(store):
    return [statement["verb"]["id"].rsplit("/", 1)[1] for statement in store.statements]


def wait_for_verb(store, verb):
    wait_for(lambda: verb in verbs(store), lambda: f"no {verb} among {verbs(store)}")


def see_both_signs(page):
    """What the starter lesson's check needs, each readout left standing until it counts: on a busy machine, for longer."""
    for rest in (1500, 3000, 6000):
        for place, sign in ((2, "same sign"), (6, "wrong sign")):
            slide(page, place)
            page.locator(".bar-text").filter(has_text=sign).wait_for(state="attached")
            page.wait_for_timeout(rest)
        if page.locator("#checks .met").count():
            return
    pytest.fail("the bench was looked at for long, and no check is met")


def categories(statement):
    return [one["id"] for one in statement["context"]["contextActivities"].get("category", [])]


def test_a_visit_is_told_in_order_and_comes_back(visit):
    store = visit.store
    page = visit()
    predict(page)
    page.get_by_label("The gradient error.").check()
    page.locator("[data-question=which-way]").get_by_role("button", name="Answer").click()
    wait_for_verb(store, "answered")
    see_both_signs(page)
    wait_for_verb(store, "completed")
    page.wait_for_timeout(500)
    page.goto("about:blank")
    wait_for_verb(store, "terminated")
    assert verbs(store) == ["initialized", "answered", "passed", "completed", "terminated"]
    for statement in store.statements:
        assert statement["actor"] == ACTOR and statement["context"]["registration"] == REGISTRATION
        assert statement["context"]["extensions"] == TEMPLATE["extensions"]
        assert statement["context"]["contextActivities"]["grouping"] == TEMPLATE["contextActivities"]["grouping"]
    assert len({statement["id"] for statement in store.statements}) == 5
    initialized, answered, passed, completed, terminated = store.statements
    assert categories(initialized) == categories(terminated) == [CMI5] and categories(answered) == []
    assert categories(passed) == categories(completed) == [CMI5, MOVE_ON]
    assert answered["object"]["id"].endswith("#which-way") and answered["result"] == {"response": "gradient", "success": True}
    assert passed["result"]["success"] is True and passed["result"]["score"] == {"scaled": 1} and passed["result"]["duration"].startswith("PT")
    assert completed["result"]["completion"] is True
    assert page.strays == []
    [kept] = store.states.values()
    assert kept.isascii() and len(kept) <= LIMIT

    store.statements.clear()
    page = visit()
    page.locator("#checks .met").first.wait_for()
    assert page.get_by_label("It gets worse.").is_checked()
    page.goto("about:blank")
    wait_for_verb(store, "terminated")
    assert verbs(store) == ["initialized", "terminated"], "a pass is told once"


def test_ending_without_a_pass_is_told_as_a_failure(visit):
    page = visit()
    predict(page)
    page.get_by_role("button", name="Finish and tell my course").click()
    wait_for_verb(visit.store, "completed")
    assert verbs(visit.store) == ["initialized", "failed", "completed"]
    failed = visit.store.statements[1]
    assert failed["result"]["success"] is False and 0 <= failed["result"]["score"]["scaled"] < 1


def test_a_visit_that_is_for_looking_only_tells_no_pass(visit):
    visit.store.launch_mode = "Review"
    page = visit()
    predict(page)
    see_both_signs(page)
    page.goto("about:blank")
    wait_for_verb(visit.store, "terminated")
    assert verbs(visit.store) == ["initialized", "terminated"]


def test_a_package_that_no_course_launched_says_so_and_sends_nothing(visit):
    page = visit(launched=False)
    page.locator("#notice").filter(has_text="does not answer").wait_for()
    predict(page)
    see_both_signs(page)
    assert visit.store.statements == [] and page.strays == []
