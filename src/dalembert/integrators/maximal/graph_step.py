"""One step by Newton's method with the graph LDU, and the loop over steps."""

from math import isfinite, sqrt
from typing import NamedTuple

from dalembert._jit import kernel
from dalembert.integrators.maximal.graph_system import fill_step
from dalembert.integrators.maximal.interval_rows import (
    add_right_impulses,
    interval_offset,
    interval_stiffness,
    keep_rotors,
)
from dalembert.integrators.maximal.knot import (
    CONVERGED,
    NO_CONVERGENCE,
    NO_DESCENT,
    NOT_FINITE,
    SINGULAR,
    TOO_FAST,
    carry_momentum,
    copy_rows,
    remember,
    start_value,
)
from dalembert.integrators.maximal.residual import (
    Interval,
    Trial,
    evaluate_knot,
    evaluate_trial,
    merit,
    place_end,
    worst_body,
)
from dalembert.linalg.factor import factor_revealing_rank
from dalembert.linalg.pivots import REGULAR
from dalembert.linalg.solve import solve
from dalembert.mechanics.constraint_graph import REDUNDANT
from dalembert.mechanics.constraints import worst_violation
from dalembert.mechanics.forces import knot_forces
from dalembert.mechanics.kinematics import joint_coordinates
from dalembert.model.system import Floats, Integers
from dalembert.spatial.vector import mat_vec, part3


class Workspace(NamedTuple):
    """Memory of a run."""

    interval: Interval
    trial: Trial
    values: Floats
    scratch: Floats
    """Of the linear solver."""
    deficiency: Integers
    """(n + m,) redundant rows found in the last factorisation."""
    rhs: Floats
    pose_step: Floats
    """(n + 1, 6) Newton increments (δx, η)."""
    impulse_step: Floats
    """(m, 6) Newton increments of the multipliers."""
    velocity: Floats
    """(n + 1, 6) velocities before the line search."""
    impulse: Floats
    """(m, 6) multipliers before the line search."""
    block: Floats
    """(3, 3)"""


@kernel
def begin(system, graph, options, knot, control, work):
    """Evaluate the knot from which a run starts."""
    interval = work.interval
    evaluate_knot(system, graph.active, knot, interval)
    set_compliance(system, graph, options.h, interval)
    knot_forces(system, knot.position, knot.orientation, control.joint_force, control.external, interval.force)


@kernel
def set_compliance(system, graph, h, interval):
    """Compliances of the rows of intervals of length h."""
    for j in range(graph.n_rows.shape[0]):
        for c in range(6):
            interval.compliance[j, c] = 0.0
            if graph.active[j, c] and not system.locked[j, c]:
                interval.compliance[j, c] = 1.0 / interval_stiffness(system, h, j, c)


@kernel
def start_momentum(system, graph, velocity, work, momentum):
    """p = M ż of the bodies and the rotors, from velocities at the knot."""
    interval = work.interval
    for i in range(system.mass.shape[0] - 1):
        angular = mat_vec(system.inertia, i, part3(velocity, i, 3))
        for k in range(3):
            momentum[i, k] = system.mass[i] * velocity[i, k]
            momentum[i, 3 + k] = angular[k]
    for j in range(graph.n_rows.shape[0]):
        first, last = system.incidence_start[j], system.incidence_start[j + 1]
        for c in range(6):
            if system.armature[j, c] > 0.0:
                rate = 0.0
                for e in range(first, last):
                    for k in range(6):
                        rate += interval.jacobian[e, c, k] * velocity[system.incidence_body[e], k]
                for e in range(first, last):
                    for k in range(6):
                        spin = system.armature[j, c] * rate
                        momentum[system.incidence_body[e], k] += interval.jacobian[e, c, k] * spin


@kernel
def aim(system, graph, schedule, knot, work, s, age):
    """Set up substep ``s``: targets, offsets of compliant rows, velocities extrapolated from ``age`` intervals."""
    interval, trial = work.interval, work.trial
    h = schedule.options.h * schedule.share[s]
    half = 0.5 * h
    # impulses grow with the interval
    longer = schedule.share[s] / schedule.share[0]
    for i in range(system.mass.shape[0] - 1):
        for k in range(6):
            interval.target[i, k] = knot.momentum[i, k] + half * interval.force[i, k]
    for j in range(graph.n_rows.shape[0]):
        for c in range(6):
            trial.multiplier[j, c] = longer * knot.multiplier[j, c]
            if graph.active[j, c] and not system.locked[j, c]:
                interval.offset[j, c] = interval_offset(system, h, j, c, interval.value[j, c])
    start_value(schedule, knot, s, age, trial.velocity)


@kernel
def newton_direction(system, graph, options, work):
    """Factor and solve at the trial; (status, size of the increment in scaled units, worst node)."""
    trial = work.trial
    fill_step(system, graph, options.h, work.interval, trial, work.block, work.values, work.rhs)
    status, node = factor_revealing_rank(
        graph.pattern, work.values, graph.closing, REDUNDANT, work.scratch, work.deficiency
    )
    if status != REGULAR:
        return SINGULAR, 0.0, node
    solve(graph.pattern, work.values, work.rhs)
    size = 0.0
    for i in range(system.mass.shape[0] - 1):
        row = graph.body_unknown[i]
        for k in range(6):
            step = work.rhs[row + k]
            work.pose_step[i, k] = step
            size = max(size, abs(step) / options.length if k < 3 else abs(step))
            if not isfinite(step):
                return NOT_FINITE, step, i
    for j in range(graph.n_rows.shape[0]):
        row = graph.joint_unknown[j]
        for r in range(graph.n_rows[j]):
            c = graph.component[j, r]
            work.impulse_step[j, c] = work.rhs[row + r] - trial.multiplier[j, c]
    return CONVERGED, size, -1


