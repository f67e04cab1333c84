"""What follows from the rows of a recording, one kernel call for all of them."""

from __future__ import annotations

from dalembert._jit import kernel
from dalembert.mechanics.constraints import evaluate_constraints
from dalembert.mechanics.kinematics import joint_rates, product_rates
from dalembert.model.system import Integers, System
from dalembert.spatial.quaternion import row4, set_row4
from dalembert.spatial.vector import row3, set_row3


@kernel
def rates_of_rows(system, coordinates, position, orientation, velocity, angular_velocity, bodies, rates):
    """Rates of all joints at each of N recorded instants into ``rates`` (N, rates).

    ``bodies`` are scratch poses and velocities with the world's row.
    """
    x, q, v, w = bodies
    for s in range(rates.shape[0]):
        for i in range(position.shape[1]):
            set_row3(x, i, row3(position[s], i))
            set_row4(q, i, row4(orientation[s], i))
            set_row3(v, i, row3(velocity[s], i))
            set_row3(w, i, row3(angular_velocity[s], i))
        joint_rates(system, x, q, v, w, rates[s])
        product_rates(system, coordinates[s], x, q, v, w, rates[s])


@kernel
def wrenches_of_rows(system, active, edges, multiplier, coordinates, position, orientation, bodies, rows, wrench):
    """Add Σ Gᵀ λ over some edges of one joint at each of N recorded instants to ``wrench`` (N, 6).

    ``multiplier`` (N, 6) are the forces of the joint's components; ``bodies`` and ``rows`` are scratch: poses with the
    world's row, and values and Jacobians of the system's joints.
    """
    x, q = bodies
    value, jacobian = rows
    for s in range(wrench.shape[0]):
        for i in range(position.shape[1]):
            set_row3(x, i, row3(position[s], i))
            set_row4(q, i, row4(orientation[s], i))
        evaluate_constraints(system, active, coordinates[s], x, q, value, jacobian)
        for e in edges:
            for c in range(6):
                force = multiplier[s, c]
                if force != 0.0:
                    for k in range(6):
                        wrench[s, k] += force * jacobian[e, c, k]


def single_joint(system: System, j: int) -> System:
    """The same bodies with joint j as the only one; not for gears, which speak of other joints."""
    of_joints = (
        *("joint_kind", "joint_parent", "joint_child", "parent_point", "parent_frame", "child_point", "child_frame"),
        *("locked", "parameter", "offset", "gear_joint", "gear_component", "stiffness", "damping", "rest", "armature"),
        *("q_start", "v_start", "n_coordinates", "n_rates"),
    )
    first, last = system.incidence_start[j], system.incidence_start[j + 1]
    start: Integers = system.incidence_start[j : j + 2] - first
    only = {name: getattr(system, name)[j : j + 1] for name in of_joints}
    factors = system.product_start[j : j + 2]
    return system._replace(
        **only, incidence_start=start, incidence_body=system.incidence_body[first:last], product_start=factors
    )
