"""Elimination of a joint with up to six degrees of freedom: the loops behind `tree_solve` where no special case fits."""

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
def eliminate_general(slot, knot, path, dof, screw, block, i):
    """K ← K − U X in row i of ``block``; U, X and D⁻¹ stay in ``screw``. False if D is singular."""
    first, dofs = slot[i, FIRST], slot[i, DOFS]
    for v in range(first, first + dofs):
        for r in range(6):
            raised = 0.0
            pulled = 0.0
            for c in range(6):
                raised += block[i, 6 * r + c] * screw[v, RIGHT + c]
                pulled += screw[v, LEFT + c] * block[i, 6 * c + r]
            screw[v, RAISED + r] = raised
            screw[v, PULLED + r] = pulled
    for k in range(dofs):
        for l in range(dofs):
            d = 0.0
            for c in range(6):
                d += screw[first + k, LEFT + c] * screw[first + l, RAISED + c]
            screw[first + k, INVERSE + l] = d
    if slot[i, SPRUNG]:
        add_coordinate_stiffness(slot, knot, path, dof, screw, i)
    regular = _solve_rows(screw, first, dofs)
    for k in range(first, first + dofs):
        for r in range(6):
            for c in range(6):
                block[i, 6 * r + c] -= screw[k, RAISED + r] * screw[k, PULLED + c]
    return regular


@kernel
def _solve_rows(screw, first, dofs):
    """D ← D⁻¹ and V ← D⁻¹ V in place by Gauss–Jordan elimination without exchanges.

    D is a small perturbation of a symmetric positive definite matrix (equal to it for a body at rest), so that its
    pivots are taken in order.
    """
    regular = True
    for p in range(dofs):
        row = first + p
        inverse = 1.0 / screw[row, INVERSE + p]
        if not isfinite(inverse):
            regular = False
        screw[row, INVERSE + p] = 1.0
        for c in range(dofs):
            screw[row, INVERSE + c] *= inverse
        for c in range(6):
            screw[row, PULLED + c] *= inverse
        for q in range(dofs):
            if q == p:
                continue
            other = first + q
            factor = screw[other, INVERSE + p]
            screw[other, INVERSE + p] = 0.0
            for c in range(dofs):
                screw[other, INVERSE + c] -= factor * screw[row, INVERSE + c]
            for c in range(6):
                screw[other, PULLED + c] -= factor * screw[row, PULLED + c]
    return regular


@kernel
def reduce_general(slot, knot, dof, screw, i, force, torque):
    """y = D⁻¹ (Lᵀ w + r), and w − U y."""
    first, dofs = slot[i, FIRST], slot[i, DOFS]
    for k in range(dofs):
        v = first + k
        dof[v, NEWTON] = (
            dot(part3(screw, v, LEFT), force)
            + dot(part3(screw, v, LEFT + 3), torque)
            + coordinate_residual(slot, knot, dof, i, k)
        )
    for k in range(dofs):
        y = 0.0
        for l in range(dofs):
            y += screw[first + k, INVERSE + l] * dof[first + l, NEWTON]
        dof[first + k, PIVOT_SIDE] = y
        force = axpy(-y, part3(screw, first + k, RAISED), force)
        torque = axpy(-y, part3(screw, first + k, RAISED + 3), torque)
    return force, torque


@kernel
def spread_general(slot, dof, screw, i, move, turn):
    """δ = −(y + X t), and t + R δ."""
    first = slot[i, FIRST]
    onward, turned = move, turn
    for v in range(first, first + slot[i, DOFS]):
        step = -(dof[v, PIVOT_SIDE] + dot(part3(screw, v, PULLED), move) + dot(part3(screw, v, PULLED + 3), turn))
        dof[v, NEWTON] = step
        onward = axpy(step, part3(screw, v, RIGHT), onward)
        turned = axpy(step, part3(screw, v, RIGHT + 3), turned)
    return onward, turned
