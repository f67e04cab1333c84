"""Trajectory optimisation: SciPy's optimisers on exact gradients."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.adjoint.objectives.base import ObjectiveFunction
from dalembert.adjoint.parameters.base import Parameter
from dalembert.adjoint.problem import Evaluation, Problem, Values
from dalembert.errors import ModelError, SimulationError
from dalembert.integrators.base import Integrator
from dalembert.integrators.bdf2.method import BDF2
from dalembert.model.system import Floats

if TYPE_CHECKING:
    from dalembert.adjoint.forward import DrivenRun
    from dalembert.model.model import Model
    from dalembert.model.state import State

BOUNDED = ("L-BFGS-B", "TNC", "SLSQP", "trust-constr")
UNBOUNDED = ("BFGS", "CG")
BAD = 1e3
"""How much worse than the best, relatively, a run that broke down counts."""


@dataclass(frozen=True, eq=False)
class Optimum:
    """The best run that was found."""

    best: Evaluation
    converged: bool
    """Whether the optimiser says so; ``message`` says why it stopped."""
    message: str
    history: Floats
    """(iterations + 1,) value of the objective at the start and after each iteration."""
    evaluations: int
    """Runs with their gradients."""
    broken: int
    """Runs that broke down: the search took them for very bad ones and went less far."""

    @property
    def value(self) -> float:
        """The objective."""
        return self.best.value

    @property
    def values(self) -> Values:
        """By parameter."""
        return self.best.values

    @property
    def gradient(self) -> Values:
        """By parameter: what is left of the slope; at a bound it may point outwards."""
        return self.best.gradient

    @property
    def run(self) -> DrivenRun:
        """The run with these values."""
        return self.best.run

    @property
    def model(self) -> Model:
        """The mechanism with these values."""
        return self.best.model

    @property
    def state(self) -> State:
        """The start with these values."""
        return self.best.state

    def report(self) -> str:
        """What was found and what it took, in a few lines."""
        took = f"{len(self.history) - 1} iterations, {self.evaluations} runs"
        took += f", of which {self.broken} broke down" if self.broken else ""
        lines = [
            f"objective: {self.history[0]:.6g} -> {self.value:.6g} in {took}",
            f"{'converged' if self.converged else 'stopped'}: {self.message}",
        ]
        for one, value in self.values.items():
            numbers = f"{float(value):.6g}" if value.ndim == 0 else f"{value.size} numbers"
            numbers = np.array2string(value, precision=5) if 0 < value.ndim and value.size <= 6 else numbers
            lines.append(f"{one}: {numbers}")
        return "\n".join(lines)


def optimize(
    model: Model,
    state: State | None,
    objective: ObjectiveFunction,
    parameters: Sequence[Parameter],
    *,
    duration: float,
    dt: float,
    integrator: Integrator | None = None,
    bounds: Mapping[Any, Any] | None = None,
    values: Mapping[Any, Any] | None = None,
    scales: Mapping[Any, float] | None = None,
    hold: Sequence[str] = (),
    method: str = "L-BFGS-B",
    max_iterations: int = 200,
    tol: float = 1e-9,
    progress: Callable[[int, Evaluation], Any] | None = None,
) -> Optimum:
    """Find the parameters that make an objective of a run least, by exact gradients and SciPy's optimisers.

    Args:
        model: the mechanism.
        state: where it starts; the reference configuration at rest if ``None``.
        objective: as for `dalembert.gradient`.
        parameters: as for `dalembert.gradient`.
        duration: seconds; a whole number of steps.
        dt: step in seconds.
        integrator: ``BDF1()``, ``SDIRK2()`` or ``BDF2()``; the last if not given.
        bounds: by parameter: (lowest, highest), numbers or arrays of its shape; ±inf or ``None`` where there is none.
        values: where the search starts, by parameter; else what stands in the model and the state.
        scales: by parameter: the size of a step that matters; the search sees values divided by it. 1 if not given.
        hold: joints that keep their coordinates and rates where loops are closed anew at the start, because lengths or
            the initial state of other joints are parameters; else those keep them on which the loops depend least.
        method: one of SciPy's that takes gradients: "L-BFGS-B", "TNC", "SLSQP", "trust-constr", or without bounds
            "BFGS", "CG".
        max_iterations: of the optimiser; for TNC, runs.
        tol: tolerance of the optimiser, see ``scipy.optimize.minimize``.
        progress: called with the number of iterations and the latest `Evaluation` after each.

    Raises:
        SimulationError: the run that the search starts from breaks down.
    """
    from scipy.optimize import minimize

    chosen = BDF2() if integrator is None else integrator
    problem = Problem(model, state, objective, parameters, duration=duration, dt=dt, integrator=chosen, hold=hold)
    if not problem.parameters:
        raise ModelError("parameters: expected at least one, found none")
    if method not in BOUNDED + UNBOUNDED:
        raise ModelError(f"method: expected one of {', '.join(BOUNDED + UNBOUNDED)}, found {method!r}")
    if bounds and method not in BOUNDED:
        raise ModelError(f"method: {method} knows no bounds; use {', '.join(BOUNDED)}")
    start = problem.complete(values)
    packing = _Packing(start, dict(scales or {}))
    limits = packing.bounds(dict(bounds or {}))
    search = _Search(problem, packing, progress)
    first = packing.pack(start)
    if limits is not None:
        first = np.clip(first, limits[0], limits[1])
    search(first)
    search.iterated()
    found = minimize(
        search,
        first,
        jac=True,
        method=method,
        bounds=None if limits is None else np.column_stack(limits),
        tol=tol,
        callback=lambda *_: search.iterated(),
        # SciPy's TNC counts runs
        options={"maxfun" if method == "TNC" else "maxiter": int(max_iterations)},
    )
    assert search.best is not None
    return Optimum(
        search.best,
        bool(found.success),
        str(found.message),
        np.array(search.history),
        search.evaluations,
        search.broken,
    )


@dataclass
class _Search:
    """The objective as SciPy calls it, and what is remembered of the calls."""

    problem: Problem
    packing: _Packing
    progress: Callable[[int, Evaluation], Any] | None
    best: Evaluation | None = None
    last: tuple[Floats, Evaluation] | None = None
    evaluations: int = 0
    broken: int = 0
    history: list[float] = field(default_factory=list)

    def __call__(self, x: Floats) -> tuple[float, Floats]:
        if self.last is None or not np.array_equal(self.last[0], x):
            self.evaluations += 1
            try:
                evaluation = self.problem.evaluate(self.packing.unpack(x))
            except SimulationError:
                if self.best is None:
                    raise
                self.broken += 1
                return self.best.value + BAD * (1.0 + abs(self.best.value)), np.zeros_like(x)
            self.last = (x.copy(), evaluation)
            if self.best is None or evaluation.value < self.best.value:
                self.best = evaluation
        now = self.last[1]
        return now.value, self.packing.pack_gradient(now.gradient)

    def iterated(self) -> None:
        assert self.best is not None
        self.history.append(self.best.value)
        if self.progress is not None:
            self.progress(len(self.history) - 1, self.best)


class _Packing:
    """Parameters of all shapes as one vector."""

    def __init__(self, values: Values, scales: Mapping[Parameter, float]) -> None:
        _known("scales", scales, values)
        self._values = values
        self._scales = {one: float(scales.get(one, 1.0)) for one in values}
        for one, scale in self._scales.items():
            if not 0.0 < scale < float("inf"):
                raise ModelError(f"scales, {one}: expected a positive number, found {scale!r}")

    def pack(self, values: Values) -> Floats:
        """The vector of these values."""
        return np.concatenate([values[one].reshape(-1) / self._scales[one] for one in self._values])

    def pack_gradient(self, gradient: Values) -> Floats:
        """The gradient by that vector."""
        return np.concatenate([gradient[one].reshape(-1) * self._scales[one] for one in self._values])

    def unpack(self, x: Floats) -> Values:
        """The values of a vector."""
        out, k = {}, 0
        for one, value in self._values.items():
            out[one] = (x[k : k + value.size] * self._scales[one]).reshape(value.shape)
            k += value.size
        return out

    def bounds(self, given: Mapping[Parameter, Any]) -> tuple[Floats, Floats] | None:
        """(lowest, highest) of the vector."""
        _known("bounds", given, self._values)
        if not given:
            return None
        ends: tuple[Values, Values] = ({}, {})
        for one, value in self._values.items():
            pair = given.get(one, (None, None))
            try:
                low, high = pair
            except (TypeError, ValueError):
                raise ModelError(f"bounds, {one}: expected (lowest, highest), found {pair!r}") from None
            for end, limit, free in zip(ends, (low, high), (-np.inf, np.inf), strict=True):
                filled = np.asarray(free if limit is None else limit, dtype=np.float64)
                if filled.shape not in ((), value.shape):
                    raise ModelError(
                        f"bounds, {one}: expected numbers or arrays of shape {value.shape}, found {limit!r}"
                    )
                end[one] = np.broadcast_to(filled, value.shape)
            if not (ends[0][one] <= ends[1][one]).all():
                raise ModelError(f"bounds, {one}: expected the lowest not above the highest, found {pair!r}")
        return self.pack(ends[0]), self.pack(ends[1])


def _known(what: str, given: Mapping[Parameter, Any], known: Mapping[Parameter, Any]) -> None:
    for one in given:
        if one not in known:
            raise ModelError(f"{what}: expected only parameters of the search, found {one}")
