"""Lesson 2's bench under `panel serve`, driven in Chromium as a learner drives it."""

import re

import pytest
from bench_screen import opened

pytestmark = pytest.mark.browser

MINUS = "−"


@pytest.fixture
def screen(browser, address):
    with opened(browser, f"{address}?view=who-is-to-blame") as screen:
        yield screen


def table(screen):
    return screen.page.get_by_role("table", name="Law × stepping × derivative")


def combination(screen, law, stepping, derivative):
    """Find a cell by its headers, as a reader does."""
    columns = table(screen).locator("thead th").all_inner_texts()
    body = table(screen).locator("tbody", has=screen.page.locator('th[scope="rowgroup"]', has_text=law))
    row = body.locator("tr", has=screen.page.locator('th[scope="row"]', has_text=stepping))
    return row.locator("td").nth(columns.index(derivative) - 1)


def rest(screen, change):
    """Stay until the bench has said what changed, which is when it remembers a cell."""
    screen.page.get_by_role("status").filter(has_text=change).wait_for(state="attached")


def test_every_control_is_found_by_name(screen):
    screen.slider.fill("6")
    assert screen.radio("1e-4 s").is_checked()
    for group, options in (
        ("Derivative", ("Autodiff", "Finite difference", "Event-aware")),
        ("Contact law", ("Spring–damper", "Hunt–Crossley")),
    ):
        assert screen.radio(options[0], group).is_checked()
        for option in options:
            assert screen.radio(option, group).count() == 1
    assert screen.toggle.get_attribute("aria-pressed") == "false"
    matrix = screen.button("Saltation matrix")
    assert matrix.is_disabled() and matrix.get_attribute("aria-pressed") == "true"
    assert screen.page.get_by_text("only event-aware can apply it").is_visible()
    assert screen.page.get_by_text("classical Runge–Kutta (RK4)").is_visible()


def test_the_decisive_pair_is_one_switch(screen):
    screen.slider.fill("6")
    screen.radio("Event-aware", "Derivative").check()
    screen.reads(screen.sign, "SAME SIGN.*spring–damper, fixed RK4 step 1e-4 s, event-aware.*\\+3\\.61466.*off by 1\\.77 × 10⁻⁶")
    matrix = screen.button("Saltation matrix")
    assert matrix.is_enabled()
    matrix.click()
    screen.reads(screen.sign, "WRONG SIGN.*event-aware without its matrix.*−199\\.417.*\\+3\\.61466.*off by 203\\.03")
    assert matrix.get_attribute("aria-pressed") == "false"
    matrix.click()
    screen.reads(screen.sign, "SAME SIGN.*\\+3\\.61466")


def test_the_table_fills_as_its_cells_are_visited(screen):
    here = combination(screen, "Spring–damper", "fixed step", "Autodiff")
    screen.slider.fill("6")
    screen.reads(here, "−196\\.33\\s*✗ wrong sign\\s*k = 106, 1e-4\\s*\\(you are here\\)")
    assert here.get_attribute("aria-current") == "true"
    rest(screen, "Stiffness ten to the 6.00")
    screen.toggle.click()
    tolerance = combination(screen, "Spring–damper", "tolerance", "Autodiff")
    screen.reads(tolerance, "−199\\.39\\s*✗ wrong sign")
    screen.reads(here, "−196\\.33")
    assert here.get_attribute("aria-current") is None
    rest(screen, "Error tolerance on")
    screen.radio("Finite difference", "Derivative").check()
    screen.reads(combination(screen, "Spring–damper", "tolerance", "Finite difference"), "\\+3\\.62\\s*✓ right")
    kinds = table(screen).locator("td").evaluate_all("cells => cells.map((cell) => cell.dataset.kind)")
    assert [kinds.count(kind) for kind in ("wrong-sign", "right", "empty")] == [2, 1, 9]


def test_a_law_without_a_jump_is_worked_on_and_then_converges(screen):
    screen.radio("Hunt–Crossley", "Contact law").check()
    screen.reads(screen.sign, "Hunt–Crossley, fixed RK4 step 1e-4 s, autodiff.*\\+3\\.53745.*\\+3\\.39253")
    screen.radio("1e-5 s").check()
    screen.reads(screen.sign, "SAME SIGN.*\\+3\\.40019.*off by 0\\.00766")
    assert screen.sign.get_attribute("aria-busy") == "false"
    screen.reads(screen.page.get_by_role("definition").filter(has_text="nothing jumps"), "^0: nothing jumps$")


def test_the_shares_and_the_force_are_described_for_a_screen_reader(screen):
    screen.slider.fill("6")
    plot = screen.page.get_by_text("Log–log plot of three shares")
    screen.reads(plot, "event: 1\\.67 at the soft end, 2,030 at the stiff end\\. contact model: 1\\.18 at the soft end, 0\\.00106")
    screen.reads(plot, "You are at ten to the 6\\.00: step 3\\.08, event 203, contact model 0\\.0106\\.")
    screen.reads(screen.page.get_by_text("At touch-down the force"), "jumps from 0 to 1,423 metres per second squared")
    screen.reads(screen.cell("event exponent"), "\\+0\\.500")
    screen.reads(screen.cell("model exponent"), f"{MINUS}0\\.502")


def test_a_contact_of_few_steps_is_called_under_resolved(screen):
    screen.slider.fill("8")
    screen.reads(screen.sign, "A contact of 4 steps: under-resolved")
    screen.radio("1e-5 s").check()
    screen.reads(screen.cell("steps in contact"), "^29\\s*$")
    assert not re.search("under-resolved", screen.sign.inner_text())


@pytest.mark.parametrize("width", [320, 360, 560])
def test_nothing_is_cut_off_at_any_width(screen, width):
    screen.page.set_viewport_size({"width": width, "height": 900})
    screen.slider.fill("8")
    screen.radio("Event-aware", "Derivative").check()
    screen.button("Saltation matrix").click()
    screen.reads(screen.sign, "−2,020\\.02")
    rest(screen, "Saltation matrix off")
    assert screen.overflow() <= 0
    cells = table(screen).locator("td")
    parts = (screen.slider, screen.button("Saltation matrix"), screen.sign, screen.radio("Event-aware", "Derivative"), cells.nth(2))
    for part in parts:
        box = part.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= width + 0.5
    spills = cells.evaluate_all("cells => cells.filter((cell) => cell.scrollWidth > cell.clientWidth + 1).length")
    assert spills == 0


def test_the_controls_stay_in_place_whatever_is_chosen(screen):
    """A control that moves away when another is pressed is a control missed."""
    places = []
    for option in ("Autodiff", "Finite difference", "Event-aware"):
        screen.radio(option, "Derivative").check()
        places.append((screen.button("Saltation matrix").bounding_box()["x"], screen.radio("1e-4 s").bounding_box()["x"]))
    assert places == [places[0]] * 3
