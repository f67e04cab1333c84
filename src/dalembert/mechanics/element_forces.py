"""Forces of elements at their points, with exact derivatives by the places x and velocities u of these points.

A cable or a spring through points of total length L(x), with ρ = ∂L/∂x, has the tension T(L, L̇):

    f = −T ρ,    ∂f/∂x = −T ∂ρ/∂x − ρ (T_L ρ + T_L̇ ∂L̇/∂x)ᵀ,    ∂f/∂u = −T_L̇ ρ ρᵀ,

where L̇ = ρ·u and ∂L̇/∂x = (∂ρ/∂x) u. A segment with direction t and length ℓ adds −t and t to ρ at its ends and
± (1 − t tᵀ)/ℓ to ∂ρ/∂x. [Sueda 2021] eq. (1.62)–(1.83); that tension is here per metre, not per strain, and a cable
does not push while it shortens fast either, so that the force is continuous.

A ground with normal n at depth δ > 0, v = n·u, a = u − v n: f = (k δ (1 − D v)⁺ − d v) n − min(c |a|, μ k δ) a/|a|.
[Sueda 2021] eq. (1.49)–(1.61), D of [Hunt 1975].
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dalembert._jit import kernel
from dalembert.mechanics.recursive_tree import angular6, linear6
from dalembert.model.force_elements import Elements
from dalembert.model.forces import CABLE, PENALTY_GROUND, POINT_FORCE, ROUTED_SPRING
from dalembert.model.system import Floats
from dalembert.spatial.quaternion import rotate, row4
from dalembert.spatial.vector import add, axpy, cross, dot, norm, row3, scale, set_row3, sub


class ElementForces(NamedTuple):
    """Elements with the memory that one of them needs at a time (m: the largest number of points)."""

    elements: Elements
    point: Floats
    """(m, 3) x, and from the centre of mass, and u, in world axes."""
    arm: Floats
    velocity: Floats
    force: Floats
    """(m, 3) f."""
    pull: Floats
    """(m, 3) ρ, and ∂L̇/∂x."""
    sweep: Floats
    by_place: Floats
    """(m, m, 3, 3) ∂f/∂x, and ∂f/∂u: [on, by, row, column]."""
    by_rate: Floats
    place: Floats
    """(1, 6, 6) −∂w/∂(motion) and −∂w/∂V of a pair of points as motions of their bodies."""
    motion: Floats


def element_forces(elements: Elements) -> ElementForces:
    """Memory for these elements."""
    m = int(np.diff(elements.port_start).max(initial=0))
    return ElementForces(
        elements=elements,
        point=np.zeros((m, 3)),
        arm=np.zeros((m, 3)),
        velocity=np.zeros((m, 3)),
        force=np.zeros((m, 3)),
        pull=np.zeros((m, 3)),
        sweep=np.zeros((m, 3)),
        by_place=np.zeros((m, m, 3, 3)),
        by_rate=np.zeros((m, m, 3, 3)),
        place=np.zeros((1, 6, 6)),
        motion=np.zeros((1, 6, 6)),
    )


@kernel
def place_ports(work, e, position, orientation, twist):
    """Places, arms and velocities of the points of element e; ``twist`` (n + 1, 6) in world axes."""
    elements = work.elements
    first = elements.port_start[e]
    for p in range(elements.port_start[e + 1] - first):
        body = elements.port_body[first + p]
        arm = rotate(row4(orientation, body), row3(elements.port_point, first + p))
        set_row3(work.arm, p, arm)
        set_row3(work.point, p, add(row3(position, body), arm))
        set_row3(work.velocity, p, add(linear6(twist, body), cross(angular6(twist, body), arm)))


@kernel
def evaluate_element(work, e, orientation, derive):
    """f of element e into ``work.force``, with ``derive`` its derivatives too; `place_ports` has run."""
    elements = work.elements
    n = elements.port_start[e + 1] - elements.port_start[e]
    code = elements.code[e]
    if derive:
        for p in range(n):
            for q in range(n):
                for r in range(3):
                    for c in range(3):
                        work.by_place[p, q, r, c] = 0.0
                        work.by_rate[p, q, r, c] = 0.0
    if code == CABLE or code == ROUTED_SPRING:
        _stretch(work, e, n, derive)
    elif code == PENALTY_GROUND:
        _press(work, e, derive)
    elif code == POINT_FORCE:
        force = row3(elements.vector[e], 0)
        if elements.number[e, 0] != 0.0:
            force = rotate(row4(orientation, elements.port_body[elements.port_start[e]]), force)
        set_row3(work.force, 0, force)
    else:
        set_row3(work.force, 0, (0.0, 0.0, 0.0))


@kernel
def _stretch(work, e, n, derive):
    length, speed = 0.0, 0.0
    for p in range(n):
        set_row3(work.pull, p, (0.0, 0.0, 0.0))
        set_row3(work.sweep, p, (0.0, 0.0, 0.0))
    for p in range(n - 1):
        t, size = _segment(work, p)
        length += size
        speed += dot(t, sub(row3(work.velocity, p + 1), row3(work.velocity, p)))
        set_row3(work.pull, p, sub(row3(work.pull, p), t))
        set_row3(work.pull, p + 1, add(row3(work.pull, p + 1), t))
    tension, slope, damping = _tension(work.elements, e, length, speed)
    for p in range(n):
        set_row3(work.force, p, scale(-tension, row3(work.pull, p)))
    if not derive or (tension == 0.0 and slope == 0.0 and damping == 0.0):
        return
    for p in range(n - 1):
        t, size = _segment(work, p)
        if size == 0.0:
            continue
        u = sub(row3(work.velocity, p + 1), row3(work.velocity, p))
        swept = scale(1.0 / size, axpy(-dot(t, u), t, u))
        set_row3(work.sweep, p, sub(row3(work.sweep, p), swept))
        set_row3(work.sweep, p + 1, add(row3(work.sweep, p + 1), swept))
        for r in range(3):
            for c in range(3):
                bent = tension * ((1.0 if r == c else 0.0) - t[r] * t[c]) / size
                work.by_place[p, p, r, c] -= bent
                work.by_place[p + 1, p + 1, r, c] -= bent
                work.by_place[p, p + 1, r, c] += bent
                work.by_place[p + 1, p, r, c] += bent
    for p in range(n):
        for q in range(n):
            for r in range(3):
                for c in range(3):
                    along = slope * work.pull[q, c] + damping * work.sweep[q, c]
                    work.by_place[p, q, r, c] -= work.pull[p, r] * along
                    work.by_rate[p, q, r, c] -= damping * work.pull[p, r] * work.pull[q, c]


@kernel
def _segment(work, p):
    """(direction, length) from point p to the next; no direction where they meet."""
    d = sub(row3(work.point, p + 1), row3(work.point, p))
    size = norm(d)
    return (scale(1.0 / size, d) if size > 0.0 else (0.0, 0.0, 0.0)), size


@kernel
def _tension(elements, e, length, speed):
    """(T, ∂T/∂L, ∂T/∂L̇)."""
    k, d = elements.number[e, 0], elements.number[e, 1]
    stretch = length - elements.number[e, 2]
    tension = k * stretch + d * speed + elements.number[e, 3]
    if elements.code[e] == CABLE and (stretch <= 0.0 or tension <= 0.0):
        return 0.0, 0.0, 0.0
    return tension, k, d


@kernel
def _press(work, e, derive):
    number, n = work.elements.number[e], row3(work.elements.vector[e], 0)
    depth = -dot(n, sub(row3(work.point, 0), row3(work.elements.vector[e], 1)))
    if depth <= 0.0:
        set_row3(work.force, 0, (0.0, 0.0, 0.0))
        return
    k, d, sticking, mu, dissipation = number[0], number[1], number[2], number[3], number[4]
    u = row3(work.velocity, 0)
    normal_speed = dot(n, u)
    share = max(0.0, 1.0 - dissipation * normal_speed)
    a = axpy(-normal_speed, n, u)
    slip = norm(a)
    sticks = sticking * slip <= mu * k * depth
    t = scale(1.0 / slip, a) if slip > 0.0 else (0.0, 0.0, 0.0)
    drag = sticking * slip if sticks else mu * k * depth
    set_row3(work.force, 0, axpy(-drag, t, scale(k * depth * share - d * normal_speed, n)))
    if not derive:
        return
    for r in range(3):
        for c in range(3):
            flat = (1.0 if r == c else 0.0) - n[r] * n[c]
            work.by_place[0, 0, r, c] = -k * share * n[r] * n[c]
            work.by_rate[0, 0, r, c] = -d * n[r] * n[c]
            if share > 0.0:
                work.by_rate[0, 0, r, c] -= k * depth * dissipation * n[r] * n[c]
            if sticks:
                work.by_rate[0, 0, r, c] -= sticking * flat
            else:
                work.by_place[0, 0, r, c] += mu * k * t[r] * n[c]
                work.by_rate[0, 0, r, c] -= drag * (flat - t[r] * t[c]) / slip
