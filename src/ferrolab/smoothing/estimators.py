"""Gradients of an average under Gaussian noise, from samples: `d/dtheta E[f(theta + w)]`, `w ~ N(0, scale^2 I)`.

* Zeroth order (score function, likelihood ratio): the average of `(f(theta + w) - baseline) w / scale^2`. It needs
  values only, and is unbiased for every f whose average exists.
* First order (pathwise, reparametrised): the average of `grad f(theta + w)`. It has less variance where f is smooth,
  and is **biased where f jumps**: the jump carries a share of the average's slope and no sample ever sees it.

Williams, Machine Learning 8 (1992), for the first; Suh et al., arXiv 2202.00817, for when they differ.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from ferrolab.smoothing.moments import Moments
from ferrolab.validate import InvalidInput, finite, one_of, positive

BASELINES = ("none", "center", "leave-one-out")
"""What is subtracted from the values: nothing, `f(theta)`, or the mean of the chunk's other values. None adds bias."""

# Samples are drawn, worked on and cancelled by the chunk.
CHUNK = 1000


class Objective(Protocol):
    """A function of n parameters. To be worked on by other processes it must be picklable."""

    def value(self, points: np.ndarray) -> np.ndarray:
        """(samples, n) -> (samples,)."""

    def gradient(self, points: np.ndarray) -> np.ndarray:
        """(samples, n) -> (samples, n), the derivative along the branch each sample took."""


@dataclass(frozen=True)
class ZerothOrder:
    """The score-function estimator.

    Args:
        baseline: see `BASELINES`. antithetic: draw w and -w together; one sample is then a pair, two evaluations,
            and the baseline cancels.
    """

    baseline: str = "none"
    antithetic: bool = False

    name = "zeroth-order"

    def __post_init__(self) -> None:
        one_of("baseline", self.baseline, BASELINES)

    @property
    def evaluations(self) -> int:
        """Of f, for one sample."""
        return 2 if self.antithetic else 1

    def terms(self, objective: Objective, theta: np.ndarray, w: np.ndarray, scale: float) -> tuple[np.ndarray, np.ndarray]:
        """Values (samples,) and gradient terms (samples, n)."""
        values = objective.value(theta + w)
        score = w / scale**2
        if self.antithetic:
            mirrored = objective.value(theta - w)
            return 0.5 * (values + mirrored), 0.5 * (values - mirrored)[:, None] * score
        return values, (values - self._baseline(objective, theta, values))[:, None] * score

    def _baseline(self, objective: Objective, theta: np.ndarray, values: np.ndarray) -> np.ndarray | float:
        if self.baseline == "center":
            return objective.value(theta[None, :])[0]
        if self.baseline == "leave-one-out" and len(values) > 1:
            return (np.sum(values) - values) / (len(values) - 1)
        return 0.0


@dataclass(frozen=True)
class FirstOrder:
    """The pathwise estimator."""

    name = "first-order"
    evaluations = 1

    def terms(self, objective: Objective, theta: np.ndarray, w: np.ndarray, scale: float) -> tuple[np.ndarray, np.ndarray]:
        """Values (samples,) and gradient terms (samples, n)."""
        return objective.value(theta + w), objective.gradient(theta + w)


Estimator = ZerothOrder | FirstOrder


