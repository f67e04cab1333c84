"""From knot to knot: the loop over steps, recorded rows, and the one compiled entry of the stepper."""

from dalembert._jit import kernel
from dalembert.integrators.maximal.graph_run import ENTER, RUN, write_multipliers
from dalembert.integrators.maximal.knot import CONVERGED, HISTORY, NO_DESCENT
from dalembert.integrators.maximal.tree_drive import knot_violation, write_row
from dalembert.integrators.maximal.tree_forces import carry_forces, load_coordinates, right_impulses
from dalembert.integrators.maximal.tree_knot import enter, knot_velocities, leave, start_history, start_momentum
from dalembert.integrators.maximal.tree_path import place_slots
from dalembert.integrators.maximal.tree_reactions import joint_impulses
from dalembert.integrators.maximal.tree_run import acts, move_on, pulls, push, push_outside
from dalembert.integrators.minimal.loop_impulses import (
    loop_reactions,
    right_impulses_of_rows,
    start_rotors,
    write_velocities,
)
from dalembert.integrators.minimal.loops import add_to_target, impulse_wrench, read_loop_coordinates, rows_at_knot
from dalembert.integrators.minimal.memory import IG1, IG2
from dalembert.integrators.minimal.solve import solve_steps


@kernel
def advance(system, tree, options, knot, control, root, loops, n_steps, reactions):
    """Take up to ``n_steps`` steps; (status, steps done, worst body, iterations).

    The momentum form of [Lee 2016] eq. (17), with half of each impulse on either side of a knot: P = p⁺ + (h/2) F at
    the knot, p⁻ = P + (h/2) F over the interval. With ``reactions`` the multipliers of the knot left last go to
    ``knot.multiplier``.
    """
    slot, row, dof = tree.slot, tree.row, tree.dof
    h, half, gravity = options.h, 0.5 * options.h, (system.gravity[0], system.gravity[1], system.gravity[2])
    outside = acts(control.external)
    coordinates, joint_force = knot.coordinates, control.joint_force
    enter(tree, options, knot)
    loaded = pulls(slot, row, dof) or acts(joint_force.reshape(1, joint_force.size))
    load_coordinates(slot, row, dof, half, coordinates, joint_force)
    total = 0
    for step in range(n_steps):
        push(slot, row, dof, gravity, half)
        if outside:
            push_outside(slot, row, dof, control.external, half)
        if loaded:
            load_coordinates(slot, row, dof, half, coordinates, joint_force)
        if loops is not None:
            rows_at_knot(loops, knot, control, h)
            add_to_target(slot, row, knot.orientation, loops.interval.force, half)
        status, worst, guess = NO_DESCENT, -1, root.guess
        while status != CONVERGED and guess >= IG1:
            status, iterations, worst = solve_steps(slot, row, dof, options, root, loops, knot, guess)
            total += iterations
            # where the motion is too rough for a guess, the last step or none at all is the better start
            guess = min(guess, IG2 + 1) - 1
        if status != CONVERGED:
            # back to the knot that was reached
            push(slot, row, dof, gravity, -half)
            if outside:
                push_outside(slot, row, dof, control.external, -half)
            if loops is not None:
                add_to_target(slot, row, knot.orientation, loops.interval.force, -half)
            leave(system, tree, knot)
            return status, step, worst, total
        if reactions and step == n_steps - 1:
            if loops is not None:
                loop_reactions(slot, row, loops, knot)
            joint_impulses(tree, h, coordinates, knot.multiplier)
        if loops is not None:
            right_impulses_of_rows(slot, row, loops, knot, h)
        if loaded:
            right_impulses(slot, row, dof, h, coordinates)
        move_on(slot, row, dof, coordinates)
        knot.age[0] = min(knot.age[0] + 1, HISTORY)
        place_slots(slot, row, dof, coordinates)
        push(slot, row, dof, gravity, half)
        if outside:
            push_outside(slot, row, dof, control.external, half)
        if loaded:
            carry_forces(slot, row, dof, half, coordinates, joint_force)
        if loops is not None:
            leave(system, tree, knot)
            read_loop_coordinates(loops, knot)
            rows_at_knot(loops, knot, control, h)
            add_to_target(slot, row, knot.orientation, loops.interval.force, half)
            impulse_wrench(loops, loops.interval.jacobian, loops.impulse)
            add_to_target(slot, row, knot.orientation, loops.wrench, 1.0)
    leave(system, tree, knot)
    return CONVERGED, n_steps, -1, total


@kernel
def drive(system, tree, options, knot, control, check, root, loops, task, record, first, count, every):
    """Do one of the tasks ENTER, RESUME, RUN; (status, steps done, worst body, iterations, largest violation).

    RUN takes ``count`` times ``every`` steps and writes a row after each ``every``, from row ``first`` on. With
    ``first`` < 0 nothing is written; with ``every`` = 0 the present knot is.
    """
    if task == ENTER:
        start_momentum(system, tree, knot, check.rates)
        if loops is not None:
            rows_at_knot(loops, knot, control, options.h)
            start_rotors(loops, knot)
        enter(tree, options, knot)
        knot_velocities(tree, options, knot, check.velocity)
        start_history(tree, options, knot)
    total, largest = 0, 0.0
    if task != RUN:
        return CONVERGED, 0, -1, total, largest
    for row in range(count):
        spent, done = 0, 0
        while done < every:
            # the multipliers at a recorded knot are known once the step after it is solved
            ahead = 1 if done == 0 and first > 0 else every - done
            status, more, worst, iterations = advance(system, tree, options, knot, control, root, loops, ahead, True)
            if status == CONVERGED and done == 0 and first > 0:
                write_multipliers(options.h, 1, knot, record, first + row - 1)
            done += more
            spent += iterations
            if status != CONVERGED:
                return status, row * every + done, worst, total + spent, largest
        violation = knot_violation(system, knot, check)
        if first >= 0:
            enter(tree, options, knot)
            knot_velocities(tree, options, knot, check.velocity)
            write_row(knot, check, record, first + row)
            if loops is not None:
                rows_at_knot(loops, knot, control, options.h)
                write_velocities(tree, options, knot, loops, record, first + row)
            record.iterations[first + row] = spent
            record.constraint_error[first + row] = violation
        total += spent
        largest = max(largest, violation)
    return CONVERGED, count * every, -1, total, largest
