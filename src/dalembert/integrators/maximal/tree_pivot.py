"""Elimination of a joint with up to six degrees of freedom: the loops behind `tree_solve` for what is not special."""

from math import isfinite

from dalembert._jit import kernel
from dalembert.integrators.maximal.tree_forces import add_coordinate_stiffness, coordinate_residual
from dalembert.integrators.maximal.tree_plan import (
    DOFS,
    FIRST,
    INVERSE,
    LEFT,
    NEWTON,
    PIVOT_SIDE,
    PULLED,
    RAISED,
    RIGHT,
    SPRUNG,
)
from dalembert.spatial.vector import axpy, dot, part3


@kernel
def eliminate_general(slot, row, dof, i):
    """K ← K − U X in row i; U, X and D⁻¹ stay in ``dof``. False if D is singular."""
    first, dofs = slot[i, FIRST], slot[i, DOFS]
    for v in range(first, first + dofs):
        for r in range(6):
            raised = 0.0
            pulled = 0.0
            for c in range(6):
                raised += row[i, 6 * r + c] * dof[v, RIGHT + c]
                pulled += dof[v, LEFT + c] * row[i, 6 * c + r]
            dof[v, RAISED + r] = raised
            dof[v, PULLED + r] = pulled
    for k in range(dofs):
        for l in range(dofs):
            d = 0.0
            for c in range(6):
                d += dof[first + k, LEFT + c] * dof[first + l, RAISED + c]
            dof[first + k, INVERSE + l] = d
    if slot[i, SPRUNG]:
        add_coordinate_stiffness(slot, row, dof, i)
    regular = _solve_rows(dof, first, dofs)
    for k in range(first, first + dofs):
        for r in range(6):
            for c in range(6):
                row[i, 6 * r + c] -= dof[k, RAISED + r] * dof[k, PULLED + c]
    return regular


@kernel
def _solve_rows(dof, first, dofs):
    """D ← D⁻¹ and V ← D⁻¹ V in place by Gauss–Jordan elimination without exchanges.

    D is a small perturbation of a symmetric positive definite matrix (equal to it for a body at rest), so that its
    pivots are taken in order.
    """
    regular = True
    for p in range(dofs):
        at = first + p
        inverse = 1.0 / dof[at, INVERSE + p]
        if not isfinite(inverse):
            regular = False
        dof[at, INVERSE + p] = 1.0
        for c in range(dofs):
            dof[at, INVERSE + c] *= inverse
        for c in range(6):
            dof[at, PULLED + c] *= inverse
        for q in range(dofs):
            if q == p:
                continue
            other = first + q
            factor = dof[other, INVERSE + p]
            dof[other, INVERSE + p] = 0.0
            for c in range(dofs):
                dof[other, INVERSE + c] -= factor * dof[at, INVERSE + c]
            for c in range(6):
                dof[other, PULLED + c] -= factor * dof[at, PULLED + c]
    return regular


@kernel
def reduce_general(slot, row, dof, i, force, torque):
    """y = D⁻¹ (Lᵀ w + r), and w − U y."""
    first, dofs = slot[i, FIRST], slot[i, DOFS]
    for k in range(dofs):
        v = first + k
        dof[v, NEWTON] = (
            dot(part3(dof, v, LEFT), force)
            + dot(part3(dof, v, LEFT + 3), torque)
            + coordinate_residual(slot, row, dof, i, k)
        )
    for k in range(dofs):
        y = 0.0
        for l in range(dofs):
            y += dof[first + k, INVERSE + l] * dof[first + l, NEWTON]
        dof[first + k, PIVOT_SIDE] = y
        force = axpy(-y, part3(dof, first + k, RAISED), force)
        torque = axpy(-y, part3(dof, first + k, RAISED + 3), torque)
    return force, torque


@kernel
def spread_general(slot, row, dof, i, move, turn):
    """δ = −(y + X t), and t + R δ."""
    first = slot[i, FIRST]
    onward, turned = move, turn
    for v in range(first, first + slot[i, DOFS]):
        step = -(dof[v, PIVOT_SIDE] + dot(part3(dof, v, PULLED), move) + dot(part3(dof, v, PULLED + 3), turn))
        dof[v, NEWTON] = step
        onward = axpy(step, part3(dof, v, RIGHT), onward)
        turned = axpy(step, part3(dof, v, RIGHT + 3), turned)
    return onward, turned
