"""Gaps and slips of all elements at a trial end of the interval, and how far the trial is from solving the step."""

from math import sqrt

from dalembert._jit import kernel
from dalembert.contact.gaps import evaluate_feature
from dalembert.integrators.maximal.contact_elements import (
    BETA,
    BODY,
    BOUND,
    CARRY,
    COMPONENT,
    CONE,
    CONTACT,
    EDGE,
    GAP,
    IMPULSE,
    ITEM,
    KIND,
    LENGTH,
    LIMIT,
    MEASURE,
    MU,
    NORMAL,
    PSI,
    SIDED,
    SIGN,
    SLACK,
    SLIPS,
    UNIT,
)
from dalembert.integrators.maximal.residual import evaluate_residual, place_end
from dalembert.mechanics.constraints import evaluate_constraints
from dalembert.mechanics.turns import evaluate_turns
from dalembert.spatial.quaternion import columns, row4
from dalembert.spatial.vector import components, cross, row3, sub

NEAREST = 1e-11
"""Gaps and slips, in scaled units, that are not made smaller."""

STIFFEST = 1e11
"""Stiffness γ/s, in scaled units, that is not made larger: beyond, gaps are as small as the round-off of positions."""

ZERO = 1e-15
"""Products of impulses and displacements, in units of the elements, that count as zero."""

FIRM = 3e-8
"""s/γ, in scaled units, of an element that is clearly closed."""

LOOSE = 1e-12
"""γ/s of one that is clearly open."""


@kernel
def nearest(elements, k, amount):
    """How near to zero the gap or slip may come against which an impulse of this amount stands, in its own units."""
    length = elements.fixed[k, LENGTH]
    return length * max(NEAREST, amount * length / (elements.fixed[k, UNIT] * STIFFEST))


@kernel
def evaluate_elements_trial(system, active, h, knot, interval, trial, watched, found, elements):
    """Poses, gaps and residuals at the trial, the impulses of the elements included."""
    place_end(system, h, knot, trial)
    evaluate_constraints(
        system, watched, knot.coordinates, trial.position, trial.orientation, trial.value, trial.jacobian
    )
    evaluate_turns(system, active, interval.turns, trial.position, trial.orientation, trial.value, trial.jacobian)
    evaluate_residual(system, active, h, interval, trial)
    for k in range(elements.used[0]):
        if elements.whole[k, KIND] == CONTACT:
            put_gap(elements, k, found, trial.position, trial.orientation)
        elif elements.whole[k, KIND] == LIMIT:
            j, c = elements.whole[k, ITEM], elements.whole[k, COMPONENT]
            edge, sign = system.incidence_start[j], elements.fixed[k, SIGN]
            elements.fixed[k, GAP] = sign * (trial.value[j, c] - elements.fixed[k, EDGE])
            for l in range(6):
                elements.right[k, l] = sign * trial.jacobian[edge, c, l]
                elements.right[k, 6 + l] = sign * trial.jacobian[edge + 1, c, l]
        take_off_impulses(elements, k, trial.body)


@kernel
def put_gap(elements, k, found, position, orientation):
    """Gap of a contact and its derivative, see `dalembert.contact.gaps`."""
    f = elements.whole[k, ITEM]
    gap, n, on_a, on_b = evaluate_feature(found.integers, found.numbers, f, position, orientation)
    a, b = elements.whole[k, BODY], elements.whole[k, BODY + 1]
    turn_a = components(columns(row4(orientation, a)), cross(sub(on_a, row3(position, a)), n))
    turn_b = components(columns(row4(orientation, b)), cross(sub(on_b, row3(position, b)), n))
    elements.fixed[k, GAP] = gap
    for l in range(3):
        elements.right[k, l], elements.right[k, 3 + l] = -n[l], -turn_a[l]
        elements.right[k, 6 + l], elements.right[k, 9 + l] = n[l], turn_b[l]


@kernel
def take_off_impulses(elements, k, body):
    """residual −= Lᵀ (γ, β)"""
    a, b = elements.whole[k, BODY], elements.whole[k, BODY + 1]
    if elements.whole[k, SIDED]:
        add_row(elements, k, 0, -elements.value[k, IMPULSE], a, b, body)
    for c in range(3):
        if elements.whole[k, CONE + c]:
            add_row(elements, k, 1 + 2 * c, -elements.value[k, BETA + 2 * c], a, b, body)
            add_row(elements, k, 2 + 2 * c, -elements.value[k, BETA + 2 * c + 1], a, b, body)


