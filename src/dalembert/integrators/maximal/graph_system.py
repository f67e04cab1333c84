"""The Newton system of a step as a block-sparse system on the mechanism's graph.

Unknowns of a body are the increments (δx, η) of its end pose, unknowns of a joint the impulses Λ of its rows (not their
increments: the equations are linear in Λ). [Brüdigam 2023] eqs (20), (33) with D' = ∂p⁻/∂z⁺:

    D' δz − G(z_k)ᵀ Λ = P − p⁻,        G(z⁺) δz + C Λ = −(value + e),        C = 1/a for rows with compliance, else 0.
"""

from dalembert._jit import kernel
from dalembert.integrators.maximal.discrete_body import left_momentum_derivative
from dalembert.mechanics.constraint_graph import fill_mass, fill_row
from dalembert.spatial.vector import part3


@kernel
def fill_step(system, graph, h, interval, trial, block, values, rhs):
    """Matrix and right-hand side at the trial. ``block`` is 3×3 scratch."""
    values[:] = 0.0
    for i in range(system.mass.shape[0] - 1):
        at, row = graph.body_block[i], graph.body_unknown[i]
        left_momentum_derivative(system.inertia, i, h, part3(trial.velocity, i, 3), block)
        for k in range(3):
            values[at + 7 * k] = system.mass[i] / h
            for l in range(3):
                values[at + 6 * (3 + k) + 3 + l] = block[k, l]
        for k in range(6):
            # trial.body holds p⁻ − P − Gᵀ Λ at the current Λ; the impulses' part is put back below
            rhs[row + k] = -trial.body[i, k]
    locked, first, bodies = system.locked, system.incidence_start, system.incidence_body
    left, right, multiplier = interval.jacobian, trial.jacobian, trial.multiplier
    for j in range(graph.n_rows.shape[0]):
        rows, row, at = graph.n_rows[j], graph.joint_unknown[j], graph.joint_block[j]
        for r in range(rows):
            c = graph.component[j, r]
            rhs[row + r] = -trial.value[j, c]
            if not locked[j, c]:
                values[at + r * (rows + 1)] = interval.compliance[j, c]
                rhs[row + r] -= interval.offset[j, c]
            for e in range(first[j], first[j + 1]):
                lower = graph.joint_body[e]
                if lower >= 0:
                    fill_row(lower, graph.body_joint[e], r, rows, c, e, left, right, values)
                    body = graph.body_unknown[bodies[e]]
                    for k in range(6):
                        rhs[body + k] -= left[e, c, k] * multiplier[j, c]


@kernel
def fill_projection(system, graph, interval, momentum, values, rhs):
    """The system that turns momenta at a knot into velocities on the hidden constraint.

    M v − Gᵀ μ = p,  G v + C μ = 0: constraints have C = 0, a rotor of inertia I has C = 1/I (μ = −I ċ is its momentum),
    and rows of springs and dampers alone drop out (μ = 0).
    """
    values[:] = 0.0
    for i in range(system.mass.shape[0] - 1):
        fill_mass(system.mass[i], system.inertia, i, graph.body_block[i], values)
        row = graph.body_unknown[i]
        for k in range(6):
            rhs[row + k] = momentum[i, k]
    first, jacobian = system.incidence_start, interval.jacobian
    for j in range(graph.n_rows.shape[0]):
        rows, row = graph.n_rows[j], graph.joint_unknown[j]
        for r in range(rows):
            c = graph.component[j, r]
            rhs[row + r] = 0.0
            rotor = system.armature[j, c]
            if not system.locked[j, c]:
                values[graph.joint_block[j] + r * (rows + 1)] = 1.0 / rotor if rotor > 0.0 else 1.0
                if rotor == 0.0:
                    continue
            for e in range(first[j], first[j + 1]):
                lower, upper = graph.joint_body[e], graph.body_joint[e]
                fill_row(lower, upper, r, rows, c, e, jacobian, jacobian, values)
