"""What contact leaves at a knot: velocities that respect it, energy that it took, what is recorded of it.

**Velocities.** The momentum of a knot lacks the impulses that act there, half of which belong to the interval before.
Joints give them back by projecting onto G ż = 0; so do elements that were closed by the interval before: they hold the
gap's rate and, where they stick, the slip's at zero; where they slide, friction goes with that projection's impulse as
it went with the normal impulse of the interval, unless that adds energy. Without this a body at rest would be reported
to fall at g h/2.

**Energy.** The intervals' energies obey H_k − H_{k−1} = ½ (ż_{k−1} + ż_k) · J_k with the impulses J_k at the knot
between them, exactly for translations in a uniform field, and otherwise up to the energy error that the integrator has
without contact. The loss −½ (ż_{k−1} + ż_k) · Lᵀ(γ, β) is therefore what makes the balance close. What the projection
takes from the velocities at a knot has been lost already, as the impulses there have not acted yet, and is counted at
that knot.
"""

from dalembert._jit import kernel
from dalembert.contact.gaps import evaluate_feature, put_rows, tangents
from dalembert.integrators.maximal.contact_condense import add_factors
from dalembert.integrators.maximal.contact_elements import (
    BETA,
    BODY,
    COMPONENT,
    CONE,
    CONTACT,
    DRY,
    IMPULSE,
    ITEM,
    KIND,
    LENGTH,
    LIMIT,
    LINE,
    NORMAL,
    SIDED,
    SLACK,
    SLIP,
    SPIN,
    START,
    UNIT,
)
from dalembert.integrators.maximal.contact_lines import contact_sticks
from dalembert.integrators.maximal.contact_memory import sticks
from dalembert.integrators.maximal.contact_rows import row_rate
from dalembert.integrators.maximal.contact_scene import DRY_FRICTION, FRICTION, IMPACT, LIMITS
from dalembert.integrators.maximal.graph_system import fill_projection
from dalembert.linalg.stiff import factor_stiff, solve_stiff
from dalembert.mechanics.constraint_graph import REDUNDANT

HOLD = 1e6
"""How many times the mass of a contact its rows are held with in the projection: the rates that remain are 1e-6 of
those that were taken away."""

PERSISTENT = 1e-6
"""Gap at the beginning of an interval, in scaled units, below which an element was closed there."""


@kernel
def count_losses(system, h, first, force, before, velocity, elements, lost):
    """Add the energy that the impulses at the knot took; velocities of the intervals before and after it."""
    for k in range(elements.used[0]):
        normal, rubbed = 0.0, 0.0
        for c in range(-1, 3):
            if c < 0 and elements.whole[k, SIDED]:
                normal -= elements.value[k, IMPULSE] * mean_rate(
                    system, elements, k, 0, h, force, before, velocity, first
                )
            elif c >= 0 and elements.whole[k, CONE + c]:
                for l in range(2):
                    rate = mean_rate(system, elements, k, 1 + 2 * c + l, h, force, before, velocity, first)
                    rubbed -= elements.value[k, BETA + 2 * c + l] * rate
        if elements.whole[k, KIND] == CONTACT or elements.whole[k, KIND] == LINE:
            lost[IMPACT] += normal
            lost[FRICTION] += rubbed
        elif elements.whole[k, KIND] == LIMIT:
            lost[LIMITS] += normal
        else:
            lost[DRY_FRICTION] += rubbed


@kernel
def mean_rate(system, elements, k, r, h, force, before, velocity, first):
    """Row r at the knot times the mean of the velocities before and after it.

    At the first knot of a run the velocity before is the knot's own; the one after it, at the knot, is that of the
    interval less half the impulse of the forces.
    """
    mean = 0.5 * (row_rate(elements, k, r, velocity) + row_rate(elements, k, r, before))
    if first:
        n = system.mass.shape[0] - 1
        for side in range(2):
            i = elements.whole[k, BODY + side]
            if i < n:
                for l in range(3):
                    mean -= 0.25 * h * elements.left[k, r, 6 * side + l] * force[i, l] / system.mass[i]
    return mean


