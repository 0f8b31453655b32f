"""The partial derivatives of numpy's elementwise functions, and the base of the numbers that apply them.

A number that derives from `Differentiable` goes through plain numpy code in place of an array: numpy hands every
ufunc to `__array_ufunc__`, which computes the value and leaves what becomes of the partials to the subclass.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Partial = Callable[..., Any]

#: ufunc -> for each argument, (output, *arguments) -> partial derivative with respect to it.
#: At a corner (maximum, minimum, absolute) the derivative is that of the side on which the constant is returned.
PARTIALS: dict[np.ufunc, tuple[Partial, ...]] = {
    np.add: (lambda out, a, b: 1.0, lambda out, a, b: 1.0),
    np.subtract: (lambda out, a, b: 1.0, lambda out, a, b: -1.0),
    np.multiply: (lambda out, a, b: b, lambda out, a, b: a),
    np.divide: (lambda out, a, b: 1.0 / b, lambda out, a, b: -out / b),
    np.negative: (lambda out, a: -1.0,),
    np.maximum: (lambda out, a, b: (a > b) * 1.0, lambda out, a, b: (a <= b) * 1.0),
    np.minimum: (lambda out, a, b: (a < b) * 1.0, lambda out, a, b: (a >= b) * 1.0),
    np.sqrt: (lambda out, a: 0.5 / out,),
    np.exp: (lambda out, a: out,),
    np.logaddexp: (lambda out, a, b: np.exp(a - out), lambda out, a, b: np.exp(b - out)),
    np.sin: (lambda out, a: np.cos(a),),
    np.cos: (lambda out, a: -np.sin(a),),
}

COMPARISONS = (np.less, np.less_equal, np.greater, np.greater_equal, np.equal, np.not_equal)


class Differentiable(np.lib.mixins.NDArrayOperatorsMixin):
    """A value (lanes...) that knows how it depends on something. Comparisons look at the value alone."""

    value: np.ndarray

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        if method != "__call__" or options:
            return NotImplemented
        values = [x.value if isinstance(x, Differentiable) else x for x in inputs]
        if ufunc in COMPARISONS:
            return ufunc(*values)
        if ufunc not in PARTIALS:
            raise NotImplementedError(
                f"{ufunc.__name__} has no derivative here; add its partials to derivative/elementwise.py."
            )
        out = ufunc(*values)
        chain = [
            (x, partial(out, *values)) for x, partial in zip(inputs, PARTIALS[ufunc]) if isinstance(x, Differentiable)
        ]
        return self.follow(out, chain)

    def follow(self, value: np.ndarray, chain: list[tuple[Any, Any]]) -> Any:
        """The number with this value, where `chain` pairs each argument that was differentiable with its partial."""
        raise NotImplementedError
