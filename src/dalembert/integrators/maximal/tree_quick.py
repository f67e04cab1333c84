"""The step that most steps are: on an open tree, from so good a start that every increment is far below the last.

The increments and tests are those of `tree_step`, in as few passes over the slots as the recursion allows: elimination
and residuals in one, increments and steps in another. Nothing is kept for a line search. Where one would be needed the
step is begun again, there.
"""

from math import isfinite

from dalembert._jit import inlined, kernel
from dalembert.integrators.maximal.tree_path import follow_slot
from dalembert.integrators.maximal.tree_solve import gather, reduce_slot, spread_slot
from dalembert.integrators.maximal.tree_step import CAUTION, FORESIGHT, REUSE, keep_slot, start_substeps, take_slot


@kernel
def quick_step(slot, row, dof, options, weights, age, newton_constant):
    """Find the steps with one elimination; whether that was possible. What is left behind is as in `solve_steps`."""
    last = slot.shape[0] - 2
    h, tolerance = options.h, options.tolerance
    start_substeps(slot, row, dof, weights, age)
    increments, size, converged = 0, 0.0, False
    while True:
        smallest = 1.0
        for i in range(last + 1):
            smallest = min(smallest, follow_slot(slot, row, dof, h, i))
        if converged:
            return smallest > 0.0
        if increments == 0:
            if gather(slot, row, dof, h, last, False, True)[1] >= 0:
                return False
        else:
            for i in range(last, -1, -1):
                reduce_slot(slot, row, dof, i)
        found = spread_and_take(slot, row, dof, options.length)
        if not isfinite(found):
            return False
        if increments == 0:
            expected = FORESIGHT * newton_constant[0] * found
            converged = 0.0 < expected * found <= tolerance
            if converged:
                # the constant is trusted a little less each time that it is not observed
                newton_constant[0] *= 1.1
        else:
            ratio = found / size if size > 0.0 else 0.0
            converged = found <= tolerance or CAUTION * ratio * found <= tolerance
            if not converged and ratio > REUSE:
                return False
            if increments == 1 and size > 1e-7:
                newton_constant[0] = max(found / (size * size), 0.5 * newton_constant[0])
        increments, size = increments + 1, found


@inlined
def spread_and_take(slot, row, dof, length):
    """`spread`, and all of the increments taken; their largest size."""
    largest, per_length = 0.0, 1.0 / length
    for i in range(slot.shape[0] - 1):
        largest = spread_slot(slot, row, dof, per_length, i, largest)
        keep_slot(slot, row, dof, i)
        take_slot(slot, dof, i, 1.0)
    return largest
