"""The tables behind the pictures: the values of the curves at places, filled while they are open."""

from __future__ import annotations

import numpy as np
import pytest

from ferrolab import audit
from ferrolab.bench import VIEWS, Bench, numerals
from ferrolab.bench.tables import decade, spread, table
from ferrolab.words import for_bench


def test_a_table_reads_curves_between_their_points_and_says_where_there_is_none() -> None:
    curves = {"a": ([0.0, 1.0, 2.0], [0.0, 10.0, 20.0]), "b": ([1.0, 2.0, 3.0], [5.0, np.nan, 7.0]), "c": ([], [])}
    made = table("place", [0.5, 1.0, 3.0], curves)
    assert made.columns == ["place", "a", "b", "c"]
    assert made.rows == [["0.500", "5.00", "–", "–"], ["1.00", "10.0", "5.00", "–"], ["3.00", "–", "7.00", "–"]]


def test_places_spread_over_all_curves() -> None:
    places = spread({"a": ([0.0, 1.0], [0, 0]), "b": ([-1.0, 3.0], [0, 0])})
    assert (places[0], places[-1], len(places)) == (-1.0, 3.0, 9)
    assert len(spread({"a": ([], [])})) == 0


def test_a_decade_is_written_as_a_power() -> None:
    assert [decade(2.0), decade(-3.0)] == ["10²", "10⁻³"]


@pytest.mark.parametrize("name", VIEWS)
def test_every_picture_of_a_view_offers_a_table_that_is_filled_once_opened(name: str) -> None:
    bench = Bench(view=name)
    bench.work()
    captions = [caption for caption, _ in bench._table_sources().values()]
    assert len(captions) >= 2
    for caption in captions:
        assert caption.heading and caption.description and caption.offer == "Show as table"
        assert caption.rows == []
        caption.open = True
        assert len(caption.columns) >= 3 and len(caption.rows) >= 7
        assert all(len(row) == len(caption.columns) and all(row) for row in caption.rows)


def test_an_open_table_follows_its_picture() -> None:
    bench = Bench()
    caption = bench._parts.errors_caption
    caption.open = True
    bench.work()
    at_four = next(row for row in caption.rows if row[0] == "10⁴")
    assert at_four[-1] == numerals.quantity(audit.readout(audit.Settings(stiffness=1e4)).gradient_error)
    before = list(caption.rows)
    bench.set_controls({"dt": 1e-5})
    bench.work()
    assert caption.rows != before
    caption.open = False
    closed = list(caption.rows)
    bench.set_controls({"dt": 1e-6})
    bench.work()
    assert caption.rows == closed


def test_a_table_speaks_the_language_of_its_bench() -> None:
    bench = Bench(words=for_bench("de"))
    bench.work()
    caption = bench._parts.flight_caption
    caption.open = True
    assert caption.offer == "Als Tabelle zeigen" and caption.columns == ["Zeit (s)", "Feder", "starrer Stoß"]
    assert caption.rows[1][0] == "0,100"
