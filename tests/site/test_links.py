"""The state of a bench in an address: read as it was written, and nothing else is believed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ferrolab.bench import VIEWS
from ferrolab.controls import CONTROLS, Control
from ferrolab.site.links import from_link, to_link

IDS = ("log_stiffness", "dt", "stepping", "saltation", "law")
DEFAULTS = {name: CONTROLS[name].default for name in IDS}


def values(control: Control) -> st.SearchStrategy:
    if control.kind != "slider":
        return st.sampled_from(control.values)
    steps = round((control.stop - control.start) / control.step)
    return st.integers(0, steps).map(lambda step: round(control.start + step * control.step, 6))


@pytest.mark.parametrize("view", VIEWS)
def test_every_state_of_every_bench_is_read_as_it_was_written(view: str) -> None:
    ids = VIEWS[view].CONTROL_IDS

    @given(st.fixed_dictionaries({name: values(CONTROLS[name]) for name in ids}))
    def check(controls: dict) -> None:
        link = to_link(controls)
        assert set(link) <= set("abcdefghijklmnopqrstuvwxyz0123456789_=&.-+")
        settings, left_out = from_link(link, ids)
        assert (settings or {name: CONTROLS[name].default for name in ids}) == controls
        assert left_out == []

    check()


def test_a_bench_as_it_starts_needs_no_link() -> None:
    assert to_link(DEFAULTS) == ""
    assert to_link(DEFAULTS | {"dt": 1e-6}) == "log_stiffness=4&dt=1e-06&stepping=fixed&saltation=on&law=kelvin-voigt"
    assert from_link("", IDS) == ({}, [])


def test_what_a_link_does_not_say_is_as_the_bench_starts() -> None:
    assert from_link("saltation=off", IDS) == (DEFAULTS | {"saltation": False}, [])


def test_a_number_may_be_written_as_people_write_it_and_lands_on_the_sliders_steps() -> None:
    settings, left_out = from_link("log_stiffness=6.50312&dt=0.00001", IDS)
    assert (settings["log_stiffness"], settings["dt"], left_out) == (6.5, 1e-5, [])


@pytest.mark.parametrize(
    "piece",
    ["log_stiffness=99", "log_stiffness=1.99", "log_stiffness=nan", "log_stiffness=inf", "log_stiffness=1e999", "log_stiffness=", "log_stiffness",
     "log_stiffness=4_0", "log_stiffness= 4", "dt=2e-4", "dt=fixed", "stepping=sideways", "stepping=1", "saltation=1", "saltation=true", "law=", "colour=red",
     "release_height=0.1", "__class__=1", "=", "=4", "<b>x</b>=1"],
)  # fmt: skip
def test_what_the_bench_does_not_have_is_left_out_and_the_rest_holds(piece: str) -> None:
    assert from_link(piece, IDS) == ({}, [piece])
    assert from_link(f"{piece}&dt=1e-06", IDS) == (DEFAULTS | {"dt": 1e-6}, [piece])


@given(st.text(max_size=3000))
def test_no_link_whatever_breaks_it(text: str) -> None:
    settings, left_out = from_link(text, IDS)
    assert settings == {} or set(settings) == set(IDS)
    assert all(piece in text for piece in left_out)
