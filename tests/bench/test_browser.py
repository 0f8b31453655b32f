"""The bench under `panel serve`, driven in Chromium as a learner drives it: by name, by key, by touch."""

import pytest
from bench_screen import opened

pytestmark = pytest.mark.browser


@pytest.fixture
def screen(browser, address):
    with opened(browser, address) as screen:
        yield screen


def test_each_control_is_found_by_name_and_moves_the_sign_line(screen):
    screen.reads(screen.sign, "WRONG SIGN.*−16\\.76.*\\+3\\.59")
    screen.slider.fill("6")
    screen.reads(screen.sign, "WRONG SIGN.*autodiff, fixed step 1e-4 s.*−160\\.86.*\\+3\\.63")
    assert screen.slider.get_attribute("aria-valuetext") == "ten to the 6.00"
    screen.radio("1e-5 s").check()
    screen.reads(screen.sign, "−199\\.22")
    screen.radio("1e-6 s").check()
    screen.reads(screen.sign, "−199\\.79")
    screen.toggle.click()
    screen.reads(screen.sign, "SAME SIGN.*finite differences, tolerance 1e-11.*\\+3\\.6")
    assert screen.toggle.get_attribute("aria-pressed") == "true"


def test_the_readout_is_a_table_with_row_headers(screen):
    screen.slider.fill("6")
    screen.reads(screen.cell("gradient error"), "45\\.3")
    screen.reads(screen.cell("exponent"), "0\\.529")
    screen.reads(screen.cell("evaluations, fixed"), "8,000")
    screen.reads(screen.cell("tolerance to fixed"), "1\\.8\\d times more")
    screen.page.get_by_role("radiogroup", name="Impact speed").get_by_role("radio", name="0.01", exact=True).check()
    screen.reads(screen.cell("timing at 0.01 m/s"), "1,609")


def test_every_control_answers_to_the_keyboard_alone(screen):
    keys = screen.page.keyboard
    reached = []
    for _ in range(4):
        keys.press("Tab")
        reached.append(screen.page.evaluate(
            "() => { let e = document.activeElement; while (e?.shadowRoot?.activeElement) e = e.shadowRoot.activeElement;"
            " return e.type ?? e.tagName }"
        ))  # fmt: skip
    # The table behind the first picture opens with the key too.
    assert reached == ["radio", "button", "range", "SUMMARY"]
    screen.slider.focus()
    keys.press("PageUp")
    keys.press("ArrowRight")
    screen.reads(screen.cell("stiffness"), "1\\.02 × 10⁵")
    screen.toggle.focus()
    keys.press("Space")
    screen.reads(screen.sign, "tolerance 1e-11")
    screen.radio("1e-4 s").focus()
    keys.press("ArrowRight")
    assert screen.radio("1e-5 s").is_checked()


def test_a_held_key_ends_where_it_was_let_go(screen):
    screen.slider.focus()
    for _ in range(40):
        screen.page.keyboard.press("ArrowRight")
    assert screen.slider.input_value() == "4.4"
    screen.reads(screen.cell("stiffness"), "2\\.51 × 10⁴")


def test_the_live_region_speaks_once_the_learner_has_settled(screen):
    spoken = screen.page.get_by_role("status")
    screen.reads(spoken, "Bench ready")
    for value in ("4.5", "5", "5.5", "6"):
        screen.slider.fill(value)
    screen.reads(spoken, "^Stiffness ten to the 6\\.00\\. Wrong sign: returned minus 160\\.86")


def test_curves_and_pictures_are_described_for_a_screen_reader(screen):
    plot = screen.page.get_by_text("Log–log plot of three errors")
    screen.reads(plot, "gradient, tolerance: 0\\.36\\d? at the soft end")
    screen.reads(screen.page.get_by_text("The mass falls from"), "meets the ground at 0\\.452 s")


@pytest.mark.parametrize("width", [320, 360, 560])
def test_nothing_is_cut_off_at_any_width(screen, width):
    screen.page.set_viewport_size({"width": width, "height": 900})
    screen.slider.fill("8")
    screen.reads(screen.sign, "2,180\\.3")
    assert screen.overflow() <= 0
    for part in (screen.slider, screen.toggle, screen.sign, screen.page.get_by_role("table", name="Readout at the settings above")):
        box = part.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= width + 0.5
    # The canvas must leave room for the finger: a slider and a button tall enough to touch.
    assert screen.slider.bounding_box()["height"] >= 44


def test_the_thumb_stands_over_the_learner_s_line(screen):
    """The slider is inset as the plot's axis is, so both show the same place."""
    from ferrolab.bench.tokens import AXIS_LEFT, AXIS_PAD, AXIS_RIGHT

    box = screen.slider.bounding_box()
    thumb = 24
    frame = 560 - AXIS_LEFT - AXIS_RIGHT
    axis = [AXIS_LEFT + frame * (decade - 2 + AXIS_PAD) / (6 + 2 * AXIS_PAD) for decade in (2, 8)]
    assert box["x"] + thumb / 2 == pytest.approx(axis[0], abs=1)
    assert box["x"] + box["width"] - thumb / 2 == pytest.approx(axis[1], abs=1)


def test_a_dark_bench_is_dark(screen, address):
    screen.open(f"{address}?scheme=dark")
    region = screen.page.get_by_role("region", name="Bench", exact=True)
    assert region.evaluate("node => getComputedStyle(node).backgroundColor") == "rgb(27, 31, 36)"
    assert screen.page.evaluate("() => getComputedStyle(document.body).backgroundColor") == "rgb(20, 23, 26)"
