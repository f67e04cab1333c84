"""The equations of one step and how far a trial is from solving them."""

from math import isfinite
from typing import NamedTuple

from dalembert._jit import kernel
from dalembert.integrators.maximal.discrete_body import left_momentum, turned
from dalembert.mechanics.constraints import evaluate_constraints
from dalembert.mechanics.turns import evaluate_turns, relative_turns, turn_axes
from dalembert.model.system import Floats
from dalembert.spatial.quaternion import normalize, row4, set_row4
from dalembert.spatial.vector import part3


class Trial(NamedTuple):
    """A trial end of the interval and the equations there (n bodies, m joints)."""

    velocity: Floats
    """(n + 1, 6) velocities of the interval."""
    multiplier: Floats
    """(m, 6) impulses of the joint components at the knot."""
    position: Floats
    orientation: Floats
    value: Floats
    """(m, 6) values of the joint components at the trial poses."""
    jacobian: Floats
    """(edges, 6, 6) their Jacobians."""
    body: Floats
    """(n + 1, 6) residual d = p⁻ − P − Gᵀ Λ in units of momentum."""
    joint: Floats
    """(m, 6) residual of the joint rows."""


class Interval(NamedTuple):
    """What stays fixed while one interval is solved."""

    target: Floats
    """(n + 1, 6) P = p_k + (h/2) F(z_k)."""
    jacobian: Floats
    """(edges, 6, 6) G(z_k): where the impulses act."""
    value: Floats
    """(m, 6) values of the joint components at the knot."""
    offset: Floats
    """(m, 6) e of the rows with compliance."""
    compliance: Floats
    """(m, 6) 1/a of the rows with compliance, 0 for constraints."""
    turns: Floats
    """(m, 4) relative turns at the knot."""
    force: Floats
    """(n + 1, 6) F."""


@kernel
def evaluate_knot(system, active, knot, interval):
    """Constraints and coordinates at the knot; turns at the knot, for rows that work on the turn of the interval."""
    evaluate_constraints(
        system, active, knot.coordinates, knot.position, knot.orientation, interval.value, interval.jacobian
    )
    turn_axes(system, active, knot.position, knot.orientation, interval.jacobian)
    relative_turns(system, active, knot.position, knot.orientation, interval.turns)


@kernel
def place_end(system, h, knot, trial):
    """Poses at the end of the interval, [Brüdigam 2023] eqs (11), (17)."""
    for i in range(system.mass.shape[0] - 1):
        for k in range(3):
            trial.position[i, k] = knot.position[i, k] + h * trial.velocity[i, k]
        end = turned(h, row4(knot.orientation, i), part3(trial.velocity, i, 3))
        set_row4(trial.orientation, i, normalize(end))


@kernel
def evaluate_trial(system, active, h, knot, interval, trial):
    """Poses at the end of the interval and the residuals of [Brüdigam 2023] eq. (20) in position-momentum form."""
    place_end(system, h, knot, trial)
    evaluate_constraints(
        system, active, knot.coordinates, trial.position, trial.orientation, trial.value, trial.jacobian
    )
    evaluate_turns(system, active, interval.turns, trial.position, trial.orientation, trial.value, trial.jacobian)
    evaluate_residual(system, active, h, interval, trial)


@kernel
def evaluate_residual(system, active, h, interval, trial):
    """Residuals of bodies and joints from the values that stand in ``trial``."""
    for i in range(system.mass.shape[0] - 1):
        angular = left_momentum(system.inertia, i, h, part3(trial.velocity, i, 3))
        for k in range(3):
            trial.body[i, k] = system.mass[i] * trial.velocity[i, k] - interval.target[i, k]
            trial.body[i, 3 + k] = angular[k] - interval.target[i, 3 + k]
    for j in range(active.shape[0]):
        for c in range(6):
            if active[j, c]:
                impulse = trial.multiplier[j, c]
                trial.joint[j, c] = trial.value[j, c]
                if not system.locked[j, c]:
                    trial.joint[j, c] += interval.offset[j, c] + interval.compliance[j, c] * impulse
                for e in range(system.incidence_start[j], system.incidence_start[j + 1]):
                    i = system.incidence_body[e]
                    for k in range(6):
                        trial.body[i, k] -= interval.jacobian[e, c, k] * impulse


@kernel
def merit(system, active, options, trial):
    """½ |residual|² with every equation in units of a length-free increment; NaN if anything is not finite.

    A body's momentum residual is divided by what moves it by ``length`` (or turns it by one radian) in one step.
    """
    total = 0.0
    h, length = options.h, options.length
    for i in range(system.mass.shape[0] - 1):
        linear = h / (system.mass[i] * length)
        angular = 3.0 * h / (system.inertia[i, 0, 0] + system.inertia[i, 1, 1] + system.inertia[i, 2, 2])
        for k in range(3):
            total += (linear * trial.body[i, k]) ** 2 + (angular * trial.body[i, 3 + k]) ** 2
    for j in range(active.shape[0]):
        for c in range(6):
            if active[j, c]:
                unit = 1.0 / length if c < 3 else 1.0
                total += (unit * trial.joint[j, c]) ** 2
    return 0.5 * total


@kernel
def worst_body(system, options, trial):
    """The body whose equation is violated most, in the units of `merit`."""
    worst, body = -1.0, -1
    h, length = options.h, options.length
    for i in range(system.mass.shape[0] - 1):
        linear = h / (system.mass[i] * length)
        angular = 3.0 * h / (system.inertia[i, 0, 0] + system.inertia[i, 1, 1] + system.inertia[i, 2, 2])
        size = 0.0
        for k in range(3):
            size += (linear * trial.body[i, k]) ** 2 + (angular * trial.body[i, 3 + k]) ** 2
        if not isfinite(size):
            return i
        if size > worst:
            worst, body = size, i
    return body
