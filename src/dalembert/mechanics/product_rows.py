"""Rows of a joint that is a product of exponentials: its coordinates first, then what it locks."""

from dalembert._jit import kernel
from dalembert.mechanics.product_joint import product_pose
from dalembert.mechanics.product_place import component_rows, miss, nearest_coordinates
from dalembert.mechanics.rows import add_rotation, put_translation
from dalembert.spatial.quaternion import multiply, rotate
from dalembert.spatial.vector import dot


@kernel
def put_product_rows(
    system, active, j, coordinates, t, p, q_a, q_b, axes_a, axes_b, to_b, reach_b, value, jacobian, edge
):
    """Values and rows of all components of joint j at the relative pose (t, p); those that are not active stay zero.

    The two blocks of the edges hold the rows in the axes of B and their factors until the rows take their place.
    """
    n = system.n_coordinates[j]
    here, basis, factor = value[j], jacobian[edge], jacobian[edge + 1]
    for k in range(n):
        here[k] = coordinates[system.q_start[j] + k]
    nearest_coordinates(system, j, t, p, here, 0)
    component_rows(system, j, here, 0, basis, factor)
    x, turn = miss(system, j, t, p, here, 0)
    q_near = multiply(q_a, product_pose(system, j, here, 0)[1])
    for c in range(6):
        along, about = (basis[c, 0], basis[c, 1], basis[c, 2]), (basis[c, 3], basis[c, 4], basis[c, 5])
        if active[j, c]:
            if c >= n:
                here[c] = dot(along, x) + dot(about, turn)
            put_translation(jacobian, edge, edge + 1, c, rotate(q_near, along), axes_a, axes_b, to_b, reach_b)
            add_rotation(jacobian, edge, edge + 1, c, rotate(q_b, about), axes_a, axes_b)
        else:
            for k in range(6):
                jacobian[edge, c, k] = 0.0
                jacobian[edge + 1, c, k] = 0.0
