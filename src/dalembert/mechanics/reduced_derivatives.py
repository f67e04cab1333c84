"""Derivatives of inverse dynamics by coordinates, rates and accelerations, by recursion: O(n · depth) numbers.

A coordinate η_i moves all bodies that its joint carries rigidly along its screw s_i, and with them the screws that are
fixed in these bodies. A quantity that moved along with them would change by s_i ×; what is left is the same for all
bodies b beyond the joint. With W and Γ the velocity and acceleration of the inner side of the joint
(`dalembert.mechanics.reduced_tree`), ψ̇ = W × s_i and ψ̈ = Γ × s_i + W × ψ̇,

    ∂V_b/∂η_i = s_i × V_b + ψ̇,          ∂V_b/∂v_i = s_i,
    ∂A_b/∂η_i = s_i × A_b + ψ̈ − V_b × ψ̇,    ∂A_b/∂v_i = ṡ_i + ψ̇ − V_b × s_i,      ∂A_b/∂v̇_i = s_i.

The wrench that body b demands, F = I A + V ×* I V − w, follows:

    ∂F/∂η_i = s_i ×* F + I ψ̈ + C ψ̇ + P s_i,     ∂F/∂v_i = I (ṡ_i + ψ̇) + C s_i,
    C x = x ×* I V + V ×* I x − I (V × x) − D x,

where P = −∂w/∂(motion of b) and D = ∂w/∂V are taken in body axes, as the maximal stiffness and damping matrices of
[Sueda 2021] are. I, C, P and F add up over all that a joint carries. For a joint k that carries joint i, the row of
s_k meets the column of i; for one that i carries, s_k turns along, s_k · (s_i ×* F) cancels and the column of I s_k,
Cᵀ s_k, Pᵀ s_k meets ψ̈, ψ̇ and s_i. Within a joint it cancels where s_k is fixed in the outer body.

Screws of products that change with the joint's own coordinates add U to ψ̇, more to ψ̈ (see
`dalembert.mechanics.reduced_product`) and s_kl · F to the block of the joint itself. All else stays as it is.

Sources: [Sueda 2021] sections 3.1 and 3.3, whose third-order tensors these sums replace; the idea of composites of C is
that of [Singh 2022].
"""

from dalembert._jit import kernel
from dalembert.mechanics.recursive import add_shifted, inertia_times
from dalembert.mechanics.recursive_tree import angular6, dot6, linear6, set_row6
from dalembert.mechanics.reduced_tree import axpy6, body_twist, cross_wrench, motion_row
from dalembert.model.system import PRODUCT
from dalembert.spatial.vector import add, cross, mat_vec, row3, sub


@kernel
def start_composites(system, at):
    """Every body's own I, C and P = 0 before forces add theirs to ``motion`` and ``place``.

    About the centre of mass, C (u, θ) = (−2m v×θ, θ×Jω + ω×Jθ − J(ω×θ)).
    """
    for i in range(system.mass.size):
        m = system.mass[i]
        v, omega = body_twist(at, i)
        spin = mat_vec(at.inertia, i, omega)
        for k in range(3):
            e = (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)
            push = cross(v, e)
            column = (at.inertia[i, 0, k], at.inertia[i, 1, k], at.inertia[i, 2, k])
            turn = sub(add(cross(e, spin), cross(omega, column)), mat_vec(at.inertia, i, cross(omega, e)))
            for r in range(3):
                at.composite[i, r, k] = m if r == k else 0.0
                at.composite[i, r, 3 + k] = 0.0
                at.composite[i, 3 + r, k] = 0.0
                at.composite[i, 3 + r, 3 + k] = column[r]
                at.motion[i, r, k] = 0.0
                at.motion[i, r, 3 + k] = -2.0 * m * push[r]
                at.motion[i, 3 + r, k] = 0.0
                at.motion[i, 3 + r, 3 + k] = turn[r]
                for c in (k, 3 + k):
                    at.place[i, r, c] = 0.0
                    at.place[i, 3 + r, c] = 0.0


@kernel
def fill_derivatives(system, at, by_place, by_rate, mass):
    """∂(demand)/∂η, ∂(demand)/∂v and M = ∂(demand)/∂v̇ (n_v, n_v each); `gather_demand` and `start_composites` ran.

    ``by_place[k, i]``: the demand of rate k for a small motion along rate i, turns perturbed from the right. Stiffness
    and damping between two bodies are not in these sums.
    """
    for k in range(system.n_v):
        for i in range(system.n_v):
            by_place[k, i] = 0.0
            by_rate[k, i] = 0.0
            mass[k, i] = 0.0
    for i in range(system.tree_joint.size - 1, -1, -1):
        j, body, origin = system.tree_joint[i], system.tree_body[i], system.tree_parent[i]
        first, size = system.v_start[j], system.n_rates[j]
        for k in range(size):
            _form_columns(at, body, first + k, k)
            mass[first + k, first + k] += at.armature[first + k]
        # the joint's own block: columns of k against rows of r
        for k in range(size):
            turning = cross_wrench(motion_row(at.screw, first + k), motion_row(at.demand, body))
            for r in range(first, first + size):
                by_place[r, first + k] += dot6(at.screw, r, linear6(at.column[0], k), angular6(at.column[0], k))
                if at.outer[r] == 1:
                    by_place[r, first + k] -= dot6(at.screw, r, turning[0], turning[1])
                if system.joint_kind[j] == PRODUCT:
                    bent = motion_row(at.bend[r], k)
                    by_place[r, first + k] += dot6(at.demand, body, bent[0], bent[1])
                by_rate[r, first + k] += dot6(at.screw, r, linear6(at.column[1], k), angular6(at.column[1], k))
                mass[r, first + k] += dot6(at.screw, r, linear6(at.column[2], k), angular6(at.column[2], k))
        _meet_ancestors(system, at, i, first, size, by_place, by_rate, mass)
        add_shifted(at.composite, at.position, body, origin)
        add_shifted(at.motion, at.position, body, origin)
        add_shifted(at.place, at.position, body, origin)


