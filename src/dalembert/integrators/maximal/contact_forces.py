"""Forces, gaps and slips of the contacts of a model, gathered from the elements of a step."""

from math import inf

from dalembert._jit import kernel
from dalembert.integrators.maximal.contact_elements import (
    BETA,
    BODY,
    CONE,
    CONTACT,
    GAP,
    GEOM,
    IMPULSE,
    KIND,
    LENGTH,
    LINE,
    MEASURE,
    SIDED,
    SLACK,
    SLIPS,
    START,
    UNIT,
)
from dalembert.integrators.maximal.contact_knot import closed
from dalembert.integrators.maximal.contact_lines import slip_of
from dalembert.integrators.maximal.contact_rows import cone_size, slip_size
from dalembert.spatial.quaternion import rotate, row4


@kernel
def gather(h, fresh, orientation, elements, owner, scene):
    """Fill ``force`` and ``touch`` at the knot that the interval just solved will leave, and note the worst errors.

    Unless ``fresh``, forces are added to those of the intervals of the step before it.
    """
    force, touch, lines = scene.force, scene.touch, scene.lines
    for c in range(force.shape[0]):
        for l in range(6):
            force[c, l] = scene.knock[c, l] if fresh else force[c, l] + scene.knock[c, l]
        touch[c, 0] = inf
        for l in range(1, 5):
            touch[c, l] = 0.0
    for k in range(elements.used[0]):
        note_errors(elements, k, scene.largest)
        if elements.whole[k, KIND] != CONTACT and elements.whole[k, KIND] != LINE:
            continue
        load = closed(elements, k)
        for side in range(2):
            c = owner[elements.whole[k, GEOM + side]]
            touch[c, 0] = min(touch[c, 0], elements.fixed[k, START])
            put_wrench(elements, k, side, orientation, force, c)
            if load:
                touch[c, 4] += 1.0
                # the rows of body B begin with the direction itself
                t, s = elements.left[k, 1], elements.left[k, 2]
                u, v = slip_of(elements, k, lines)
                sign = -1.0 if side == 0 else 1.0
                u, v = sign * u / h, sign * v / h
                if u * u + v * v > touch[c, 1] ** 2 + touch[c, 2] ** 2 + touch[c, 3] ** 2:
                    for l in range(3):
                        touch[c, 1 + l] = u * t[6 + l] + v * s[6 + l]


@kernel
def put_wrench(elements, k, side, orientation, force, c):
    """Add the impulse on one body and its moment about the body's centre of mass, in world axes."""
    first = 6 * side
    turn = (0.0, 0.0, 0.0)
    for r in range(7):
        amount = elements.value[k, IMPULSE] if r == 0 else elements.value[k, BETA + r - 1]
        if amount != 0.0:
            for l in range(3):
                force[c, l] += amount * elements.left[k, r, first + l]
            turn = (
                turn[0] + amount * elements.left[k, r, first + 3],
                turn[1] + amount * elements.left[k, r, first + 4],
                turn[2] + amount * elements.left[k, r, first + 5],
            )
    turn = rotate(row4(orientation, elements.whole[k, BODY + side]), turn)
    for l in range(3):
        force[c, 3 + l] += turn[l]


@kernel
def note_errors(elements, k, largest):
    """Complementarity and cone violation in units of the element, overlap in metres or radians."""
    unit = elements.fixed[k, UNIT]
    if elements.whole[k, SIDED]:
        largest[0] = max(largest[0], abs(elements.value[k, SLACK] * elements.value[k, IMPULSE]) / unit)
        if elements.fixed[k, MEASURE + 2] == 0.0:
            largest[2] = max(largest[2], -elements.fixed[k, GAP], -elements.fixed[k, START])
    for c in range(3):
        if elements.whole[k, CONE + c]:
            x0 = cone_size(elements, k, c)
            b1, b2 = elements.value[k, BETA + 2 * c], elements.value[k, BETA + 2 * c + 1]
            w1, w2 = elements.value[k, SLIPS + 2 * c], elements.value[k, SLIPS + 2 * c + 1]
            size = slip_size(elements, k, c)
            beta = (b1 * b1 + b2 * b2) ** 0.5
            largest[0] = max(largest[0], abs(x0 * size + b1 * w1 + b2 * w2) / unit)
            largest[1] = max(largest[1], (beta - x0) * elements.fixed[k, LENGTH] / unit)
