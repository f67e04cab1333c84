"""From knot to knot on the tree: the loop over steps."""

from dalembert._jit import inlined, kernel
from dalembert.integrators.maximal.knot import CONVERGED, OLD, PAST_STEPS, substep
from dalembert.integrators.maximal.tree_forces import (
    carry_forces,
    coordinate_step,
    load_coordinates,
    right_impulses,
    scalar_dofs,
    set_growth,
)
from dalembert.integrators.maximal.tree_general import turn_in_b
from dalembert.integrators.maximal.tree_knot import enter, leave
from dalembert.integrators.maximal.tree_loop_knot import (
    arrive_links,
    begin_links,
    leave_links,
    note_violation,
    push_links,
)
from dalembert.integrators.maximal.tree_motion import get4, put3, turn_angle
from dalembert.integrators.maximal.tree_path import place_slot
from dalembert.integrators.maximal.tree_plan import (
    BODY,
    BODY_TURN,
    COORDINATE,
    COSINE,
    DOFS,
    FIRST,
    FRAME,
    FREE_TURN,
    HALF_COSINE,
    HALF_SINE,
    HINGE,
    MASS,
    MOMENTUM,
    PAST,
    REST,
    SHAPE,
    STEP,
    STIFFNESS,
    TARGET,
    TURNING,
)
from dalembert.integrators.maximal.tree_quick import quick_step
from dalembert.integrators.maximal.tree_reactions import joint_impulses
from dalembert.integrators.maximal.tree_step import solve_steps, start_substeps
from dalembert.spatial.quaternion import multiply, normalize, rotate
from dalembert.spatial.vector import axpy, part3, scale


@inlined
def push(slot, row, dof, gravity, half):
    """TARGET += (h/2) m g."""
    impulse = scale(half, gravity)
    for i in range(slot.shape[0] - 1):
        put3(row, i, TARGET, axpy(row[i, MASS], impulse, part3(row, i, TARGET)))


@kernel
def push_outside(slot, row, dof, external, half):
    """TARGET += (h/2) times the wrenches on the bodies (force in the world, torque in body axes)."""
    for i in range(slot.shape[0] - 1):
        b = slot[i, BODY]
        q = multiply(get4(row, i, FRAME), get4(row, i, BODY_TURN))
        torque = rotate(q, part3(external, b, 3))
        put3(row, i, TARGET, axpy(half, part3(external, b, 0), part3(row, i, TARGET)))
        put3(row, i, TARGET + 3, axpy(half, torque, part3(row, i, TARGET + 3)))


@kernel
def move_on(slot, row, dof, coordinates):
    """From the solved interval to its end: coordinates, momenta, history."""
    for i in range(slot.shape[0] - 1):
        move_slot(slot, row, dof, coordinates, i)


@inlined
def move_slot(slot, row, dof, coordinates, i):
    """`move_on` for slot i."""
    for v in range(slot[i, FIRST], slot[i, FIRST] + slot[i, DOFS]):
        for k in range(PAST + PAST_STEPS - 1, PAST, -1):
            dof[v, k] = dof[v, k - 1]
        dof[v, PAST] = dof[v, STEP]
    put3(row, i, TARGET, part3(row, i, MOMENTUM))
    put3(row, i, TARGET + 3, part3(row, i, MOMENTUM + 3))
    coordinate = slot[i, COORDINATE]
    if slot[i, SHAPE] == HINGE:
        v = slot[i, FIRST]
        c, s = dof[v, COSINE], dof[v, STEP]
        coordinates[coordinate] += turn_angle(c, s)
        # the turn of the joint without a sine or cosine: (C, S)·(c, s), kept at length one
        c, s = dof[v, HALF_COSINE] * c - dof[v, HALF_SINE] * s, dof[v, HALF_SINE] * c + dof[v, HALF_COSINE] * s
        unit = 1.5 - 0.5 * (c * c + s * s)
        dof[v, HALF_COSINE] = unit * c
        dof[v, HALF_SINE] = unit * s
        return
    scalars = scalar_dofs(slot, i)
    for k in range(scalars):
        coordinates[coordinate + k] += coordinate_step(slot, dof, i, k)
    if slot[i, TURNING] == FREE_TURN:
        c = coordinate + scalars
        s, phi = turn_in_b(slot, row, dof, i)
        p = (coordinates[c], coordinates[c + 1], coordinates[c + 2], coordinates[c + 3])
        p = normalize(multiply(p, (s, phi[0], phi[1], phi[2])))
        coordinates[c], coordinates[c + 1], coordinates[c + 2], coordinates[c + 3] = p


