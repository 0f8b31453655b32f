"""The generator of the samples: its distribution, its independence, and that it is where it is for a reason."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
import scipy.stats

from ferrolab.smoothing.normal import mixed, standard_normal

MANY = 200_000


def test_mixing_is_splitmix64() -> None:
    """The first three numbers of SplitMix64 from the state 1234567, as its authors' program prints them."""
    step = np.uint64(0x9E3779B97F4A7C15)
    states = np.uint64(1234567) + step * np.arange(1, 4, dtype=np.uint64)
    assert mixed(states).tolist() == [6457827717110365317, 3203168211198807973, 9817491932198370423]


@pytest.mark.parametrize("seed, stream", [(0, 0), (0, 19), (7, 3), (2**32, 1)])
def test_numbers_are_standard_normal(seed: int, stream: int) -> None:
    x = standard_normal(seed, stream, MANY)
    assert scipy.stats.kstest(x, "norm").pvalue > 1e-3
    assert abs(np.mean(x)) < 4 / np.sqrt(MANY) and abs(np.var(x) - 1) < 4 * np.sqrt(2 / MANY)
    assert abs(np.mean(x**4) - 3) < 4 * np.sqrt(96 / MANY)
    assert abs(np.corrcoef(x[:-1], x[1:])[0, 1]) < 4 / np.sqrt(MANY), "neighbours"


def test_streams_and_seeds_are_independent() -> None:
    streams = np.array([standard_normal(seed, stream, MANY // 10) for seed in (0, 1) for stream in range(6)])
    between = np.corrcoef(streams)[np.triu_indices(len(streams), 1)]
    assert np.max(np.abs(between)) < 4.5 / np.sqrt(MANY // 10)


def test_a_number_depends_on_seed_stream_and_place() -> None:
    assert np.array_equal(standard_normal(3, 2, 50), standard_normal(3, 2, 50))
    assert len(np.unique(np.concatenate([standard_normal(seed, stream, 50) for seed in (0, 1) for stream in (0, 1)]))) == 200


def test_the_study_does_not_load_numpy_s_generators() -> None:
    """They weigh a megabyte and a half, and every page with a bench would have to fetch them."""
    code = (
        "import sys, numpy; at_first = 'numpy.random' in sys.modules\n"
        "from ferrolab import smoothing\n"
        "list(smoothing.refine(smoothing.Settings(samples=20)))\n"
        "print(at_first, 'numpy.random' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60).stdout
    assert told.split() == ["False", "False"]
