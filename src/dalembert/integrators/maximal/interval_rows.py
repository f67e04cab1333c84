"""Springs, dampers and rotors along joint coordinates, as rows beside the constraints.

On an interval a free component c with stiffness k, damping d, armature I and rest c₀ has the discrete Lagrangian

    h [ ½ I (Δ/h)² − ½ k (½(c + c⁺) − c₀)² ],   Δ = c⁺ − c,   and the dissipative force −d Δ/h, half at each end.

Its impulses on c at the two ends of the interval are

    left   Sᴸ = −I Δ/h − B,     right   Sᴿ = +I Δ/h − B,     B = (h/2) [k (½(c + c⁺) − c₀) + d Δ/h]

and act on the bodies through the coordinate's Jacobian at that end. Taking S = Sᴸ as an unknown beside the multipliers
turns each spring or damper into a constraint row with compliance,

    c⁺ + e + S/a = 0,   a = I/h + h k/4 + d/2,   e = [(−I/h + h k/4 − d/2) c − (h k/2) c₀] / a,

so the graph of the system stays that of the mechanism and a very stiff spring is as well conditioned as a constraint.

Where all three rotations are free, a damper or rotor works on the turn of the interval instead: f = p⁻¹ p⁺ = (s, φ) has
the same components in B's axes at both knots, Δ = 2 φ, and the pair of torques acts along B's axes.
"""

from dalembert._jit import kernel
from dalembert.mechanics.turns import evaluate_turns, turns_freely


@kernel
def interval_stiffness(system, h, j, c):
    """a = I/h + h k/4 + d/2 of component c of joint j; the spring of a free rotation acts at the knots, not here."""
    k = 0.0 if c >= 3 and turns_freely(system, j) else system.stiffness[j, c]
    return system.armature[j, c] / h + 0.25 * h * k + 0.5 * system.damping[j, c]


@kernel
def interval_offset(system, h, j, c, coordinate):
    """e of component c of joint j that starts the interval at ``coordinate``."""
    if c >= 3 and turns_freely(system, j):
        return 0.0
    k = system.stiffness[j, c]
    back = -system.armature[j, c] / h + 0.25 * h * k - 0.5 * system.damping[j, c]
    return (back * coordinate - 0.5 * h * k * system.rest[j, c]) / interval_stiffness(system, h, j, c)


@kernel
def keep_rotors(system, active, interval, trial, increment):
    """Before the knot moves: minus the coordinates of rows with armature, or Δ itself where it is a turn."""
    for j in range(active.shape[0]):
        for c in range(6):
            increment[j, c] = -interval.value[j, c]
    evaluate_turns(system, active, interval.turns, trial.position, trial.orientation, increment, trial.jacobian)


@kernel
def add_right_impulses(system, active, h, increment, interval, trial, momentum):
    """p_{k+1} += G(z_{k+1})ᵀ Sᴿ with Sᴿ = Sᴸ + 2 I Δ/h, after the knot has moved and been evaluated."""
    first, bodies, locked = system.incidence_start, system.incidence_body, system.locked
    for j in range(active.shape[0]):
        for c in range(6):
            if not active[j, c] or locked[j, c]:
                continue
            impulse = trial.multiplier[j, c]
            if system.armature[j, c] > 0.0:
                delta = increment[j, c]
                if c < 3 or not turns_freely(system, j):
                    delta += interval.value[j, c]
                impulse += 2.0 * system.armature[j, c] * delta / h
            for e in range(first[j], first[j + 1]):
                i = bodies[e]
                for k in range(6):
                    momentum[i, k] += interval.jacobian[e, c, k] * impulse
