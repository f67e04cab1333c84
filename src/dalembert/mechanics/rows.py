"""Rows of Jacobians: how one component of a joint changes when its two bodies move.

A row belongs to an edge (joint, body) and holds six numbers: the derivative with respect to the body's position in the
world and to its turn η in body axes (q ← q·exp(η)). Its transpose, times a force, is the wrench on that body.

A component that depends on the relative turn alone has one world vector n with δ(component) = n · (Q_b η_b − Q_a η_a).
"""

from dalembert._jit import kernel
from dalembert.spatial.quaternion import rotate, rotate_back, row4
from dalembert.spatial.vector import cross, row3, scale, sub


@kernel
def translation_row(system, j, n, factor, position, orientation, jacobian, edge_a, edge_b, c):
    """The component n · (r_B − r_A) of joint j, n a world vector that turns with body a.

    On both bodies the force acts at r_B: from the parent's point of view the child's point is what moves.
    """
    a, b = system.joint_parent[j], system.joint_child[j]
    q_a, q_b = row4(orientation, a), row4(orientation, b)
    arm_b = row3(system.child_point, j)
    reach = sub(_point_b(system, j, position, orientation), row3(position, a))
    n = scale(factor, n)
    _write(jacobian, edge_b, c, n, cross(arm_b, rotate_back(q_b, n)))
    m = scale(-1.0, n)
    _write(jacobian, edge_a, c, m, rotate_back(q_a, cross(reach, m)))


@kernel
def distance_row(system, j, n, position, orientation, jacobian, edge_a, edge_b, c):
    """The component |r_B − r_A| of joint j, n its unit direction: the force acts at r_A on a, at r_B on b."""
    q_a, q_b = row4(orientation, system.joint_parent[j]), row4(orientation, system.joint_child[j])
    m = scale(-1.0, n)
    _write(jacobian, edge_a, c, m, cross(row3(system.parent_point, j), rotate_back(q_a, m)))
    _write(jacobian, edge_b, c, n, cross(row3(system.child_point, j), rotate_back(q_b, n)))


@kernel
def rotation_row(system, j, n, orientation, jacobian, edge_a, edge_b, c):
    """A component with δ = n · (Q_b η_b − Q_a η_a)."""
    zero = (0.0, 0.0, 0.0)
    _write(jacobian, edge_a, c, zero, scale(-1.0, rotate_back(row4(orientation, system.joint_parent[j]), n)))
    _write(jacobian, edge_b, c, zero, rotate_back(row4(orientation, system.joint_child[j]), n))


@kernel
def add_rotation_row(system, j, n, orientation, jacobian, edge_a, edge_b, c):
    """Add the row of `rotation_row` to what stands there."""
    u = rotate_back(row4(orientation, system.joint_parent[j]), n)
    w = rotate_back(row4(orientation, system.joint_child[j]), n)
    for k in range(3):
        jacobian[edge_a, c, 3 + k] -= u[k]
        jacobian[edge_b, c, 3 + k] += w[k]


@kernel
def _point_b(system, j, position, orientation):
    b = system.joint_child[j]
    x, u = row3(position, b), rotate(row4(orientation, b), row3(system.child_point, j))
    return (x[0] + u[0], x[1] + u[1], x[2] + u[2])


@kernel
def _write(jacobian, edge, c, force, torque):
    for k in range(3):
        jacobian[edge, c, k] = force[k]
        jacobian[edge, c, 3 + k] = torque[k]
