"""What the joints of loops leave behind at the knots: right impulses, reactions, momentum of rotors, velocities."""

from dalembert._jit import kernel
from dalembert.integrators.maximal.tree_plan import ARM, BODY, TWIST
from dalembert.integrators.minimal.loop_solve import close_knot
from dalembert.integrators.minimal.loops import add_wrench, impulse_wrench, rows_at_trial
from dalembert.mechanics.turns import turns_freely
from dalembert.spatial.quaternion import rotate_back, row4
from dalembert.spatial.vector import add, cross, part3


@kernel
def loop_reactions(slot, row, loops, knot):
    """Multipliers of the loops, and their wrenches into WRENCH: `joint_impulses` finds those of the tree from it."""
    for s in range(loops.joint.shape[0]):
        knot.multiplier[loops.joint[s], loops.component[s]] = loops.impulse[s]
    impulse_wrench(loops, loops.interval.jacobian, loops.impulse)
    add_wrench(slot, row, loops, knot.orientation)


@kernel
def right_impulses_of_rows(slot, row, loops, knot, h):
    """``impulse`` ← Sᴿ = Sᴸ + 2 I Δ/h of springs, dampers and rotors, zero of constraints; before the knot moves."""
    rows_at_trial(slot, row, loops, knot)
    system = loops.system
    for s in range(loops.joint.shape[0]):
        j, c = loops.joint[s], loops.component[s]
        if system.locked[j, c]:
            loops.impulse[s] = 0.0
        elif system.armature[j, c] > 0.0:
            start = 0.0 if c >= 3 and turns_freely(system, j) else loops.interval.value[j, c]
            loops.impulse[s] += 2.0 * system.armature[j, c] * (loops.value[j, c] - start) / h


@kernel
def start_rotors(loops, knot):
    """Momentum of the rotors of loop joints, from the velocities in row 0 of the history."""
    system, jacobian = loops.system, loops.interval.jacobian
    for s in range(loops.joint.shape[0]):
        j, c = loops.joint[s], loops.component[s]
        first, last = system.incidence_start[j], system.incidence_start[j + 1]
        rate = 0.0
        for e in range(first, last):
            for k in range(6):
                rate += jacobian[e, c, k] * knot.history[0, system.incidence_body[e], k]
        for e in range(first, last):
            for k in range(6):
                knot.momentum[system.incidence_body[e], k] += jacobian[e, c, k] * system.armature[j, c] * rate


@kernel
def write_velocities(tree, options, knot, loops, record, row_index):
    """Velocities of a recorded row, with the loops closed; those of the open tree have just been found."""
    slot, row = tree.slot, tree.row
    close_knot(slot, row, tree.dof, options, loops, knot.orientation)
    for i in range(slot.shape[0] - 1):
        b = slot[i, BODY]
        turn = part3(row, i, TWIST + 3)
        linear = add(part3(row, i, TWIST), cross(turn, part3(row, i, ARM)))
        angular = rotate_back(row4(knot.orientation, b), turn)
        for k in range(3):
            record.velocity[row_index, b, k] = linear[k]
            record.angular_velocity[row_index, b, k] = angular[k]
