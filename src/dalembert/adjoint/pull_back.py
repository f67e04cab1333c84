"""From what an objective feels of bodies to what it feels of the coordinates, rates and lengths that place them.

With the wrenches  f₁ = (x̄, Q η̄ + v × v̄)  and  f₂ = (v̄, Q ω̄)  of every body, x̄ and v̄ the derivatives by position and
velocity, η̄ and ω̄ those by turn and angular velocity in body axes, gathered from the leaves inwards,

    by place: s · f₁ + ψ̇ · f₂,       by rate: s · f₂,       by a point fixed in a body (slide y): y · (f₁ + f₂ × ω),

for a coordinate turns what it carries along: the velocity of a body changes by θ_s × v + ψ̇, its angular velocity in
its own axes by ψ̇ alone (`dalembert.mechanics.reduced_derivatives`).
"""

from dalembert._jit import kernel
from dalembert.mechanics.recursive_tree import add_row6, angular6, dot6, linear6, set_row6
from dalembert.mechanics.reduced_tree import body_twist, move_tree, place_tree
from dalembert.spatial.quaternion import rotate, rotate_back, row4
from dalembert.spatial.vector import add, cross, part3, row3, sub


@kernel
def pull_back(system, at, tape, still, bodies, virtual, place, rate, felt):
    """Add to ``place`` and ``rate`` (N + 1, n_v), and to the points in ``felt``, what is felt of bodies.

    Args:
        still: (n_v,) zeros.
        bodies: derivatives by position, turn, velocity and angular velocity, each (N + 1, n, 3).
        virtual: scratch, a `Virtual`.
    """
    of_position, of_turn, of_velocity, of_spin = bodies
    for k in range(place.shape[0]):
        idle = True
        for i in range(of_position.shape[1]):
            for c in range(3):
                if (
                    of_position[k, i, c] != 0.0
                    or of_turn[k, i, c] != 0.0
                    or of_velocity[k, i, c] != 0.0
                    or of_spin[k, i, c] != 0.0
                ):
                    idle = False
        if idle:
            continue
        place_tree(system, at, tape.q[k])
        move_tree(system, at, tape.v[k], still)
        set_row6(virtual.placed, of_position.shape[1], (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
        set_row6(virtual.moved, of_position.shape[1], (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
        for i in range(of_position.shape[1]):
            turn, v_bar = row4(at.orientation, i), row3(of_velocity[k], i)
            v, _ = body_twist(at, i)
            torque = add(rotate(turn, row3(of_turn[k], i)), cross(v, v_bar))
            set_row6(virtual.placed, i, row3(of_position[k], i), torque)
            set_row6(virtual.moved, i, v_bar, rotate(turn, row3(of_spin[k], i)))
        for i in range(system.tree_joint.size - 1, -1, -1):
            _meet_joint(system, at, i, virtual, place[k], rate[k], felt)


@kernel
def _meet_joint(system, at, i, virtual, place, rate, felt):
    j, body, origin = system.tree_joint[i], system.tree_body[i], system.tree_parent[i]
    f1, f2 = linear6(virtual.placed, body), linear6(virtual.moved, body)
    t1, t2 = angular6(virtual.placed, body), angular6(virtual.moved, body)
    for k in range(system.v_start[j], system.v_start[j] + system.n_rates[j]):
        place[k] += dot6(at.screw, k, f1, t1) + dot6(at.first, k, f2, t2)
        rate[k] += dot6(at.screw, k, f2, t2)
    for side in range(2):
        fixed_in = origin if side == 0 else body
        change = add(f1, cross(f2, part3(at.twist, fixed_in, 3)))
        change = rotate_back(row4(at.orientation, fixed_in), change)
        of_parent = (side == 0) == (system.tree_reversed[i] == 0)
        for k in range(3):
            signed = change[k] if side == 0 else -change[k]
            if of_parent:
                felt.parent_point[j, k] += signed
            else:
                felt.child_point[j, k] += signed
    arm = sub(row3(at.position, body), row3(at.position, origin))
    add_row6(virtual.placed, origin, f1, add(t1, cross(arm, f1)))
    add_row6(virtual.moved, origin, f2, add(t2, cross(arm, f2)))