@dataclass(frozen=True)
class Sampling:
    """What is drawn.

    Args:
        scale: standard deviation of the noise, in the parameters' unit, greater than 0.
        samples: how many, at least 2. seed: whole number. chunk: samples drawn at a time; it belongs to the result,
            since each chunk has its own generator, seeded by `(seed, number of the chunk)`.
    """

    scale: float
    samples: int
    seed: int = 0
    chunk: int = CHUNK

    def __post_init__(self) -> None:
        positive("scale", self.scale)
        for name, least in (("samples", 2), ("chunk", 1), ("seed", 0)):
            given = getattr(self, name)
            if isinstance(given, bool) or int(given) != given or given < least:
                raise InvalidInput(name, given, f"a whole number, {least} or greater")

    @property
    def chunks(self) -> int:
        return -(-self.samples // self.chunk)

    def noise(self, chunk: int, dimension: int) -> np.ndarray:
        """(samples of the chunk, dimension), the same on every machine and in every order."""
        size = min(self.chunk, self.samples - chunk * self.chunk)
        # The standard library's generator: numpy's are compiled modules, a third of a megabyte that every page would load.
        draw = random.Random((self.seed << 32) + chunk).gauss
        return self.scale * np.array([draw() for _ in range(size * dimension)]).reshape(size, dimension)


@dataclass(frozen=True)
class Estimate:
    """What the samples say so far.

    Attributes:
        value: estimate of the average, with value_error. gradient: (n,), of its derivative. variance: (n,), of one
            sample of it. standard_error: (n,), of the estimate. samples: drawn. evaluations: of f.
        complete: whether all the samples asked for are in.
    """

    value: float
    value_error: float
    gradient: np.ndarray
    variance: np.ndarray
    standard_error: np.ndarray
    samples: int
    evaluations: int
    complete: bool


@dataclass(frozen=True)
class _Chunk:
    """One chunk's work, as something that can be sent to another process."""

    objective: Objective
    theta: tuple[float, ...]
    sampling: Sampling
    estimator: Estimator

    def __call__(self, chunk: int) -> Moments:
        theta = np.array(self.theta)
        w = self.sampling.noise(chunk, len(theta))
        values, terms = self.estimator.terms(self.objective, theta, w, self.sampling.scale)
        return Moments.of(np.concatenate([values[:, None], terms], axis=1))


def estimates(
    objective: Objective, theta: ArrayLike, sampling: Sampling, estimator: Estimator, executor: Any = None
) -> Iterator[Estimate]:
    """The estimate after each chunk, ever better, the last one complete. To cancel, stop iterating.

    Args:
        theta: (n,) parameters, or one number.
        executor: anything with `submit` in the manner of `concurrent.futures`; the result does not depend on it.

    Raises:
        InvalidInput: theta is not finite, or an option is out of range.
    """
    point = tuple(float(x) for x in np.atleast_1d(finite("theta", theta)))
    work = _Chunk(objective, point, sampling, estimator)
    so_far: Moments | None = None
    for moments in _in_order(work, sampling.chunks, executor):
        so_far = moments if so_far is None else so_far.merged(moments)
        yield _estimate(so_far, estimator, sampling)


def estimate(
    objective: Objective, theta: ArrayLike, sampling: Sampling, estimator: Estimator, executor: Any = None,
    progress: Callable[[int, int], bool | None] | None = None,
) -> Estimate:  # fmt: skip
    """The last of `estimates`.

    Args:
        progress: called with the samples drawn and asked for after each chunk; the work is cancelled, and what is
            known by then returned (`complete` False), when it returns False.
    """
    latest: Estimate | None = None
    running = estimates(objective, theta, sampling, estimator, executor)
    for latest in running:
        if progress is not None and progress(latest.samples, sampling.samples) is False:
            running.close()
            break
    return latest


def _in_order(work: _Chunk, chunks: int, executor: Any) -> Iterator[Moments]:
    if executor is None:
        yield from map(work, range(chunks))
        return
    waiting = [executor.submit(work, chunk) for chunk in range(chunks)]
    try:
        for future in waiting:
            yield future.result()
    finally:
        for future in waiting:
            future.cancel()


def _estimate(moments: Moments, estimator: Estimator, sampling: Sampling) -> Estimate:
    error, variance = moments.standard_error, moments.variance
    return Estimate(
        float(moments.mean[0]), float(error[0]), moments.mean[1:], variance[1:], error[1:], moments.count,
        moments.count * estimator.evaluations, moments.count == sampling.samples,
    )  # fmt: skip
