"""Impacts with restitution: the momentum at a knot jumps before the interval is solved.

The interval itself knows inelastic contact only. Where two bodies are about to close a gap with a coefficient e > 0,
faster than the forces of one step could make them, the impulses p ≥ 0 between them satisfy Newton's law in all of their
contacts at once,

    0 ≤ p_i ⊥ u_i⁺ + e u_i⁻ ≥ 0,     u⁺ = u⁻ + W p,     W = N K⁻¹ Nᵀ,

with K the inertia of the mechanism as its joints hold it. Pairs of bodies take turns, the fastest first, until none
approaches: so an impact runs through a row of balls. ½ pᵀ(u⁺ + u⁻) ≤ 0 for each pair, as only approaching contacts
take part: energy is never created. Friction then takes the slip that is left away, or as much of it as μp allows; along
the way to the impulse that would stop it the kinetic energy falls. What bears a load at rest is no impact and is left
alone.
"""

from dalembert._jit import kernel
from dalembert.integrators.maximal.contact_elements import (
    BETA,
    BODY,
    BOUNCE,
    CONE,
    GEOM,
    KIND,
    LENGTH,
    LINE,
    MU,
    NORMAL,
    SLIP,
    SPIN,
    START,
)
from dalembert.integrators.maximal.contact_lines import ALONG
from dalembert.integrators.maximal.contact_rows import add_row
from dalembert.integrators.maximal.contact_scene import FRICTION, IMPACT
from dalembert.integrators.maximal.graph_system import fill_projection
from dalembert.linalg.stiff import factor_stiff, solve_stiff
from dalembert.mechanics.constraint_graph import REDUNDANT
from dalembert.spatial.quaternion import rotate, row4

MANY = 16
"""Contacts of one pair of bodies that take part in an impact."""

SWEEPS = 500
"""Of the projected Gauss–Seidel method for one pair."""

ROUNDS = 8
"""Of the same for the lines of a linearised friction cone."""


@kernel
def solution_rate(graph, n, elements, k, r, solution):
    """Row r of element k times velocities in the order of the unknowns."""
    total = 0.0
    for side in range(2):
        i = elements.whole[k, BODY + side]
        if i < n:
            row = graph.body_unknown[i]
            for l in range(6):
                total += elements.left[k, r, 6 * side + l] * solution[row + l]
    return total


@kernel
def answer(graph, n, work, scene, k, r, out):
    """K⁻¹ times row r of element k."""
    elements = scene.elements
    for i in range(out.shape[0]):
        out[i] = 0.0
    for side in range(2):
        i = elements.whole[k, BODY + side]
        if i < n:
            row = graph.body_unknown[i]
            for l in range(6):
                out[row + l] = elements.left[k, r, 6 * side + l]
    solve_stiff(graph.pattern, work.values, work.scratch, scene.exchange, work.deficiency, out)


@kernel
def approach(system, graph, h, elements, k, force, solution):
    """How fast element k closes, beyond what is no impact; 0 if it does not."""
    n = system.mass.shape[0] - 1
    rate = solution_rate(graph, n, elements, k, 0, solution)
    pull = 0.0
    for side in range(2):
        i = elements.whole[k, BODY + side]
        if i < n:
            for l in range(3):
                pull += elements.left[k, 0, 6 * side + l] * force[i, l] / system.mass[i]
    least = h * abs(pull) + 1e-9 * elements.fixed[k, LENGTH] / h
    if rate > -least or elements.fixed[k, START] + h * rate > 0.0:
        return 0.0
    return -rate


@kernel
def bounce(system, graph, h, knot, work, scene, owner):
    """Change the momentum at the knot by all impacts there."""
    elements, velocity = scene.elements, scene.base
    bouncing = False
    for k in range(elements.used[0]):
        bouncing = bouncing or elements.fixed[k, BOUNCE] > 0.0
    if not bouncing:
        return
    fill_projection(system, graph, work.interval, knot.momentum, work.values, work.rhs)
    for i in range(work.rhs.shape[0]):
        velocity[i] = work.rhs[i]
    factor_stiff(graph.pattern, work.values, graph.closing, REDUNDANT, work.scratch, scene.exchange, work.deficiency)
    solve_stiff(graph.pattern, work.values, work.scratch, scene.exchange, work.deficiency, velocity)
    for _ in range(20 * elements.used[0]):
        fastest, speed = -1, 0.0
        for k in range(elements.used[0]):
            if elements.fixed[k, BOUNCE] > 0.0:
                found = approach(system, graph, h, elements, k, work.interval.force, velocity)
                if found > speed:
                    fastest, speed = k, found
        if fastest < 0:
            return
        strike(system, graph, h, knot, work, scene, owner, fastest, velocity)


