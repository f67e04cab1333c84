"""Steps of variable length that keep the long-term behaviour: a symmetric controller of the step's density.

Choosing the step from the state before it makes a symmetric method a dissipative one. [Hairer 2006, section VIII.3.2],
after Hairer and Söderlind, integrates the density ρ of steps along with the motion: with a wish ρ(y) of the state and a
nominal step ε,

    ρ_{n+1/2} = ρ_{n−1/2} + ε G(y_n),     h_{n+1/2} = ε/ρ_{n+1/2},     G = ρ'/ρ,

where ρ' is the derivative of the wish in time. Step and controller are symmetric in time and reversible with the
motion, so that energy errors neither grow nor fall on average; each step by itself is a symplectic map. Here

    ρ(y) = √(1 + |q̇|²/r²),     G = q̇·q̈/(r² ρ²),

lengths measured in the mechanism's typical length: steps are ε where joints move slower than r and in proportion to
r/|q̇| above it. The accelerations are those of the articulated-body algorithm.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from dalembert._jit import kernel
from dalembert.integrators.maximal.knot import CONVERGED, Options
from dalembert.integrators.maximal.tree_knot import enter, knot_velocities
from dalembert.integrators.minimal.run import advance
from dalembert.mechanics.acceleration import open_accelerations
from dalembert.mechanics.kinematics import joint_rates
from dalembert.model.system import LOWER_PAIR, Floats, System

# entries of Pace.clock
TIME: Final = 0
BEFORE: Final = 1
DENSITY: Final = 2
CLOCK_WIDTH: Final = 3


class Pace(NamedTuple):
    """Where the steps are, between two knots that enclose the instant that is asked for."""

    clock: Floats
    """(3,) TIME of the knot and of the one BEFORE it, seconds since the start; DENSITY of the last step."""
    q: Floats
    """(2, n_q) minimal coordinates, rates and accelerations at the knot before and at the knot."""
    v: Floats
    a: Floats
    square: Floats
    """(n_v,) what a rate's square counts in |q̇|²/r²."""
    linear: Floats
    """(n + 1, 3) velocities of the bodies, and the next."""
    angular: Floats
    rates: Floats
    """of all joints."""


def make_pace(system: System, slow_rate: float, length: float) -> Pace:
    """Memory; ``slow_rate`` is r in rad/s, ``length`` turns metres into radians."""
    square = np.full(system.n_v, 1.0 / slow_rate**2)
    for j in system.tree_joint:
        if system.joint_kind[j] == LOWER_PAIR:
            slides = int((~system.locked[j, :3]).sum())
            square[system.v_start[j] : system.v_start[j] + slides] /= length**2
    n = system.mass.size
    return Pace(
        np.zeros(CLOCK_WIDTH),
        np.zeros((2, system.n_q)),
        np.zeros((2, system.n_v)),
        np.zeros((2, system.n_v)),
        square,
        np.zeros((n, 3)),
        np.zeros((n, 3)),
        np.zeros(int(system.n_rates.sum())),
    )


@kernel
def look(system, tree, options, knot, control, check, equations, pace):
    """Coordinates, rates and accelerations at the knot; (ρ(y), G(y))."""
    enter(tree, options, knot)
    knot_velocities(tree, options, knot, check.velocity)
    for b in range(system.mass.size):
        for k in range(3):
            pace.linear[b, k] = check.velocity[b, k]
            pace.angular[b, k] = check.velocity[b, 3 + k]
    joint_rates(system, knot.position, knot.orientation, pace.linear, pace.angular, pace.rates)
    for k in range(system.n_q):
        pace.q[0, k] = pace.q[1, k]
        pace.q[1, k] = knot.coordinates[k]
    for k in range(system.n_v):
        pace.v[0, k], pace.a[0, k] = pace.v[1, k], pace.a[1, k]
        pace.v[1, k] = pace.rates[k]
    open_accelerations(system, equations, pace.q[1], pace.v[1], control.joint_force, control.external, pace.a[1])
    square, growth = 1.0, 0.0
    for k in range(system.n_v):
        square += pace.square[k] * pace.v[1, k] ** 2
        growth += pace.square[k] * pace.v[1, k] * pace.a[1, k]
    return np.sqrt(square), growth / square


@kernel
def start_pace(system, tree, options, knot, control, check, equations, pace):
    """ρ_{1/2} = ρ(y_0) + (ε/2) G(y_0)."""
    density, growth = look(system, tree, options, knot, control, check, equations, pace)
    pace.clock[DENSITY] = density - 0.5 * options.h * growth
    _keep_pace(options, pace, growth)


@kernel
def _keep_pace(options, pace, growth):
    """The density for the next step; never below a tenth of that of a mechanism at rest."""
    pace.clock[DENSITY] = max(pace.clock[DENSITY] + options.h * growth, 0.1)


@kernel
def advance_until(system, tree, options, knot, control, root, check, equations, pace, until):
    """Step until the knot is at the time ``until`` or after it; (status, worst body, iterations)."""
    total = 0
    while pace.clock[TIME] < until:
        h = options.h / pace.clock[DENSITY]
        step = Options(h, options.tolerance, options.length, options.max_iterations, options.max_halvings)
        status, _, worst, spent = advance(system, tree, step, knot, control, root, None, 1, False)
        total += spent
        if status != CONVERGED:
            return status, worst, total
        pace.clock[BEFORE] = pace.clock[TIME]
        pace.clock[TIME] += h
        _, growth = look(system, tree, step, knot, control, check, equations, pace)
        _keep_pace(options, pace, growth)
    return CONVERGED, -1, total