@kernel
def move_trial(system, options, work, share):
    """velocity + share · increment, multipliers likewise; False where a turn would exceed half a revolution.

    δω = (s η + φ×η)/h, see discrete_body.
    """
    h, trial = options.h, work.trial
    inside = True
    for i in range(system.mass.shape[0] - 1):
        w = (0.5 * h * work.velocity[i, 3], 0.5 * h * work.velocity[i, 4], 0.5 * h * work.velocity[i, 5])
        s = sqrt(1.0 - w[0] * w[0] - w[1] * w[1] - w[2] * w[2])
        e = (work.pose_step[i, 3], work.pose_step[i, 4], work.pose_step[i, 5])
        turn = (
            s * e[0] + w[1] * e[2] - w[2] * e[1],
            s * e[1] + w[2] * e[0] - w[0] * e[2],
            s * e[2] + w[0] * e[1] - w[1] * e[0],
        )
        square = 0.0
        for k in range(3):
            trial.velocity[i, k] = work.velocity[i, k] + share / h * work.pose_step[i, k]
            trial.velocity[i, 3 + k] = work.velocity[i, 3 + k] + share / h * turn[k]
            square += trial.velocity[i, 3 + k] ** 2
        if not 0.25 * h * h * square < 1.0:
            inside = False
    for j in range(work.impulse.shape[0]):
        for c in range(6):
            trial.multiplier[j, c] = work.impulse[j, c] + share * work.impulse_step[j, c]
    return inside


@kernel
def keep_trial(work):
    """Remember where the line search starts."""
    copy_rows(work.trial.velocity, work.velocity)
    copy_rows(work.trial.multiplier, work.impulse)


@kernel
def solve_interval(system, graph, options, knot, work):
    """Newton's method with a backtracking line search; (status, iterations, worst node)."""
    active, trial = graph.active, work.trial
    evaluate_trial(system, active, options.h, knot, work.interval, trial)
    current = merit(system, active, options, trial)
    floor = options.tolerance * options.tolerance
    before = 0.0
    for iteration in range(1, options.max_iterations + 1):
        if not isfinite(current):
            return NOT_FINITE, iteration, worst_body(system, options, trial)
        status, size, worst = newton_direction(system, graph, options, work)
        if status != CONVERGED:
            return status, iteration, worst
        keep_trial(work)
        inside = move_trial(system, options, work, 1.0)
        if inside and predicted_error(knot, size, before) <= options.tolerance:
            return CONVERGED, iteration, -1
        share = 1.0
        halvings = 0
        while True:
            if inside:
                evaluate_trial(system, active, options.h, knot, work.interval, trial)
                found = merit(system, active, options, trial)
                if found <= current or found <= floor:
                    break
            halvings += 1
            if halvings > options.max_halvings:
                status = NO_DESCENT if inside else TOO_FAST
                return status, iteration, worst_body(system, options, trial)
            share *= 0.5
            inside = move_trial(system, options, work, share)
        current = found
        before = size if share == 1.0 else 0.0
    return NO_CONVERGENCE, options.max_iterations, worst_body(system, options, trial)


@kernel
def predicted_error(knot, size, before):
    """The error expected after an increment of this size, from quadratic convergence: c size².

    c is observed from two successive full increments and kept from step to step; a hundred times the observed value
    guards against its changing. Without an observation the increment itself is the bound.
    """
    if before > 0.0:
        ratio = size / (before * before)
        # a ratio made of round-off says nothing
        if before > 1e-7:
            knot.newton_constant[0] = max(ratio, 0.5 * knot.newton_constant[0])
    c = 100.0 * knot.newton_constant[0]
    if c > 0.0 and c * size < 0.1:
        return c * size * size
    return size


@kernel
def finish(system, graph, options, knot, control, work, s):
    """Move the knot to the end of substep ``s`` just solved; returns the largest violation of a constraint there."""
    interval, trial, h = work.interval, work.trial, options.h
    place_end(system, h, knot, trial)
    keep_rotors(system, graph.active, interval, trial, work.impulse)
    copy_rows(trial.position, knot.position)
    copy_rows(trial.orientation, knot.orientation)
    joint_coordinates(system, knot.position, knot.orientation, knot.coordinates, knot.coordinates)
    evaluate_knot(system, graph.active, knot, interval)
    knot_forces(system, knot.position, knot.orientation, control.joint_force, control.external, interval.force)
    carry_momentum(system, options, trial.velocity, interval.force, knot.momentum)
    add_right_impulses(system, graph.active, h, work.impulse, interval, trial, knot.momentum)
    if s == 0:
        copy_rows(trial.multiplier, knot.multiplier)
    remember(knot, trial.velocity)
    return worst_violation(system, interval.value)[0]
