"""Runs at three steps: the observed order, and the limit at vanishing step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import dalembert as da

Floats = NDArray[np.float64]


class Convergence(NamedTuple):
    """What three runs at dt, dt/2 and dt/4 say of a vector of observed numbers."""

    values: Floats
    """(3, k) the observed numbers."""
    limit: Floats
    """(k,) Richardson's extrapolation. The errors of a symmetric method have even powers of the step only."""
    constraint_error: float
    """The largest violation of a constraint at any step of the three runs."""

    def order(self, exact: Any) -> float:
        """The power of the step with which the error against ``exact`` falls, between the two finest runs."""
        errors = np.linalg.norm(self.values - np.asarray(exact), axis=1)
        return float(np.log2(errors[1] / errors[2]))


def converge(
    model: da.Model,
    state: da.State,
    observe: Callable[[da.Trajectory], Sequence[float] | Floats],
    *,
    duration: float,
    steps: int,
    integrator: da.Integrator | None = None,
    **options: Any,
) -> Convergence:
    """Run with ``steps``, 2 and 4 times as many; ``observe`` takes its numbers from a run recorded at its end."""
    method = da.MaximalVI(tol=1e-12) if integrator is None else integrator
    values, errors = [], []
    for n in (steps, 2 * steps, 4 * steps):
        run = da.simulate(model, state, duration=duration, dt=duration / n, integrator=method, every=n, **options)
        values.append(np.asarray(observe(run), dtype=float))
        errors.append(float(run.constraint_error.max()))
    coarse, middle, fine = values
    once, twice = (4.0 * middle - coarse) / 3.0, (4.0 * fine - middle) / 3.0
    return Convergence(np.array(values), (16.0 * twice - once) / 15.0, max(errors))