@kernel
def closed(elements, k):
    """Whether an element was closed by its interval: it carries more than it is away, both in scaled units."""
    if not elements.whole[k, SIDED]:
        return False
    length = elements.fixed[k, LENGTH]
    away = elements.value[k, SLACK] / length
    return elements.value[k, IMPULSE] * length / elements.fixed[k, UNIT] > away


@kernel
def stays_closed(elements, k):
    """Whether it was closed at both ends of its interval: what has just arrived has its impact before it."""
    return closed(elements, k) and elements.fixed[k, START] < PERSISTENT * elements.fixed[k, LENGTH]


@kernel
def rows_at_knot(elements, k, knot, found, lines):
    """Rows of the gap and the slips of a contact at the knot, in the second factor; of a line, of the slip along it."""
    f = elements.whole[k, ITEM]
    _, normal, on_a, on_b = evaluate_feature(found.integers, found.numbers, f, knot.position, knot.orientation)
    t, s = tangents(normal)
    rows = elements.factors[1:]
    put_rows(found.integers, f, knot.position, knot.orientation, normal, t, s, on_a, on_b, rows, 0)
    if elements.whole[k, KIND] == LINE:
        line = k - elements.whole[k, NORMAL] - 1
        for l in range(12):
            rows[0, 1, l] = lines[line, 0] * rows[0, 1, l] + lines[line, 1] * rows[0, 2, l]


@kernel
def hold_elements(system, graph, h, knot, jacobian, found, lines, elements, pairs, values):
    """Add the closed elements of the interval before to the projection at the knot; whether there were any."""
    n = system.mass.shape[0] - 1
    toward, across = elements.factors[0], elements.factors[1]
    any_held = False
    for k in range(elements.used[0]):
        kind = elements.whole[k, KIND]
        if kind == DRY and not sticks(elements, k, SPIN):
            continue
        if kind == LINE and not contact_sticks(elements, elements.whole[k, NORMAL]):
            continue
        if kind != DRY and not stays_closed(elements, elements.whole[k, NORMAL]):
            continue
        any_held = True
        count = 1
        if kind == CONTACT:
            rows_at_knot(elements, k, knot, found, lines)
            if elements.whole[k, CONE + SLIP] and contact_sticks(elements, k):
                count = 3
        elif kind == LINE:
            rows_at_knot(elements, k, knot, found, lines)
            for l in range(12):
                across[0, l] = across[1, l]
        else:
            edge, c = system.incidence_start[elements.whole[k, ITEM]], elements.whole[k, COMPONENT]
            for side in range(2):
                for l in range(6):
                    across[0, 6 * side + l] = jacobian[edge + side, c, l]
        stiff = stiffness(elements, k, h)
        for r in range(count):
            for l in range(12):
                toward[r, l] = -stiff * across[r, l]
        add_factors(graph.body_block, elements, k, pairs, n, count, values)
    return any_held


@kernel
def stiffness(elements, k, h):
    """What the rows of element k are held with."""
    return HOLD * elements.fixed[k, UNIT] * h / elements.fixed[k, LENGTH] ** 2