@kernel
def _form_columns(at, body, row, k):
    """Wrenches of the rate in ``row``: how the demand beyond changes with its place and rate; I s, Cᵀ s and Pᵀ s."""
    s, rate = motion_row(at.screw, row), motion_row(at.screw_rate, row)
    psi, psi2 = motion_row(at.first, row), motion_row(at.second, row)
    carried = inertia_times(at.composite, body, s[0], s[1])
    by_place = cross_wrench(s, motion_row(at.demand, body))
    by_place = axpy6(1.0, inertia_times(at.composite, body, psi2[0], psi2[1]), by_place)
    by_place = axpy6(1.0, inertia_times(at.motion, body, psi[0], psi[1]), by_place)
    by_place = axpy6(1.0, inertia_times(at.place, body, s[0], s[1]), by_place)
    faster = axpy6(1.0, rate, psi)
    by_rate = inertia_times(at.composite, body, faster[0], faster[1])
    by_rate = axpy6(1.0, inertia_times(at.motion, body, s[0], s[1]), by_rate)
    set_row6(at.column[0], k, by_place[0], by_place[1])
    set_row6(at.column[1], k, by_rate[0], by_rate[1])
    set_row6(at.column[2], k, carried[0], carried[1])
    moved = transposed_times(at.motion, body, s)
    set_row6(at.column[3], k, moved[0], moved[1])
    placed = transposed_times(at.place, body, s)
    set_row6(at.column[4], k, placed[0], placed[1])


@kernel
def transposed_times(a, i, s):
    """``a[i].T @ s``."""
    x, y, z = s[0]
    u, v, w = s[1]
    m = a[i]
    return (
        (
            m[0, 0] * x + m[1, 0] * y + m[2, 0] * z + m[3, 0] * u + m[4, 0] * v + m[5, 0] * w,
            m[0, 1] * x + m[1, 1] * y + m[2, 1] * z + m[3, 1] * u + m[4, 1] * v + m[5, 1] * w,
            m[0, 2] * x + m[1, 2] * y + m[2, 2] * z + m[3, 2] * u + m[4, 2] * v + m[5, 2] * w,
        ),
        (
            m[0, 3] * x + m[1, 3] * y + m[2, 3] * z + m[3, 3] * u + m[4, 3] * v + m[5, 3] * w,
            m[0, 4] * x + m[1, 4] * y + m[2, 4] * z + m[3, 4] * u + m[4, 4] * v + m[5, 4] * w,
            m[0, 5] * x + m[1, 5] * y + m[2, 5] * z + m[3, 5] * u + m[4, 5] * v + m[5, 5] * w,
        ),
    )


@kernel
def _meet_ancestors(system, at, i, first, size, by_place, by_rate, mass):
    """Carry the wrenches of a joint's rates to the world and let every joint on the way meet them."""
    body, origin = system.tree_body[i], system.tree_parent[i]
    up = at.placed_by[origin]
    while up >= 0:
        arm = sub(row3(at.position, body), row3(at.position, origin))
        j = system.tree_joint[up]
        for k in range(size):
            row = first + k
            for a in range(5):
                force = linear6(at.column[a], k)
                set_row6(at.column[a], k, force, add(angular6(at.column[a], k), cross(arm, force)))
            carried = motion_row(at.column[2], k)
            moved = motion_row(at.column[3], k)
            for r in range(system.v_start[j], system.v_start[j] + system.n_rates[j]):
                by_place[r, row] = dot6(at.screw, r, linear6(at.column[0], k), angular6(at.column[0], k))
                by_rate[r, row] = dot6(at.screw, r, linear6(at.column[1], k), angular6(at.column[1], k))
                mass[r, row] = dot6(at.screw, r, carried[0], carried[1])
                mass[row, r] = mass[r, row]
                by_place[row, r] = (
                    dot6(at.second, r, carried[0], carried[1])
                    + dot6(at.first, r, moved[0], moved[1])
                    + dot6(at.screw, r, linear6(at.column[4], k), angular6(at.column[4], k))
                )
                by_rate[row, r] = (
                    dot6(at.first, r, carried[0], carried[1])
                    + dot6(at.screw_rate, r, carried[0], carried[1])
                    + dot6(at.screw, r, moved[0], moved[1])
                )
        body, origin = origin, system.tree_parent[up]
        up = at.placed_by[origin]
