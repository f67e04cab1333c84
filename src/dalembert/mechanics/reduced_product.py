"""What changing screws add to the motion of a joint and to its derivatives (`dalembert.mechanics.reduced_tree`).

The screws s_k of a product depend on its coordinates: s_kl = ∂_l s_k where B, in which they are given, stands still.
With V and V' the velocities of the inner and outer body, Δ = V' − V, U_l = Σ s_kl v_k = ∂_l Δ less what moves along,

    ṡ_k gains Σ s_kl v_l,      A' gains a = Σ s_kl v_k v_l,      ψ̇_l gains U_l,
    ψ̈_l gains Σ s_kl v̇_k + ∂_l a + (V + V') × U_l,

and a × s_l where B is the inner body, whose Γ then holds a too. It is what is left of ∂_l A' − s_l × A' + V' × ψ̇_l
besides Γ × s_l + W × (W × s_l); Jacobi's identity removes the rest.
"""

from dalembert._jit import kernel
from dalembert.mechanics.kinematics import seen_at
from dalembert.mechanics.product_joint import ZERO, plus, product_jet
from dalembert.mechanics.recursive_tree import add_row6, angular6, linear6
from dalembert.spatial.rigid_motion import bracket


@kernel
def bend_screws(system, at, i, v, acceleration, inner, outer):
    """Add all this for tree joint i to ``at``, and fill ``at.bend``; returns a. ``inner``, ``outer``: V and V'."""
    j, body = system.tree_joint[i], system.tree_body[i]
    first, n = system.v_start[j], system.n_rates[j]
    sign = 1.0 if system.tree_reversed[i] == 0 else -1.0
    both = plus(1.0, inner, outer)
    gained = ZERO
    for l in range(n):
        more = ZERO
        for k in range(n):
            _, s_l, _, a, u_l, a_l = product_jet(system, j, at.coordinates, system.q_start[j], v, first, k, l)
            bent = seen_at(system, j, body, at.position, at.orientation, s_l)
            for c in range(3):
                at.bend[first + k, l, c] = sign * bent[0][c]
                at.bend[first + k, l, 3 + c] = sign * bent[1][c]
            more = plus(sign * acceleration[first + k], bent, more)
            rate = plus(sign * v[first + l], bent, ZERO)
            add_row6(at.screw_rate, first + k, rate[0], rate[1])
            if k == 0:
                swept = plus(sign, seen_at(system, j, body, at.position, at.orientation, u_l), ZERO)
                add_row6(at.first, first + l, swept[0], swept[1])
                turned = bracket(both[0], both[1], swept[0], swept[1])
                more = plus(1.0, turned, more)
                more = plus(sign, seen_at(system, j, body, at.position, at.orientation, a_l), more)
                gained = plus(sign, seen_at(system, j, body, at.position, at.orientation, a), ZERO)
                if sign < 0.0:
                    s = linear6(at.screw, first + l), angular6(at.screw, first + l)
                    more = plus(1.0, bracket(gained[0], gained[1], s[0], s[1]), more)
        add_row6(at.second, first + l, more[0], more[1])
    return gained
