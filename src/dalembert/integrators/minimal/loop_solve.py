"""The impulses of loops within an increment: a small dense system on top of the recursive solve.

Let t₀ be the increment of the open tree under the impulses S at hand, and t_s its answer to a unit impulse of row s,
found with the pivots at hand by one more sweep in each direction. To first order the rows hold at the end of the
interval when the impulses change by σ with

    Σ (G⁺ t_s + C) σ_s = −(value + e + C S + G⁺ t₀),

and the increment is t₀ + Σ σ_s t_s. A redundant row is a combination of others at the knot, where the impulses act,
exactly: the matrix has its null vector on the right however far the trial is, and complete pivoting finds its rank.
"""

from math import sqrt

from dalembert._jit import kernel
from dalembert.integrators.maximal.tree_loop_sweep import spread_all
from dalembert.integrators.maximal.tree_plan import ARM, ARM_END, NEWTON, TWIST
from dalembert.integrators.minimal.increments import reduce_wrench, scaled_size, spread_at_knot
from dalembert.integrators.minimal.loops import (
    add_row_wrench,
    body_twists,
    clear_wrench,
    impulse_wrench,
    put_wrench,
    row_times_twist,
    rows_at_trial,
)
from dalembert.integrators.minimal.memory import EXACT
from dalembert.integrators.minimal.pivoting import factor_by_rank, solve_by_rank


@kernel
def close_loops(slot, row, dof, options, root, loops, knot, afresh):
    """Add what the impulses do to the increment in NEWTON and TWIST; the size of the whole. ``afresh``: new pivots."""
    rows_at_trial(slot, row, loops, knot)
    at_end = loops.jacobian
    if afresh:
        _keep(row, dof, loops)
        for s in range(loops.joint.shape[0]):
            clear_wrench(loops)
            add_row_wrench(loops, s, loops.interval.jacobian, 1.0)
            put_wrench(slot, row, loops, knot.orientation)
            respond(slot, row, dof, options, root)
            body_twists(slot, row, loops, loops.orientation, ARM_END)
            for r in range(loops.joint.shape[0]):
                loops.matrix[r, s] = row_times_twist(loops, r, at_end)
        factor_rows(loops, options.h, False)
        _restore(row, dof, loops)
    body_twists(slot, row, loops, loops.orientation, ARM_END)
    for s in range(loops.joint.shape[0]):
        j, c = loops.joint[s], loops.component[s]
        value = loops.value[j, c] + row_times_twist(loops, s, at_end)
        if not loops.system.locked[j, c]:
            value += loops.interval.offset[j, c] + loops.interval.compliance[j, c] * loops.impulse[s]
        loops.side[0, s] = -loops.scale[s] * value
    solve_rows(loops)
    _keep(row, dof, loops)
    impulse_wrench(loops, loops.interval.jacobian, loops.change)
    put_wrench(slot, row, loops, knot.orientation)
    respond(slot, row, dof, options, root)
    _add(row, dof, loops)
    return scaled_size(row, options.length)


@kernel
def close_knot(slot, row, dof, options, loops, orientation):
    """The velocities in TWIST, found for an open tree, projected onto G v = 0 in the metric of the masses.

    With rotors of inertia I on the joints of loops, G v + μ/I = 0: −μ is their momentum. Springs and dampers drop out.
    """
    jacobian = loops.interval.jacobian
    _keep(row, dof, loops)
    for s in range(loops.joint.shape[0]):
        clear_wrench(loops)
        add_row_wrench(loops, s, jacobian, 1.0)
        put_wrench(slot, row, loops, orientation)
        reduce_wrench(slot, row, dof)
        spread_all(slot, row, dof, None, options.length)
        body_twists(slot, row, loops, orientation, ARM)
        for r in range(loops.joint.shape[0]):
            loops.matrix[r, s] = row_times_twist(loops, r, jacobian)
    factor_rows(loops, 1.0, True)
    _restore(row, dof, loops)
    body_twists(slot, row, loops, orientation, ARM)
    for s in range(loops.joint.shape[0]):
        loops.side[0, s] = -loops.scale[s] * row_times_twist(loops, s, jacobian)
    solve_rows(loops)
    impulse_wrench(loops, jacobian, loops.change)
    put_wrench(slot, row, loops, orientation)
    reduce_wrench(slot, row, dof)
    spread_all(slot, row, dof, None, options.length)
    _add(row, dof, loops)


