"""Mean and variance of samples that arrive in chunks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Moments:
    """count samples with their mean and their summed squared deviations from it, component by component.

    Chunks are merged by the pairwise rule of Chan, Golub and LeVeque (1983), always in the order of their numbers, so
    that the sums are the same to the last bit wherever the chunks were computed.
    """

    count: int
    mean: np.ndarray
    squares: np.ndarray

    @classmethod
    def of(cls, samples: np.ndarray) -> Moments:
        """Of samples (n, ...)."""
        mean = np.mean(samples, axis=0)
        return cls(len(samples), mean, np.sum((samples - mean) ** 2, axis=0))

    def merged(self, other: Moments) -> Moments:
        """Of both together."""
        count = self.count + other.count
        apart = other.mean - self.mean
        mean = self.mean + apart * (other.count / count)
        return Moments(count, mean, self.squares + other.squares + apart * apart * (self.count * other.count / count))

    @property
    def variance(self) -> np.ndarray:
        """Unbiased variance of one sample; 0 of a single one."""
        return self.squares / max(self.count - 1, 1)

    @property
    def standard_error(self) -> np.ndarray:
        """Of the mean."""
        return np.sqrt(self.variance / self.count)