@kernel
def arrive(slot, row, dof, gravity, half, coordinates):
    """`move_on`, `place_slots` and `push` in one pass."""
    impulse = scale(half, gravity)
    for i in range(slot.shape[0] - 1):
        move_slot(slot, row, dof, coordinates, i)
        place_slot(slot, row, dof, coordinates, i)
        put3(row, i, TARGET, axpy(row[i, MASS], impulse, part3(row, i, TARGET)))


@kernel
def advance(system, tree, schedule, knot, control, n_steps, reactions):
    """Take up to ``n_steps`` steps; (status, steps done, worst body, Newton iterations).

    With ``reactions`` the multipliers of the knot at which the last step begins go to ``knot.multiplier``. A step that
    fails in a later substep leaves the knot where that began.
    """
    slot, row, dof, loops = tree.slot, tree.row, tree.dof, tree.loops
    options, substeps = schedule.options, schedule.share.shape[0]
    gravity = (system.gravity[0], system.gravity[1], system.gravity[2])
    coordinates, joint_force = knot.coordinates, control.joint_force
    enter(tree, options, knot)
    outside = acts(control.external)
    # most trees carry nothing on their coordinates: then LOAD and CARRIED stay zero
    sprung = pulls(slot, row, dof)
    loaded = sprung or acts(joint_force.reshape(1, joint_force.size))
    load_coordinates(slot, row, dof, 0.5 * options.h, coordinates, joint_force)
    total = 0
    for step in range(n_steps):
        for s in range(substeps):
            part = substep(schedule, s)
            half = 0.5 * part.h
            if sprung and substeps > 1:
                set_growth(slot, row, dof, part.h)
            push(slot, row, dof, gravity, half)
            if outside:
                push_outside(slot, row, dof, control.external, half)
            if loaded:
                load_coordinates(slot, row, dof, half, coordinates, joint_force)
            push_links(system, slot, row, loops, joint_force, half)
            begin_links(slot, row, loops, part.h)
            status, iterations, worst = find_steps(slot, row, dof, loops, part, knot, schedule.step_start[s])
            total += iterations
            if status != CONVERGED:
                # back to the knot that was reached
                push(slot, row, dof, gravity, -half)
                if outside:
                    push_outside(slot, row, dof, control.external, -half)
                push_links(system, slot, row, loops, joint_force, -half)
                leave(system, tree, knot)
                return status, step, worst, total
            if reactions and step == n_steps - 1 and s == 0:
                joint_impulses(tree, part.h, coordinates, knot.multiplier)
            if loaded:
                right_impulses(slot, row, dof, part.h, coordinates)
            note_violation(loops)
            leave_links(loops, part.h)
            arrive(slot, row, dof, gravity, half, coordinates)
            knot.age[0] = min(knot.age[0] + 1, OLD)
            arrive_links(system, slot, row, loops, coordinates)
            if outside:
                push_outside(slot, row, dof, control.external, half)
            if loaded:
                carry_forces(slot, row, dof, half, coordinates, joint_force)
            push_links(system, slot, row, loops, joint_force, half)
    leave(system, tree, knot)
    return CONVERGED, n_steps, -1, total


@kernel
def find_steps(slot, row, dof, loops, options, knot, weights):
    """Solve the interval at hand from steps extrapolated with ``weights``; (status, iterations, worst body)."""
    total, age = 0, knot.age[0]
    if loops is None and quick_step(slot, row, dof, options, weights, age, knot.newton_constant):
        return CONVERGED, 1, -1
    while True:
        start_substeps(slot, row, dof, weights, age)
        status, iterations, worst = solve_steps(slot, row, dof, loops, options, knot.newton_constant)
        total += iterations
        if status == CONVERGED or age < 0:
            return status, total, worst
        # where the motion is too rough to extrapolate, the last step or none at all is the better start
        age = 1 if age > 1 else -1


@kernel
def pulls(slot, row, dof):
    """Whether any coordinate has a spring, damper or rotor."""
    for v in range(dof.shape[0]):
        for k in range(STIFFNESS, REST + 1):
            if dof[v, k] != 0.0:
                return True
    return False


@kernel
def acts(wrenches):
    """Whether any number in an array is not zero."""
    for i in range(wrenches.shape[0]):
        for k in range(wrenches.shape[1]):
            if wrenches[i, k] != 0.0:
                return True
    return False
