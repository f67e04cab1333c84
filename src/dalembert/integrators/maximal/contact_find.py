"""Which elements there are at a knot: features of surfaces within reach, limits within reach, dry friction."""

from math import sqrt

from dalembert._jit import kernel
from dalembert.contact.detect import find_features
from dalembert.contact.features import (
    BODY_A,
    BODY_B,
    DAMPING,
    FRICTION,
    GEOM_A,
    GEOM_B,
    IDENTITY,
    RESTITUTION,
    ROLLING,
    STIFFNESS,
    TORSIONAL,
)
from dalembert.contact.gaps import evaluate_feature, put_rows, tangents
from dalembert.integrators.maximal.contact_elements import (
    BODY,
    BOUNCE,
    BOUND,
    COMPONENT,
    CONE,
    CONTACT,
    DRY,
    EDGE,
    FIXED,
    GEOM,
    ITEM,
    KEY,
    KIND,
    LENGTH,
    LIMIT,
    MEASURE,
    MU,
    NORMAL,
    PAIR,
    ROLL,
    ROWS,
    SIDED,
    SIGN,
    SLIP,
    SPIN,
    START,
    UNIT,
    VALUES,
    WHOLES,
)
from dalembert.integrators.maximal.contact_lines import put_lines
from dalembert.integrators.maximal.contact_memory import carry_slips
from dalembert.spatial.quaternion import columns, row4
from dalembert.spatial.vector import components

SPARE = 1.25
"""How much further than expected a body may move before the step is taken again with a larger margin."""

PASSED = 1e-9
"""m or rad by which a coordinate may be beyond a limit that no element holds before the step is taken again."""

RECOVERY = 0.2
"""Part of an overlap that is undone in a step: a sudden end of it would throw the bodies apart."""


@kernel
def expected_motion(system, options, knot, force, reach, margin):
    """Margins of all bodies from their velocities and the forces on them."""
    h = options.h
    for i in range(system.mass.shape[0] - 1):
        v, w = 0.0, 0.0
        least = min(system.inertia[i, 0, 0], system.inertia[i, 1, 1], system.inertia[i, 2, 2])
        for k in range(3):
            v += (abs(knot.history[0, i, k]) + h * abs(force[i, k]) / system.mass[i]) ** 2
            turn = h * abs(force[i, 3 + k]) / least if least > 0.0 else 0.0
            w += (abs(knot.history[0, i, 3 + k]) + turn) ** 2
        margin[i] = SPARE * h * (sqrt(v) + reach[i] * sqrt(w)) + 1e-3 * reach[i]


@kernel
def outgrown(options, velocity, reach, margin):
    """Whether a body moved further in the step than its margin; margins grow to what is needed."""
    h, grown = options.h, False
    for i in range(margin.shape[0] - 1):
        v = sqrt(velocity[i, 0] ** 2 + velocity[i, 1] ** 2 + velocity[i, 2] ** 2)
        w = sqrt(velocity[i, 3] ** 2 + velocity[i, 4] ** 2 + velocity[i, 5] ** 2)
        moved = h * (v + reach[i] * w)
        if moved > margin[i]:
            grown = True
            margin[i] = SPARE * moved
    return grown


@kernel
def find_elements(system, options, knot, interval, surfaces, scene, every_limit):
    """Fill the elements of the knot; False if there was no room for all features.

    With ``every_limit`` limits of joints that are far from them are taken as well.
    """
    elements, found = scene.elements, scene.found
    elements.used[0] = 0
    found.used[0] = 0
    if surfaces.geometry.kind.shape[0] > 0:
        find_features(surfaces.geometry, surfaces.search, knot.position, knot.orientation, scene.margin, found)
        if found.missed[0] > 0:
            return False
        at_knot = found.used[0]
        for f in range(scene.entered.used[0]):
            enter(found, scene.entered, f)
        if found.missed[0] > 0:
            return False
        for f in range(found.used[0]):
            put_contact(system, options, knot, found, f, f < at_knot, scene.lines, elements)
    put_limits(system, options, knot, interval, scene.limited, elements, every_limit)
    put_dry_friction(system, options, knot.age[0] == 0, interval, scene.limited, elements)
    carry_slips(elements, scene.memory)
    return True


@kernel
def enter(found, other, f):
    """Add feature f of others."""
    k = found.used[0]
    if k == found.integers.shape[0]:
        found.missed[0] += 1
        return
    found.used[0] = k + 1
    for l in range(found.integers.shape[1]):
        found.integers[k, l] = other.integers[f, l]
    for l in range(found.numbers.shape[1]):
        found.numbers[k, l] = other.numbers[f, l]


