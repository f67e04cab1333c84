"""Newton's equations of the elements, eliminated into the blocks of their bodies.

At a trial each element answers to displacements of its bodies linearly,

    δγ = a δφ + b,      δβ = M δw + m δγ + m₀,      δφ = R δz,   δw = L_β (δx, s η + φ×η),

with a = −σγ/(s + Cγ) from the linearised sγ = κ and M, m, m₀ from `solve.cone`. So instead of being nodes of the graph,
as in [Brüdigam 2023] section 4.1, elements add −Lᵀ(…)R to the diagonal blocks of their bodies and to one pair of blocks
between them: those on one body and the world cost nothing in the graph, and those between two bodies one edge.
"""

from dalembert._jit import kernel
from dalembert.integrators.maximal.contact_elements import (
    BETA,
    BODY,
    CONE,
    IMPULSE,
    MEASURE,
    MU,
    NORMAL,
    PAIR,
    PSI,
    SIDED,
    SLACK,
    SLIPS,
    UNIT,
)
from dalembert.integrators.maximal.contact_rows import cone_size, gap_defect, nearest
from dalembert.integrators.maximal.discrete_body import half_turn
from dalembert.solve.cone import friction_response
from dalembert.spatial.vector import add, cross, part3, scale


@kernel
def gap_response(elements, k, kappa):
    """(a, b) of the gap.

    The target is s γ = κ − the second-order product of the predictor; where κ > 0, s is not aimed below `nearest`.
    """
    s, gamma = elements.value[k, SLACK], elements.value[k, IMPULSE]
    below = s + elements.fixed[k, MEASURE + 2] * gamma
    goal = max(kappa * elements.fixed[k, UNIT], nearest(elements, k, gamma) * gamma)
    rest = (goal if kappa > 0.0 else 0.0) - s * gamma - elements.second[k, 0]
    return -gamma * elements.fixed[k, MEASURE] / below, (rest + gamma * gap_defect(elements, k)) / below


@kernel
def cone_response(elements, k, c, kappa):
    """Rows of `friction_response` for cone c at the target κ."""
    x0, b1, b2 = cone_size(elements, k, c), elements.value[k, BETA + 2 * c], elements.value[k, BETA + 2 * c + 1]
    psi, w1, w2 = elements.value[k, PSI + c], elements.value[k, SLIPS + 2 * c], elements.value[k, SLIPS + 2 * c + 1]
    at, goal = 1 + 3 * c, 0.0
    if kappa > 0.0:
        goal = max(kappa * elements.fixed[k, UNIT], nearest(elements, k, x0) * x0)
    t0, t1, t2 = elements.second[k, at], elements.second[k, at + 1], elements.second[k, at + 2]
    return friction_response(x0, b1, b2, psi, w1, w2, goal, t0, t1, t2)


@kernel
def slip_row(elements, k, r, phi_a, s_a, phi_b, s_b, out, at):
    """Row ``at`` of ``out``: a slip row as a derivative by (δx, η): row · (s η + φ×η) = (s row + row×φ) · η."""
    for l in range(3):
        out[at, l], out[at, 6 + l] = elements.left[k, r, l], elements.left[k, r, 6 + l]
    on_a, on_b = (
        (elements.left[k, r, 3], elements.left[k, r, 4], elements.left[k, r, 5]),
        (elements.left[k, r, 9], elements.left[k, r, 10], elements.left[k, r, 11]),
    )
    on_a, on_b = add(scale(s_a, on_a), cross(on_a, phi_a)), add(scale(s_b, on_b), cross(on_b, phi_b))
    for l in range(3):
        out[at, 3 + l], out[at, 9 + l] = on_a[l], on_b[l]


@kernel
def condense(graph, h, velocity, elements, pairs, values):
    """Add all elements to the matrix."""
    n = velocity.shape[0] - 1
    toward, across = elements.factors[0], elements.factors[1]
    for k in range(elements.used[0]):
        a, b = elements.whole[k, BODY], elements.whole[k, BODY + 1]
        s_a, phi_a = half_turn(h, part3(velocity, a, 3))
        s_b, phi_b = half_turn(h, part3(velocity, b, 3))
        normal = elements.whole[k, NORMAL]
        slope, _ = gap_response(elements, normal, 0.0) if elements.whole[normal, SIDED] else (0.0, 0.0)
        for l in range(12):
            toward[0, l] = slope * elements.left[k, 0, l]
            across[0, l] = elements.right[normal, l]
        count = 1
        for c in range(3):
            if not elements.whole[k, CONE + c]:
                continue
            first, second, _ = cone_response(elements, k, c, 0.0)
            mu, r = elements.fixed[k, MU + c] * slope, 1 + 2 * c
            slip_row(elements, k, r, phi_a, s_a, phi_b, s_b, across, count)
            slip_row(elements, k, r + 1, phi_a, s_a, phi_b, s_b, across, count + 1)
            for l in range(12):
                one, other = elements.left[k, r, l], elements.left[k, r + 1, l]
                toward[0, l] += mu * (first[2] * one + second[2] * other)
                toward[count, l] = first[0] * one + second[0] * other
                toward[count + 1, l] = first[1] * one + second[1] * other
            count += 2
        add_factors(graph.body_block, elements, k, pairs, n, count, values)