@kernel
def strike(system, graph, h, knot, work, scene, owner, fastest, velocity):
    """Newton's law in all approaching contacts of the pair of bodies of one element."""
    elements, n, count = scene.elements, system.mass.shape[0] - 1, 0
    a, b = elements.whole[fastest, BODY], elements.whole[fastest, BODY + 1]
    member, speed, gained, delassus = scene.member, scene.speed, scene.gained, scene.delassus
    for k in range(elements.used[0]):
        if count == MANY or elements.whole[k, BODY] != a or elements.whole[k, BODY + 1] != b:
            continue
        found = approach(system, graph, h, elements, k, work.interval.force, velocity)
        if elements.fixed[k, BOUNCE] > 0.0 and found > 0.0:
            member[count] = k
            speed[count] = -found
            gained[count] = 0.0
            answer(graph, n, work, scene, k, 0, scene.answers[count])
            count += 1
    for i in range(count):
        for j in range(count):
            delassus[i, j] = solution_rate(graph, n, elements, member[i], 0, scene.answers[j])
    for _ in range(SWEEPS):
        largest = 0.0
        for i in range(count):
            rate = speed[i] * (1.0 + elements.fixed[member[i], BOUNCE])
            for j in range(count):
                rate += delassus[i, j] * gained[j]
            before = gained[i]
            gained[i] = max(0.0, before - rate / delassus[i, i])
            largest = max(largest, abs(gained[i] - before) * delassus[i, i])
        if largest <= 1e-14 * abs(speed[0]):
            break
    for i in range(count):
        k = member[i]
        rate = solution_rate(graph, n, elements, k, 0, velocity)
        push(graph, n, knot, scene, owner, k, 0, gained[i], scene.answers[i], velocity)
        # pairs of rates before and after of all impulses together give the loss; taken one by one they telescope
        rate += solution_rate(graph, n, elements, k, 0, velocity)
        scene.lost[IMPACT] -= 0.5 * gained[i] * rate
    for i in range(count):
        if elements.whole[member[i], CONE + SLIP]:
            brake(graph, n, knot, work, scene, owner, member[i], gained[i], velocity)
        else:
            brake_lines(graph, n, knot, work, scene, owner, member[i], gained[i], velocity)


@kernel
def brake(graph, n, knot, work, scene, owner, k, normal, velocity):
    """Friction of an impact: the impulse that stops the slip, or the part of it that the normal impulse allows."""
    elements = scene.elements
    one, other = scene.answers[0], scene.answers[1]
    answer(graph, n, work, scene, k, 1, one)
    answer(graph, n, work, scene, k, 2, other)
    w11 = solution_rate(graph, n, elements, k, 1, one)
    w12 = solution_rate(graph, n, elements, k, 1, other)
    w22 = solution_rate(graph, n, elements, k, 2, other)
    u1 = solution_rate(graph, n, elements, k, 1, velocity)
    u2 = solution_rate(graph, n, elements, k, 2, velocity)
    d = w11 * w22 - w12 * w12
    p1, p2 = (w12 * u2 - w22 * u1) / d, (w12 * u1 - w11 * u2) / d
    size = (p1 * p1 + p2 * p2) ** 0.5
    most = elements.fixed[k, MU + SLIP] * normal
    if size > most:
        p1, p2 = p1 * most / size, p2 * most / size
    push(graph, n, knot, scene, owner, k, 1, p1, one, velocity)
    push(graph, n, knot, scene, owner, k, 2, p2, other, velocity)
    u1 += solution_rate(graph, n, elements, k, 1, velocity)
    u2 += solution_rate(graph, n, elements, k, 2, velocity)
    scene.lost[FRICTION] -= 0.5 * (p1 * u1 + p2 * u2)


@kernel
def brake_lines(graph, n, knot, work, scene, owner, k, normal, velocity):
    """The same with a linearised cone: one line after the other, until they agree."""
    elements, reply = scene.elements, scene.answers[0]
    first, last = k + 1, k + 1
    while last < elements.used[0] and elements.whole[last, KIND] == LINE and elements.whole[last, NORMAL] == k:
        elements.value[last, BETA + 2 * SPIN] = 0.0
        last += 1
    for _ in range(ROUNDS if last > first else 0):
        for j in range(first, last):
            answer(graph, n, work, scene, j, ALONG, reply)
            rate = solution_rate(graph, n, elements, j, ALONG, velocity)
            most, before = elements.fixed[j, MU + SPIN] * normal, elements.value[j, BETA + 2 * SPIN]
            wanted = before - rate / solution_rate(graph, n, elements, j, ALONG, reply)
            wanted = max(-most, min(most, wanted))
            elements.value[j, BETA + 2 * SPIN] = wanted
            push(graph, n, knot, scene, owner, j, ALONG, wanted - before, reply, velocity)
            rate += solution_rate(graph, n, elements, j, ALONG, velocity)
            scene.lost[FRICTION] -= 0.5 * (wanted - before) * rate


@kernel
def push(graph, n, knot, scene, owner, k, r, impulse, reply, velocity):
    """Give an impulse along row r of element k; ``reply`` is what one unit of it does to the velocities."""
    elements = scene.elements
    a, b = elements.whole[k, BODY], elements.whole[k, BODY + 1]
    add_row(elements, k, r, impulse, a, b, knot.momentum)
    for l in range(6):
        knot.momentum[n, l] = 0.0
    for i in range(velocity.shape[0]):
        velocity[i] += impulse * reply[i]
    for i in range(n):
        row = graph.body_unknown[i]
        for l in range(6):
            scene.kick[i, l] += impulse * reply[row + l]
    for side in range(2):
        c, first = owner[elements.whole[k, GEOM + side]], 6 * side
        turn = (
            impulse * elements.left[k, r, first + 3],
            impulse * elements.left[k, r, first + 4],
            impulse * elements.left[k, r, first + 5],
        )
        turn = rotate(row4(knot.orientation, elements.whole[k, BODY + side]), turn)
        for l in range(3):
            scene.knock[c, l] += impulse * elements.left[k, r, first + l]
            scene.knock[c, 3 + l] += turn[l]
