"""What the objective feels of masses, inertias and gravity.

    ∂(zᵀ g)/∂m = Z_lin · (a − g),   ∂(zᵀ g)/∂J = ζ αᵀ + (ζ × ω) ωᵀ,   ∂(zᵀ g)/∂(gravity) = −Σ m Z_lin,

a the acceleration of the centre of mass, and ζ, ω, α the angular parts of Z, V and the acceleration in body axes:
ζ · (J α + ω × J ω) = ζᵀ J α + (ζ × ω)ᵀ J ω.
"""

from dalembert._jit import kernel
from dalembert.mechanics.recursive_tree import angular6, linear6
from dalembert.mechanics.reduced_tree import body_twist, centre_acceleration
from dalembert.spatial.quaternion import rotate_back, row4
from dalembert.spatial.vector import cross, dot


@kernel
def add_body_terms(system, at, factor, virtual, felt):
    """Add ``factor`` times these derivatives to ``felt``, a `Sensitivity`."""
    for i in range(system.mass.size - 1):
        push = linear6(virtual.twist, i)
        a, alpha = centre_acceleration(at, i)
        _, omega = body_twist(at, i)
        felt.mass[i] += factor * dot(push, a)
        turn = row4(at.orientation, i)
        zeta = rotate_back(turn, angular6(virtual.twist, i))
        alpha, omega = rotate_back(turn, alpha), rotate_back(turn, omega)
        swung = cross(zeta, omega)
        for r in range(3):
            felt.gravity[r] -= factor * system.mass[i] * push[r]
            for c in range(3):
                both = zeta[r] * alpha[c] + zeta[c] * alpha[r] + swung[r] * omega[c] + swung[c] * omega[r]
                felt.inertia[i, r, c] += 0.5 * factor * both
