"""Rows of Jacobians: how one component of a joint changes when its two bodies move.

A row belongs to an edge (joint, body) and holds six numbers: the derivative with respect to the body's position in the
world and to its turn η in body axes (q ← q·exp(η)). Its transpose, times a force, is the wrench on that body.

A component that depends on the relative turn alone has one world vector n with δ(component) = n · (Q_b η_b − Q_a η_a).

These functions take numbers, not the system: a call that is not inlined would pass every array of it.
"""

from dalembert._jit import kernel
from dalembert.spatial.vector import components, cross


@kernel
def put_translation(jacobian, edge_a, edge_b, c, n, axes_a, axes_b, reach_a, reach_b):
    """A component whose force acts along n: at ``reach_a`` from the centre of mass of a, at ``reach_b`` from that of b.

    For n · (r_B − r_A) with n fixed in a both points are r_B: from the parent's point of view it is the child's point
    that moves. ``axes_a`` and ``axes_b`` are the bodies' axes; all vectors are in the world.
    """
    on_a = components(axes_a, cross(reach_a, n))
    on_b = components(axes_b, cross(reach_b, n))
    for k in range(3):
        jacobian[edge_a, c, k] = -n[k]
        jacobian[edge_b, c, k] = n[k]
        jacobian[edge_a, c, 3 + k] = -on_a[k]
        jacobian[edge_b, c, 3 + k] = on_b[k]


@kernel
def put_rotation(jacobian, edge_a, edge_b, c, n, axes_a, axes_b):
    """A component with δ = n · (Q_b η_b − Q_a η_a)."""
    on_a, on_b = components(axes_a, n), components(axes_b, n)
    for k in range(3):
        jacobian[edge_a, c, k] = 0.0
        jacobian[edge_b, c, k] = 0.0
        jacobian[edge_a, c, 3 + k] = -on_a[k]
        jacobian[edge_b, c, 3 + k] = on_b[k]


@kernel
def add_rotation(jacobian, edge_a, edge_b, c, n, axes_a, axes_b):
    """Add the row of `put_rotation` to what stands there."""
    on_a, on_b = components(axes_a, n), components(axes_b, n)
    for k in range(3):
        jacobian[edge_a, c, 3 + k] -= on_a[k]
        jacobian[edge_b, c, 3 + k] += on_b[k]
