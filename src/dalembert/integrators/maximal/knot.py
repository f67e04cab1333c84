"""The arrays that a step of the maximal-coordinate integrator reads and writes (n bodies, m joints).

A *knot* is the discrete state between two intervals: poses z_k and momenta p_k of the bodies there. The one-step map

    p⁻(ż_k) = p_k + (h/2) F(z_k) + G(z_k)ᵀ Λ_k,   g(z_{k+1}) = 0,   p_{k+1} = p⁺(ż_k) + (h/2) F(z_{k+1})

is the position-momentum form of the symmetric discrete Lagrangian h T(ż_k) − (h/2) (V(z_k) + V(z_{k+1})). Eliminating p
gives [Brüdigam 2023] eq. (20) with every force at the knots, so the positions are those of the seeds; what differs is
the start (half a force impulse, not a whole one) and the velocity that is reported, M⁻¹ p projected onto the hidden
constraint G ż = 0. Both are second order. The momentum kept here leaves out the impulses of constraints at its own
knot: the multiplier Λ_k of the next step takes in both halves.
"""

from typing import Final, NamedTuple

from dalembert._jit import kernel
from dalembert.integrators.maximal.discrete_body import right_momentum
from dalembert.model.system import Floats, Integers
from dalembert.spatial.vector import part3

HISTORY: Final = 3
PAST_STEPS: Final = 4
"""Intervals that the tree solver extrapolates its start values from."""
OLD: Final = 1000
"""Intervals up to which a knot counts its age: more than a step has."""

CONVERGED: Final = 0
NO_CONVERGENCE: Final = 1
NO_DESCENT: Final = 2
SINGULAR: Final = 3
NOT_FINITE: Final = 4
TOO_FAST: Final = 5


class Knot(NamedTuple):
    """The discrete state at a knot: all that the next step depends on, to the last bit."""

    position: Floats
    """(n + 1, 3) centres of mass in the world."""
    orientation: Floats
    """(n + 1, 4) unit quaternions."""
    momentum: Floats
    """(n + 1, 6) linear momentum in the world, angular momentum about the centre of mass in body axes."""
    coordinates: Floats
    """Coordinates of all joints, angles unwrapped."""
    history: Floats
    """(3, n + 1, 6) velocities of the last intervals, newest first: they start Newton's method."""
    age: Integers
    """(1,) how many intervals lie behind, at most OLD; the history holds the last of them, and with none the knot's
    velocity in row 0."""
    multiplier: Floats
    """(m, 6) impulses of the joints' components at the last knot from which a whole step was made."""
    newton_constant: Floats
    """(1,) c in |next increment| ≈ c |increment|², as last observed."""


class Control(NamedTuple):
    """What acts from outside during an interval: held from one knot to the next."""

    joint_force: Floats
    """Force or torque on each joint rate, all joints."""
    external: Floats
    """(n + 1, 6) wrenches: force in the world at the centre of mass, torque in body axes."""


class Options(NamedTuple):
    """Numbers that govern a step."""

    h: float
    """Step size in seconds."""
    tolerance: float
    """Largest predicted error of a position, relative to ``length``, or of an orientation in radians."""
    length: float
    """A length typical of the mechanism."""
    max_iterations: int
    max_halvings: int
    """How often the line search may halve a Newton step."""


class Schedule(NamedTuple):
    """How a step is made of m substeps, see `composition`."""

    options: Options
    """Of the whole step."""
    share: Floats
    """(m,) lengths of the substeps over that of the step."""
    rate_start: Floats
    """(m, 4, 3) per substep and number of intervals known, at most three: weights that extrapolate their velocities."""
    step_start: Floats
    """(m, 5, 4) the same for what an interval moves instead of its velocity, and from up to four intervals. With no
    interval known the velocity of the start serves, or what it moves in ``h``."""


@kernel
def substep(schedule, s):
    """The options of substep ``s``: its own length in place of the step's.

    An error of a position stays in the momentum divided by the length, so the tolerance is shared out like the step.
    """
    options, share = schedule.options, schedule.share[s]
    return Options(
        options.h * share, options.tolerance * abs(share), options.length, options.max_iterations, options.max_halvings
    )


@kernel
def start_value(schedule, knot, s, age, velocity):
    """Extrapolate the velocities of the last ``age`` intervals to substep ``s``: constant, linear or quadratic.

    At the start of a run, ``age`` 0, the knot's velocity serves; below that, nothing moves.
    """
    last, known = knot.history, min(max(age, 0), HISTORY)
    on, h = 1.0 if age >= 0 else 0.0, schedule.options.h * schedule.share[s]
    w0 = on * schedule.rate_start[s, known, 0]
    w1, w2 = schedule.rate_start[s, known, 1], schedule.rate_start[s, known, 2]
    for i in range(velocity.shape[0]):
        for k in range(6):
            velocity[i, k] = w0 * last[0, i, k] + w1 * last[1, i, k] + w2 * last[2, i, k]
        # a turn of half a revolution in one step cannot be represented; keep the start value well inside
        w2_h2 = (velocity[i, 3] ** 2 + velocity[i, 4] ** 2 + velocity[i, 5] ** 2) * h * h
        if w2_h2 > 3.0:
            for k in range(6):
                velocity[i, k] = last[0, i, k]


@kernel
def remember(knot, velocity):
    """Push the velocities of the interval just solved onto the history."""
    last = knot.history
    for i in range(velocity.shape[0]):
        for k in range(6):
            last[2, i, k] = last[1, i, k]
            last[1, i, k] = last[0, i, k]
            last[0, i, k] = velocity[i, k]
    knot.age[0] = min(knot.age[0] + 1, OLD)


@kernel
def carry_momentum(system, options, velocity, force, momentum):
    """p_{k+1} = p⁺(ż_k) + (h/2) F(z_{k+1})."""
    half = 0.5 * options.h
    for i in range(system.mass.shape[0] - 1):
        angular = right_momentum(system.inertia, i, options.h, part3(velocity, i, 3))
        for k in range(3):
            momentum[i, k] = system.mass[i] * velocity[i, k] + half * force[i, k]
            momentum[i, 3 + k] = angular[k] + half * force[i, 3 + k]


@kernel
def copy_rows(source, target):
    """Copy a two-dimensional array. Written as loops: an assignment of arrays brings along the code of its errors."""
    for i in range(source.shape[0]):
        for k in range(source.shape[1]):
            target[i, k] = source[i, k]