@kernel
def put_contact(system, options, knot, found, f, at_knot, lines, elements):
    """The element of feature f, which was found at the knot, or at the end of the interval: there it means nothing at
    the knot that its gap is negative."""
    n = system.mass.shape[0] - 1
    integers, numbers = found.integers, found.numbers
    a, b = integers[f, BODY_A], integers[f, BODY_B]
    if a == n and b == n:
        return
    gap, normal, on_a, on_b = evaluate_feature(integers, numbers, f, knot.position, knot.orientation)
    if not at_knot:
        gap = max(gap, 0.0)
    k = elements.used[0]
    elements.used[0] = k + 1
    start_element(elements, k, CONTACT, f, 0, a, b)
    elements.whole[k, GEOM], elements.whole[k, GEOM + 1] = integers[f, GEOM_A], integers[f, GEOM_B]
    elements.whole[k, KEY], elements.whole[k, KEY + 1] = integers[f, GEOM_A] + 1, integers[f, GEOM_B] + 1
    elements.whole[k, KEY + 2] = integers[f, IDENTITY]
    elements.whole[k, SIDED] = 1
    t, s = tangents(normal)
    put_rows(integers, f, knot.position, knot.orientation, normal, t, s, on_a, on_b, elements.left, k)
    elements.fixed[k, LENGTH] = options.length
    elements.fixed[k, UNIT] = row_mass(system, elements, k, 0) * options.length**2 / options.h
    elements.fixed[k, START] = gap
    elements.fixed[k, MEASURE] = 1.0
    elements.fixed[k, BOUNCE] = numbers[f, RESTITUTION]
    stiffness, damping = numbers[f, STIFFNESS], numbers[f, DAMPING]
    if stiffness > 0.0:
        # γ = −h (k φ⁺ + d (φ⁺ − φ)/h), as long as this is positive
        ratio = damping / (options.h * stiffness)
        elements.fixed[k, MEASURE] = 1.0 + ratio
        elements.fixed[k, MEASURE + 1] = -ratio * gap
        elements.fixed[k, MEASURE + 2] = 1.0 / (options.h * stiffness)
    elif gap < 0.0:
        elements.fixed[k, MEASURE + 1] = -(1.0 - RECOVERY) * gap
    elements.fixed[k, MU + SLIP] = numbers[f, FRICTION]
    elements.fixed[k, MU + SPIN] = numbers[f, TORSIONAL]
    elements.fixed[k, MU + ROLL] = numbers[f, ROLLING]
    for c in range(3):
        elements.whole[k, CONE + c] = 1 if elements.fixed[k, MU + c] > 0.0 else 0
    if elements.whole[k, CONE + SPIN] or elements.whole[k, CONE + ROLL]:
        axes_a, axes_b = columns(row4(knot.orientation, a)), columns(row4(knot.orientation, b))
        put_turn(elements, k, 3, components(axes_a, normal), components(axes_b, normal))
        put_turn(elements, k, 5, components(axes_a, t), components(axes_b, t))
        put_turn(elements, k, 6, components(axes_a, s), components(axes_b, s))
    if elements.whole[k, CONE + SLIP] and lines.shape[0] > 0:
        put_lines(elements, k, lines)


@kernel
def start_element(elements, k, kind, item, component, a, b):
    """Zeros, and what every element has."""
    for l in range(WHOLES):
        elements.whole[k, l] = 0
    for l in range(FIXED):
        elements.fixed[k, l] = 0.0
    for l in range(VALUES):
        elements.value[k, l] = 0.0
        elements.step[k, l] = 0.0
    for r in range(ROWS):
        for l in range(12):
            elements.left[k, r, l] = 0.0
    elements.whole[k, KIND], elements.whole[k, ITEM], elements.whole[k, COMPONENT] = kind, item, component
    elements.whole[k, BODY], elements.whole[k, BODY + 1], elements.whole[k, PAIR] = a, b, -1
    elements.whole[k, NORMAL] = k
    elements.fixed[k, SIGN] = 1.0


@kernel
def put_turn(elements, k, r, on_a, on_b):
    """A row of relative turn about one direction, given in the axes of both bodies."""
    for l in range(3):
        elements.left[k, r, 3 + l] = -on_a[l]
        elements.left[k, r, 9 + l] = on_b[l]


@kernel
def row_mass(system, elements, k, r):
    """1 / (L M⁻¹ Lᵀ) for one row of an element, its bodies taken as free and as balls."""
    n = system.mass.shape[0] - 1
    total = 0.0
    for side in range(2):
        i = elements.whole[k, BODY + side]
        if i == n:
            continue
        spin = 3.0 / (system.inertia[i, 0, 0] + system.inertia[i, 1, 1] + system.inertia[i, 2, 2])
        for l in range(3):
            total += elements.left[k, r, 6 * side + l] ** 2 / system.mass[i]
            total += elements.left[k, r, 6 * side + 3 + l] ** 2 * spin
    return 1.0 / total


