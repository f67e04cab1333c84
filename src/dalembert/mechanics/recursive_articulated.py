"""Forward dynamics of the spanning tree in linear time: the articulated-body algorithm.

Source: [Featherstone 2008] chapter 7, in world axes about the centres of mass (`dalembert.mechanics.recursive_tree`).
The wrench that a joint passes to its body is I A_i + p, with articulated inertia I and A_i = T A_p + c + S v̇. The rates
obey Sᵀ(I A_i + p) + (armature) v̇ = τ; eliminating v̇ leaves, with U = I S and D = Sᵀ U + armature,

    I' = I − U D⁻¹ Uᵀ,      p' = p + I' c + U D⁻¹ (τ − Sᵀ p)

for the body's tree parent. D is at most 6×6 and positive definite: it is factored in place by Cholesky.
"""

from math import sqrt

from dalembert._jit import kernel
from dalembert.mechanics.kinematics_joint import rate_component
from dalembert.mechanics.recursive import add_shifted_inertia, inertia_times, start_articulated
from dalembert.mechanics.recursive_tree import add_row6, angular6, dot6, linear6, set_row6
from dalembert.spatial.quaternion import rotate, row4
from dalembert.spatial.vector import add, axpy, cross, mat_vec, row3, sub


@kernel
def forward_dynamics(system, tree, orientation, tau, wrench, out):
    """v̇ of M v̇ + c = τ + Σ Jᵀ wrench into ``out`` (n_v,); `prepare_tree` has run.

    Args:
        orientation: (n + 1, 4) of the bodies.
        tau: (n_v,) forces on the minimal rates.
        wrench: (n + 1, 6) on the bodies, gravity included.
    """
    start_articulated(system, tree)
    for i in range(system.mass.size):
        omega = row3(tree.omega, i)
        spin = cross(omega, mat_vec(tree.inertia, i, omega))
        force = linear6(wrench, i)
        set_row6(
            tree.wrench,
            i,
            (-force[0], -force[1], -force[2]),
            sub(spin, rotate(row4(orientation, i), angular6(wrench, i))),
        )
    for i in range(system.tree_joint.size - 1, -1, -1):
        _eliminate_joint(system, tree, i, tau)
    world = system.mass.size - 1
    set_row6(tree.acceleration, world, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    for i in range(system.tree_joint.size):
        _accelerate_joint(system, tree, i, out)


@kernel
def _eliminate_joint(system, tree, i, tau):
    j, body, origin = system.tree_joint[i], system.tree_body[i], system.tree_parent[i]
    start, size = system.v_start[j], system.n_rates[j]
    pivot = tree.pivot[i]
    for k in range(size):
        force, torque = inertia_times(
            tree.articulated, body, linear6(tree.screw, start + k), angular6(tree.screw, start + k)
        )
        set_row6(tree.carried, start + k, force, torque)
        for r in range(k + 1):
            pivot[k, r] = dot6(tree.screw, start + r, force, torque)
        pivot[k, k] += system.armature[j, rate_component(system, j, k)]
        rest = dot6(tree.screw, start + k, linear6(tree.wrench, body), angular6(tree.wrench, body))
        tree.drive[start + k] = tau[start + k] - rest
    cholesky(pivot, size)
    # with D = L Lᵀ: W = U L⁻ᵀ gives I' = I − W Wᵀ, and y = L⁻¹ (τ − Sᵀ p) gives U D⁻¹ (τ − Sᵀ p) = W y
    _half_solve(tree, pivot, start, size)
    inertia = tree.articulated[body]
    for k in range(start, start + size):
        for r in range(6):
            for c in range(6):
                inertia[r, c] -= tree.carried[k, r] * tree.carried[k, c]
    force, torque = inertia_times(tree.articulated, body, linear6(tree.bias, body), angular6(tree.bias, body))
    for k in range(start, start + size):
        force = axpy(tree.drive[k], linear6(tree.carried, k), force)
        torque = axpy(tree.drive[k], angular6(tree.carried, k), torque)
    force, torque = add(force, linear6(tree.wrench, body)), add(torque, angular6(tree.wrench, body))
    arm = sub(row3(tree.centre, body), row3(tree.centre, origin))
    add_row6(tree.wrench, origin, force, add(torque, cross(arm, force)))
    add_shifted_inertia(tree, body, origin)


@kernel
def _accelerate_joint(system, tree, i, out):
    """v̇ = L⁻ᵀ (y − Wᵀ (T A_p + c)), then the body's acceleration."""
    j, body, origin = system.tree_joint[i], system.tree_body[i], system.tree_parent[i]
    start, size = system.v_start[j], system.n_rates[j]
    arm = sub(row3(tree.centre, body), row3(tree.centre, origin))
    alpha = angular6(tree.acceleration, origin)
    linear = add(add(linear6(tree.acceleration, origin), cross(alpha, arm)), linear6(tree.bias, body))
    angular = add(alpha, angular6(tree.bias, body))
    pivot = tree.pivot[i]
    for k in range(size - 1, -1, -1):
        value = tree.drive[start + k] - dot6(tree.carried, start + k, linear, angular)
        for r in range(k + 1, size):
            value -= pivot[r, k] * out[start + r]
        out[start + k] = value / pivot[k, k]
    for k in range(start, start + size):
        linear = axpy(out[k], linear6(tree.screw, k), linear)
        angular = axpy(out[k], angular6(tree.screw, k), angular)
    set_row6(tree.acceleration, body, linear, angular)


@kernel
def cholesky(a, n):
    """The factor L of the leading n×n block, a = L Lᵀ, in place in the lower triangle."""
    for k in range(n):
        for c in range(k + 1):
            value = a[k, c]
            for r in range(c):
                value -= a[k, r] * a[c, r]
            a[k, c] = sqrt(value) if c == k else value / a[c, c]


@kernel
def _half_solve(tree, pivot, start, size):
    """Replace the rows U of ``carried`` by L⁻¹ U and ``drive`` by L⁻¹ drive."""
    for k in range(size):
        for r in range(k):
            tree.drive[start + k] -= pivot[k, r] * tree.drive[start + r]
            for c in range(6):
                tree.carried[start + k, c] -= pivot[k, r] * tree.carried[start + r, c]
        tree.drive[start + k] /= pivot[k, k]
        for c in range(6):
            tree.carried[start + k, c] /= pivot[k, k]