@kernel
def add_factors(body_block, elements, k, pairs, n, count, values):
    """Add −Σ of ``count`` products of the factors of element k to the blocks of its bodies."""
    toward, across = elements.factors[0], elements.factors[1]
    a, b = elements.whole[k, BODY], elements.whole[k, BODY + 1]
    if a < n:
        add_block(values, body_block[a], toward, 0, across, 0, count)
    if b < n:
        add_block(values, body_block[b], toward, 6, across, 6, count)
    p = elements.whole[k, PAIR]
    if p >= 0:
        upper, lower = pairs.upper[p], pairs.lower[p]
        if a > b:
            upper, lower = lower, upper
        add_block(values, upper, toward, 0, across, 6, count)
        add_block(values, lower, toward, 6, across, 0, count)


@kernel
def add_block(values, at, toward, row, across, column, count):
    """block −= Σ toward ⊗ across over so many pairs of rows."""
    for r in range(count):
        for k in range(6):
            t = toward[r, row + k]
            if t != 0.0:
                for l in range(6):
                    values[at + 6 * k + l] -= t * across[r, column + l]


@kernel
def add_targets(n, body_unknown, elements, kappa, rhs):
    """The constant part of the elements' answers in the right-hand side."""
    for k in range(elements.used[0]):
        normal = elements.whole[k, NORMAL]
        _, gamma = gap_response(elements, normal, kappa) if elements.whole[normal, SIDED] else (0.0, 0.0)
        if elements.whole[k, SIDED]:
            add_to_rhs(body_unknown, elements, k, 0, gamma, n, rhs)
        for c in range(3):
            if elements.whole[k, CONE + c]:
                first, second, _ = cone_response(elements, k, c, kappa)
                mu, r = elements.fixed[k, MU + c] * gamma, 1 + 2 * c
                add_to_rhs(body_unknown, elements, k, r, mu * first[2] + first[3], n, rhs)
                add_to_rhs(body_unknown, elements, k, r + 1, mu * second[2] + second[3], n, rhs)


@kernel
def add_to_rhs(body_unknown, elements, k, r, factor, n, rhs):
    """Add a multiple of row r of element k to the equations of its bodies."""
    for side in range(2):
        i = elements.whole[k, BODY + side]
        if i < n:
            row = body_unknown[i]
            for l in range(6):
                rhs[row + l] += factor * elements.left[k, r, 6 * side + l]


@kernel
def recover(h, velocity, pose_step, elements, kappa):
    """Increments of all elements from those of the bodies."""
    across = elements.factors[1]
    for k in range(elements.used[0]):
        a, b = elements.whole[k, BODY], elements.whole[k, BODY + 1]
        gamma, rise, normal = 0.0, 0.0, elements.whole[k, NORMAL]
        if elements.whole[normal, SIDED]:
            for l in range(6):
                rise += elements.right[normal, l] * pose_step[a, l] + elements.right[normal, 6 + l] * pose_step[b, l]
            slope, constant = gap_response(elements, normal, kappa)
            gamma = slope * rise + constant
        if elements.whole[k, SIDED]:
            elements.step[k, IMPULSE] = gamma
            moved = elements.fixed[k, MEASURE] * rise + elements.fixed[k, MEASURE + 2] * gamma
            elements.step[k, SLACK] = moved - gap_defect(elements, k)
        s_a, phi_a = half_turn(h, part3(velocity, a, 3))
        s_b, phi_b = half_turn(h, part3(velocity, b, 3))
        for c in range(3):
            if not elements.whole[k, CONE + c]:
                continue
            w1, w2 = 0.0, 0.0
            slip_row(elements, k, 1 + 2 * c, phi_a, s_a, phi_b, s_b, across, 1)
            slip_row(elements, k, 2 + 2 * c, phi_a, s_a, phi_b, s_b, across, 2)
            for l in range(6):
                w1 += across[1, l] * pose_step[a, l] + across[1, 6 + l] * pose_step[b, l]
                w2 += across[2, l] * pose_step[a, l] + across[2, 6 + l] * pose_step[b, l]
            first, second, third = cone_response(elements, k, c, kappa)
            g = elements.fixed[k, MU + c] * gamma
            step, at = elements.step, 2 * c
            step[k, BETA + at] = first[0] * w1 + first[1] * w2 + first[2] * g + first[3]
            step[k, BETA + at + 1] = second[0] * w1 + second[1] * w2 + second[2] * g + second[3]
            step[k, PSI + c] = third[0] * w1 + third[1] * w2 + third[2] * g + third[3]
            step[k, SLIPS + at], step[k, SLIPS + at + 1] = w1, w2
