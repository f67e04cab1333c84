"""Higher order: a step as a symmetric composition of steps of the symmetric second-order map.

The one-step map of `knot` in position-momentum form, Φ_h, is its own adjoint, Φ_{−h} = Φ_h⁻¹, also with springs,
rotors, dampers and loops: what acts in an interval acts the same seen from either end. Its logarithm is therefore odd
in h, log Φ_h = h Y₁ + h³ Y₃ + h⁵ Y₅ + …, and a step of substeps γ_i h with γ_i = γ_{m+1−i} is symmetric again. It has

    order 4 if  Σγ_i = 1,  Σγ_i³ = 0;        order 6 if besides  Σγ_i⁵ = 0  and [Y₁,[Y₁,Y₃]] drops out,

[Hairer 2006] section V.3. Constraints hold at every substep, momentum is kept and the map is symplectic, because each
substep is. A method of order above two must take some of its substeps back in time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from dalembert.integrators.maximal.knot import HISTORY, PAST_STEPS, Options, Schedule
from dalembert.model.system import Floats

if TYPE_CHECKING:
    from dalembert.integrators.maximal.method import MaximalVI
    from dalembert.integrators.minimal.method import MinimalVI

SUZUKI: Final = 1.0 / (4.0 - 4.0 ** (1.0 / 3.0))

SHARES: Final[dict[int, tuple[float, ...]]] = {
    2: (1.0,),
    # [Suzuki 1990]: of all with five substeps the one with four equal
    4: (SUZUKI, SUZUKI, 1.0 - 4.0 * SUZUKI, SUZUKI, SUZUKI),
    # [Kahan 1997]: nine substeps, none longer than the step
    6: (
        0.39216144400731413928,
        0.33259913678935943860,
        -0.70624617255763935981,
        0.082213596293550800230,
        0.79854399093482996340,
        0.082213596293550800230,
        -0.70624617255763935981,
        0.33259913678935943860,
        0.39216144400731413928,
    ),
}
"""Order → substeps γ of a step, as shares of it."""


def make_options(method: MaximalVI | MinimalVI, dt: float, length: float) -> Options:
    """The numbers that govern steps of ``dt`` seconds; ``length`` is typical of the mechanism."""
    return Options(float(dt), float(method.tol), length, int(method.max_iterations), int(method.max_halvings))


def substeps(order: int) -> tuple[Floats, Floats, Floats]:
    """The arrays ``share``, ``rate_start`` and ``step_start`` of `Schedule` for an order."""
    share = np.array(SHARES[order])
    count = len(share)
    rate, step = np.zeros((count, HISTORY + 1, HISTORY)), np.zeros((count, PAST_STEPS + 1, PAST_STEPS))
    # substeps forth and back have their middles close together, and weights of high degree grow
    used = PAST_STEPS if count == 1 else HISTORY
    # the middle of each substep of the step at hand and of the steps before it, in steps
    middle = np.cumsum(share) - 0.5 * share
    back = np.arange(1, PAST_STEPS + 1)
    for s in range(count):
        whole, at = np.divmod(s - back, count)
        before, length = middle[at] + whole, share[at]
        rate[s, 0, 0], step[s, 0, 0] = 1.0, share[s]
        for age in range(1, PAST_STEPS + 1):
            known = min(age, used)
            weights = _lagrange(before[:known], middle[s])
            step[s, age, :known] = weights * share[s] / length[:known]
            if age <= HISTORY:
                rate[s, age, :age] = weights
    return share, rate, step


def _lagrange(nodes: Floats, x: float) -> Floats:
    """Weights with which the polynomial through values at ``nodes`` is read at ``x``."""
    weights = np.ones(len(nodes))
    for i, node in enumerate(nodes):
        for other in np.delete(nodes, i):
            weights[i] *= (x - other) / (node - other)
    return weights


def one_substep(schedule: Schedule, s: int) -> Schedule:
    """Substep ``s`` as a step of its own, for what goes on in Python between substeps."""
    part, share = slice(s, s + 1), float(schedule.share[s])
    options = schedule.options._replace(h=schedule.options.h * share, tolerance=schedule.options.tolerance * abs(share))
    return Schedule(options, np.ones(1), schedule.rate_start[part], schedule.step_start[part])