@kernel
def respond(slot, row, dof, options, root):
    """NEWTON and TWIST ← the answer of the open tree to the wrenches in WRENCH, with the method's pivots."""
    reduce_wrench(slot, row, dof)
    if root.method == EXACT:
        spread_all(slot, row, dof, None, options.length)
    else:
        spread_at_knot(slot, row, dof, options.length)


@kernel
def loose_response(loops, s, h):
    """G M⁻¹ Gᵀ h of row s if its bodies were free, roughly: what the joints of the tree take away is judged by it."""
    j, c = loops.joint[s], loops.component[s]
    total = 0.0
    for e in range(loops.system.incidence_start[j], loops.system.incidence_start[j + 1]):
        b = loops.system.incidence_body[e]
        inertia = loops.system.inertia[b, 0, 0] + loops.system.inertia[b, 1, 1] + loops.system.inertia[b, 2, 2]
        for k in range(6):
            weight = loops.system.mass[b] if k < 3 else inertia / 3.0
            if weight > 0.0:
                total += loops.interval.jacobian[e, c, k] ** 2 / weight
    return h * total


@kernel
def factor_rows(loops, h, at_knot):
    """Compliances on the diagonal, units in which the diagonal of rows between free bodies is one, factors."""
    rows = loops.joint.shape[0]
    for s in range(rows):
        j, c = loops.joint[s], loops.component[s]
        loose = loose_response(loops, s, h)
        loops.scale[s] = 1.0 / sqrt(loose) if loose > 0.0 else 1.0
        if loops.system.locked[j, c]:
            continue
        rotor = loops.system.armature[j, c]
        if not at_knot:
            loops.matrix[s, s] += loops.interval.compliance[j, c]
        elif rotor > 0.0:
            loops.matrix[s, s] += 1.0 / rotor
        else:
            for r in range(rows):
                loops.matrix[r, s] = 0.0
                loops.matrix[s, r] = 0.0
            loops.matrix[s, s] = 1.0
        # a soft spring is no redundant row
        loops.scale[s] = 1.0 / sqrt(loose + abs(loops.matrix[s, s]))
    for s in range(rows):
        for r in range(rows):
            loops.matrix[s, r] *= loops.scale[s] * loops.scale[r]
    factor_by_rank(loops.matrix, loops.order, loops.rank)


@kernel
def solve_rows(loops):
    """``change`` from the right-hand side, which is in the units of the rows."""
    solve_by_rank(loops.matrix, loops.order, loops.rank, loops.side, loops.change)
    for s in range(loops.joint.shape[0]):
        loops.change[s] *= loops.scale[s]


@kernel
def _keep(row, dof, loops):
    for v in range(dof.shape[0]):
        loops.base[v] = dof[v, NEWTON]
    for i in range(row.shape[0] - 1):
        for k in range(6):
            loops.base[dof.shape[0] + 6 * i + k] = row[i, TWIST + k]


@kernel
def _restore(row, dof, loops):
    for v in range(dof.shape[0]):
        dof[v, NEWTON] = loops.base[v]
    for i in range(row.shape[0] - 1):
        for k in range(6):
            row[i, TWIST + k] = loops.base[dof.shape[0] + 6 * i + k]


@kernel
def _add(row, dof, loops):
    for v in range(dof.shape[0]):
        dof[v, NEWTON] += loops.base[v]
    for i in range(row.shape[0] - 1):
        for k in range(6):
            row[i, TWIST + k] += loops.base[dof.shape[0] + 6 * i + k]
