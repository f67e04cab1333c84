"""What the objective feels of the drives, springs, dampers and rotors of the tree's own joints.

Lengths and angles: zᵀ g holds z (k (q − q₀) + d v + armature v̇ − drive). A rotation about a point holds −zᵀ τ with
τ = −Lᵀ(u) k u, L the inverse of the right Jacobian at u = log(exp(−ρ) p): for ρ ← ρ + δρ, exp(ρ) turns by
exp(T(ρ) δρ) from the right, and u changes by −L(−u) T(ρ) δρ.
"""

from dalembert._jit import kernel
from dalembert.mechanics.forces import turn_spring
from dalembert.mechanics.kinematics_joint import rate_component
from dalembert.mechanics.reduced_coordinates import turn_of
from dalembert.spatial.rotation import exp_rate, log_rate, log_rate_transposed
from dalembert.spatial.rotation_second import log_rate_transposed_change
from dalembert.spatial.vector import dot, unit


@kernel
def add_coordinate_terms(system, stage, z, factor, force, felt):
    """Add ``factor`` times ∂(zᵀ g) to ``felt``, a `Sensitivity`, and to ``force`` (rates of all joints)."""
    q, v, acceleration = stage.q, stage.v, stage.acceleration
    for j in system.tree_joint:
        row, first = system.v_start[j], system.q_start[j]
        turns = system.n_coordinates[j] > system.n_rates[j]
        angles = system.n_rates[j] - (3 if turns else 0)
        for i in range(system.n_rates[j]):
            c, k = rate_component(system, j, i), row + i
            force[k] -= factor * z[k]
            felt.damping[j, c] += factor * z[k] * v[k]
            felt.armature[j, c] += factor * z[k] * acceleration[k]
            if i < angles:
                felt.stiffness[j, c] += factor * z[k] * (q[first + i] - system.rest[j, c])
                felt.rest[j, c] -= factor * z[k] * system.stiffness[j, c]
        if turns:
            k = row + angles
            add_turn_spring_terms(system, j, turn_of(system, j, q), (z[k], z[k + 1], z[k + 2]), factor, felt)


@kernel
def add_turn_spring_terms(system, j, p, z, factor, felt):
    """The same of the spring of a joint that turns freely: p its turn, z the virtual rate in the axes of B."""
    u, _ = turn_spring(system, j, p)
    rest = (system.rest[j, 3], system.rest[j, 4], system.rest[j, 5])
    k = (system.stiffness[j, 3], system.stiffness[j, 4], system.stiffness[j, 5])
    pull = (-k[0] * u[0], -k[1] * u[1], -k[2] * u[2])
    back = (-u[0], -u[1], -u[2])
    for c in range(3):
        e = unit(c)
        felt.stiffness[j, 3 + c] += factor * u[c] * dot(z, log_rate_transposed(u, e))
        du = log_rate(back, exp_rate(rest, e))
        du = (-du[0], -du[1], -du[2])
        bent = log_rate_transposed_change(u, pull, du)
        weaker = log_rate_transposed(u, (-k[0] * du[0], -k[1] * du[1], -k[2] * du[2]))
        felt.rest[j, 3 + c] -= factor * (dot(z, bent) + dot(z, weaker))