@kernel
def put_joint_row(system, elements, k, r, j, c, sign, jacobian):
    """A coordinate of a joint as a row."""
    edge = system.incidence_start[j]
    for l in range(6):
        elements.left[k, r, l] = sign * jacobian[edge, c, l]
        elements.left[k, r, 6 + l] = sign * jacobian[edge + 1, c, l]


@kernel
def put_limits(system, options, knot, interval, limited, elements, every_limit):
    """Limits that can be reached in the step."""
    for i in range(limited.joint.shape[0]):
        j, c, sign = limited.joint[i], limited.component[i], limited.sign[i]
        gap = sign * (interval.value[j, c] - limited.edge[i])
        a, b = system.joint_parent[j], system.joint_child[j]
        rate = 0.0
        edge = system.incidence_start[j]
        for side in range(2):
            body = a if side == 0 else b
            for l in range(6):
                rate += abs(interval.jacobian[edge + side, c, l] * knot.history[0, body, l])
        angular = c >= 3
        # twice the way at the present rate, and room for what forces add
        if not every_limit and gap > 2.0 * options.h * rate + (0.1 if angular else 0.1 * options.length):
            continue
        k = elements.used[0]
        elements.used[0] = k + 1
        start_element(elements, k, LIMIT, j, c, a, b)
        elements.whole[k, KEY], elements.whole[k, KEY + 1], elements.whole[k, KEY + 2] = (
            -1 - j,
            c,
            1 if sign > 0.0 else 2,
        )
        elements.whole[k, SIDED] = 1
        elements.fixed[k, SIGN], elements.fixed[k, EDGE] = sign, limited.edge[i]
        put_joint_row(system, elements, k, 0, j, c, sign, interval.jacobian)
        elements.fixed[k, LENGTH] = 1.0 if angular else options.length
        elements.fixed[k, UNIT] = row_mass(system, elements, k, 0) * elements.fixed[k, LENGTH] ** 2 / options.h
        elements.fixed[k, START] = gap
        elements.fixed[k, MEASURE] = 1.0
        if gap < 0.0:
            elements.fixed[k, MEASURE + 1] = -(1.0 - RECOVERY) * gap


@kernel
def limit_passed(limited, value):
    """Whether a coordinate is beyond a limit."""
    for i in range(limited.joint.shape[0]):
        if limited.sign[i] * (value[limited.joint[i], limited.component[i]] - limited.edge[i]) < -PASSED:
            return True
    return False


@kernel
def put_dry_friction(system, options, first, interval, limited, elements):
    """Dry friction of joints: a cone of one dimension with a fixed bound, that of half a step at the first knot."""
    for i in range(limited.dry_joint.shape[0]):
        j, c = limited.dry_joint[i], limited.dry_component[i]
        k = elements.used[0]
        elements.used[0] = k + 1
        start_element(elements, k, DRY, j, c, system.joint_parent[j], system.joint_child[j])
        elements.whole[k, KEY], elements.whole[k, KEY + 1], elements.whole[k, KEY + 2] = -1 - j, c, 0
        elements.whole[k, CONE + SPIN] = 1
        elements.fixed[k, BOUND + SPIN] = (0.5 if first else 1.0) * options.h * limited.dry_force[i]
        put_joint_row(system, elements, k, 1 + 2 * SPIN, j, c, 1.0, interval.jacobian)
        elements.fixed[k, LENGTH] = 1.0 if c >= 3 else options.length
        elements.fixed[k, UNIT] = (
            row_mass(system, elements, k, 1 + 2 * SPIN) * elements.fixed[k, LENGTH] ** 2 / options.h
        )


@kernel
def pair_elements(n, elements, pairs):
    """Find the blocks of each element's pair of bodies; False if one has none."""
    for k in range(elements.used[0]):
        a, b = (
            min(elements.whole[k, BODY], elements.whole[k, BODY + 1]),
            max(elements.whole[k, BODY], elements.whole[k, BODY + 1]),
        )
        if b == n:
            continue
        key, low, high = a * (n + 1) + b, 0, pairs.key.shape[0]
        while low < high:
            middle = (low + high) // 2
            if pairs.key[middle] < key:
                low = middle + 1
            else:
                high = middle
        if low == pairs.key.shape[0] or pairs.key[low] != key:
            return False
        elements.whole[k, PAIR] = low
    return True
