"""Reaction impulses of the joints of a tree.

A step on the tree never sees multipliers. They follow from what is left over: the residual momentum of a body and of
all that it carries can only have come through its joint. Summed from the leaves inward that is the wrench of the joint
on the body, and its components along the rows of `mechanics.constraints` are the multipliers Λ_k of the graph's
equations, d_i = G_iᵀ Λ.
"""

from dalembert._jit import kernel
from dalembert.integrators.maximal.tree_forces import coordinate_step, scalar_dofs
from dalembert.integrators.maximal.tree_general import joint_axes, joint_turn, turn_in_b
from dalembert.integrators.maximal.tree_loop_knot import link_impulses
from dalembert.integrators.maximal.tree_motion import get4, put3
from dalembert.integrators.maximal.tree_plan import (
    ANGLE,
    COORDINATE,
    DOFS,
    FIRST,
    FRAME,
    FREE_TURN,
    FREE_X,
    GROWTH,
    HINGE,
    JOINT,
    OFFSET,
    PARENT,
    REACH,
    REST,
    REVERSED,
    RIGID,
    SHAPE,
    SPRUNG,
    STIFFNESS,
    TURNING,
    TWO_ANGLES,
    WRENCH,
)
from dalembert.spatial.quaternion import columns
from dalembert.spatial.vector import add, axpy, cross, dot, part3, scale


@kernel
def joint_impulses(tree, h, coordinates, multiplier):
    """Fill ``multiplier`` (m, 6) after `follow` at the solved interval."""
    slot, row = tree.slot, tree.row
    n = slot.shape[0] - 1
    link_impulses(slot, row, tree.loops, multiplier)
    for i in range(n - 1, -1, -1):
        force, torque = part3(row, i, WRENCH), part3(row, i, WRENCH + 3)
        up = slot[i, PARENT]
        if up != n:
            put3(row, up, WRENCH, add(part3(row, up, WRENCH), force))
            carried = add(torque, cross(part3(row, i, REACH), force))
            put3(row, up, WRENCH + 3, add(part3(row, up, WRENCH + 3), carried))
        _write_rows(slot, coordinates, row, i, force, torque, multiplier)
        if slot[i, SPRUNG]:
            _write_interval_forces(tree, h, coordinates, i, multiplier)


@kernel
def _write_rows(slot, coordinates, row, i, force, torque, multiplier):
    """Constraint rows of slot i from the wrench on its body about its reference point."""
    j, turning = slot[i, JOINT], slot[i, TURNING]
    if slot[i, REVERSED]:
        # the body is A: the wrench on B is the opposite one, about r_B
        torque = scale(-1.0, add(torque, cross(part3(row, i, OFFSET), force)))
        force = scale(-1.0, force)
    if slot[i, SHAPE] == HINGE or slot[i, SHAPE] == RIGID:
        # A is where B would be with the angle taken back
        b = columns(get4(row, i, FRAME))
        p = joint_turn(slot, i, coordinates)
        c, s = p[0] * p[0] - p[3] * p[3], 2.0 * p[0] * p[3]
        if slot[i, REVERSED]:
            a = b
        else:
            a = (axpy(c, b[0], scale(-s, b[1])), axpy(s, b[0], scale(c, b[1])), b[2])
    else:
        q_a, q_b = joint_axes(slot, row, i)
        a, b = columns(q_a), columns(q_b)
        p = joint_turn(slot, i, coordinates)
    for c in range(6):
        multiplier[j, c] = 0.0
    if not slot[i, FREE_X]:
        multiplier[j, 0] = dot(a[0], force)
    if not slot[i, FREE_X + 1]:
        multiplier[j, 1] = dot(a[1], force)
    if not slot[i, FREE_X + 2]:
        multiplier[j, 2] = dot(a[2], force)
    if turning == FREE_TURN:
        return
    if turning == TWO_ANGLES:
        # the row of the cosine between the axes turns about their common normal: b₂×a₁
        multiplier[j, 5] = dot(cross(b[1], a[0]), torque)
        return
    # rows w e + p_v×e of the vector part, p_v along axis 3
    multiplier[j, 3] = dot(axpy(p[0], a[0], scale(p[3], a[1])), torque)
    multiplier[j, 4] = dot(axpy(p[0], a[1], scale(-p[3], a[0])), torque)
    if turning != ANGLE:
        multiplier[j, 5] = dot(a[2], torque)


@kernel
def _write_interval_forces(tree, h, coordinates, i, multiplier):
    """Left impulses Sᴸ = −κ δ − (h/2) k (c − c₀) of springs, dampers and rotors."""
    slot, row, dof = tree.slot, tree.row, tree.dof
    j, first = slot[i, JOINT], slot[i, FIRST]
    scalars = scalar_dofs(slot, i)
    k = 0
    for c in range(6):
        turning = slot[i, TURNING]
        free = slot[i, FREE_X + c] if c < 3 else 0
        if c >= 3 and k < slot[i, DOFS]:
            free = c == 5 if turning == ANGLE else (c < 5 if turning == TWO_ANGLES else turning == FREE_TURN)
        if free and k < scalars:
            stretch = coordinates[slot[i, COORDINATE] + k] - dof[first + k, REST]
            impulse = -dof[first + k, GROWTH] * coordinate_step(slot, dof, i, k)
            multiplier[j, c] = impulse - 0.5 * h * dof[first + k, STIFFNESS] * stretch
            k += 1
    if slot[i, TURNING] == FREE_TURN:
        s, phi = turn_in_b(slot, row, dof, i)
        sign = 2.0 if s >= 0.0 else -2.0
        for c in range(3):
            multiplier[j, 3 + c] = -sign * dof[first + scalars + c, GROWTH] * phi[c]