@kernel
def add_row(elements, k, r, factor, a, b, body):
    """Add a multiple of a row to the rows of both bodies."""
    for l in range(6):
        body[a, l] += factor * elements.left[k, r, l]
        body[b, l] += factor * elements.left[k, r, 6 + l]


@kernel
def row_rate(elements, k, r, velocity):
    """Row r of element k times the velocities of its bodies."""
    a, b = elements.whole[k, BODY], elements.whole[k, BODY + 1]
    total = 0.0
    for l in range(6):
        total += elements.left[k, r, l] * velocity[a, l] + elements.left[k, r, 6 + l] * velocity[b, l]
    return total


@kernel
def put_slips(elements, h, velocity):
    """w = h L_β ż of all cones, and what the first of them carries from the steps before."""
    for k in range(elements.used[0]):
        carried = False
        for c in range(3):
            if elements.whole[k, CONE + c]:
                for l in range(2):
                    slip = h * row_rate(elements, k, 1 + 2 * c + l, velocity)
                    elements.value[k, SLIPS + 2 * c + l] = slip if carried else slip + elements.fixed[k, CARRY + l]
                carried = True


@kernel
def gap_defect(elements, k):
    """s − σ φ − o − C γ"""
    fixed = elements.fixed
    wanted = fixed[k, MEASURE] * fixed[k, GAP] + fixed[k, MEASURE + 1]
    return elements.value[k, SLACK] - wanted - fixed[k, MEASURE + 2] * elements.value[k, IMPULSE]


@kernel
def largest_defect(system, active, options, trial, elements):
    """(largest residual of any equation in the units of `residual.merit`, its node or element).

    Bodies are numbered first, then joints, then elements.
    """
    h, length = options.h, options.length
    n, m = system.mass.shape[0] - 1, active.shape[0]
    worst, at = 0.0, 0
    for i in range(n):
        linear = h / (system.mass[i] * length)
        angular = 3.0 * h / (system.inertia[i, 0, 0] + system.inertia[i, 1, 1] + system.inertia[i, 2, 2])
        for k in range(6):
            size = abs((linear if k < 3 else angular) * trial.body[i, k])
            if not size <= worst:
                worst, at = size, i
    for j in range(m):
        for c in range(6):
            if active[j, c]:
                size = abs(trial.joint[j, c]) * (1.0 / length if c < 3 else 1.0)
                if not size <= worst:
                    worst, at = size, n + j
    for k in range(elements.used[0]):
        if elements.whole[k, SIDED]:
            size = abs(gap_defect(elements, k)) / elements.fixed[k, LENGTH]
            if not size <= worst:
                worst, at = size, n + m + k
    return worst, at


@kernel
def cone_size(elements, k, c):
    """x₀ = μγ + b of cone c."""
    return elements.fixed[k, MU + c] * elements.value[elements.whole[k, NORMAL], IMPULSE] + elements.fixed[k, BOUND + c]


@kernel
def negligible(elements, k, impulse, distance, most):
    """A product of impulse and distance that counts as zero: at most ``most`` units, and so little that the element is
    clearly closed or clearly open."""
    unit, length = elements.fixed[k, UNIT], elements.fixed[k, LENGTH]
    a, d = impulse * length / unit, distance / length
    return unit * max(ZERO, min(most, max(FIRM * a * a, LOOSE * d * d)))


@kernel
def complementarity(elements, most):
    """(mean of sγ and x₀ψ + β·w in units of each element, the largest, the largest over what is negligible)."""
    total, count, largest, ratio = 0.0, 0, 0.0, 0.0
    for k in range(elements.used[0]):
        unit = elements.fixed[k, UNIT]
        if elements.whole[k, SIDED]:
            s, gamma = elements.value[k, SLACK], elements.value[k, IMPULSE]
            total += s * gamma / unit
            largest = max(largest, s * gamma / unit)
            ratio = max(ratio, s * gamma / negligible(elements, k, gamma, s, most))
            count += 1
        for c in range(3):
            if elements.whole[k, CONE + c]:
                x0, psi = cone_size(elements, k, c), elements.value[k, PSI + c]
                product = x0 * psi
                for l in range(2):
                    at = 2 * c + l
                    product += elements.value[k, BETA + at] * elements.value[k, SLIPS + at]
                total += product / unit
                largest = max(largest, product / unit)
                ratio = max(ratio, product / negligible(elements, k, x0, psi, most))
                count += 1
    return total / max(count, 1), largest, ratio


@kernel
def slip_size(elements, k, c):
    """|w| of cone c."""
    return sqrt(elements.value[k, SLIPS + 2 * c] ** 2 + elements.value[k, SLIPS + 2 * c + 1] ** 2)