@kernel
def rub(graph, n, h, knot, found, lines, elements, velocity, rhs):
    """Add the friction of the contacts that slide; ``velocity`` of the projection without it, in the order of rows."""
    across = elements.factors[1]
    for k in range(elements.used[0]):
        kind, normal = elements.whole[k, KIND], elements.whole[k, NORMAL]
        c = SPIN if kind == LINE else SLIP
        if (kind != CONTACT and kind != LINE) or not elements.whole[k, CONE + c]:
            continue
        if contact_sticks(elements, normal) or not stays_closed(elements, normal):
            continue
        rows_at_knot(elements, k, knot, found, lines)
        rate = 0.0
        for side in range(2):
            i = elements.whole[k, BODY + side]
            if i < n:
                for l in range(6):
                    rate += across[0, 6 * side + l] * velocity[graph.body_unknown[i] + l]
        # where contacts overdetermine the motion their impulses of the projection are large and of both signs
        share = max(0.0, min(2.0, -stiffness(elements, k, h) * rate / elements.value[normal, IMPULSE]))
        one, other = share * elements.value[k, BETA + 2 * c], share * elements.value[k, BETA + 2 * c + 1]
        for side in range(2):
            i = elements.whole[k, BODY + side]
            if i < n:
                row = graph.body_unknown[i]
                for l in range(6):
                    rhs[row + l] += one * across[1, 6 * side + l] + other * across[2, 6 * side + l]


@kernel
def kinetic(system, graph, interval, rhs):
    """Kinetic energy of bodies and rotors at the velocities in ``rhs``."""
    total = 0.0
    n = system.mass.shape[0] - 1
    for i in range(n):
        row = graph.body_unknown[i]
        for k in range(3):
            total += 0.5 * system.mass[i] * rhs[row + k] ** 2
            for l in range(3):
                total += 0.5 * rhs[row + 3 + k] * system.inertia[i, k, l] * rhs[row + 3 + l]
    for j in range(graph.n_rows.shape[0]):
        for c in range(6):
            if system.armature[j, c] > 0.0:
                rate = 0.0
                for e in range(system.incidence_start[j], system.incidence_start[j + 1]):
                    i = system.incidence_body[e]
                    if i < n:
                        row = graph.body_unknown[i]
                        for k in range(6):
                            rate += interval.jacobian[e, c, k] * rhs[row + k]
                total += 0.5 * system.armature[j, c] * rate * rate
    return total


@kernel
def restore_momentum(graph, n, momentum, rhs):
    """The right-hand side of the projection."""
    for i in range(n):
        row = graph.body_unknown[i]
        for k in range(6):
            rhs[row + k] = momentum[i, k]


@kernel
def project_knot(system, graph, h, knot, work, scene):
    """Velocities at the knot in ``work.rhs``; returns the kinetic energy that closed elements take from them."""
    elements, base, rhs = scene.elements, scene.base, work.rhs
    n, interval = system.mass.shape[0] - 1, work.interval
    fill_projection(system, graph, interval, knot.momentum, work.values, rhs)
    for i in range(rhs.shape[0]):
        base[i] = rhs[i]
    without, held_energy, energy, held = 0.0, 0.0, 0.0, False
    for attempt in range(4):
        # 0: as if nothing were closed; 1: with what is; 2: with its friction; 3: without, if that would add energy
        if attempt == 1:
            fill_projection(system, graph, interval, knot.momentum, work.values, rhs)
            held = hold_elements(
                system, graph, h, knot, interval.jacobian, scene.found, scene.lines, elements, scene.pairs, work.values
            )
        if attempt < 2:
            factor_stiff(
                graph.pattern, work.values, graph.closing, REDUNDANT, work.scratch, scene.exchange, work.deficiency
            )
        if attempt == 2:
            rub(graph, n, h, knot, scene.found, scene.lines, elements, rhs, base)
        if attempt == 3:
            restore_momentum(graph, n, knot.momentum, base)
        for i in range(rhs.shape[0]):
            rhs[i] = base[i]
        solve_stiff(graph.pattern, work.values, work.scratch, scene.exchange, work.deficiency, rhs)
        energy = kinetic(system, graph, interval, rhs)
        if attempt == 0:
            without = energy
            if knot.age[0] == 0 or elements.used[0] == 0:
                return 0.0
        if attempt == 1:
            held_energy = energy
            if not held:
                return 0.0
        if attempt == 2 and energy <= held_energy:
            break
        if attempt == 3:
            break
    return without - energy
