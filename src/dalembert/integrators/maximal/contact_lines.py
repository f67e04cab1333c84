"""The linearised friction cone: a regular polygon in the place of the disc. [Brüdigam 2023] eqs (2)–(4), (26)–(28)

The paper's friction is β = Σ βᵢ bᵢ with βᵢ ≥ 0, Σ βᵢ ≤ μγ and an even number n of directions ±b₁ … ±b_{n/2}: a point
of the polygon with the corners ±μγ bᵢ, and of all its points the one that takes most power from the slip. A polygon
that is its own mirror image in its middle is the sum of n/2 segments parallel to its sides, [−1, 1] μγ c dᵢ. What takes
most power is the sum of what does so in each segment alone:

    (μ c γ, βᵢ) ∈ K ⊥ (ψᵢ, dᵢ·w) ∈ K        on lines,

which has the same resultants as eqs (27) with half as many unknowns, and is one more pair of cones like all others. Of
the polygon with corners at angles 2πk/n the sides have the directions dₖ at π/2 + (2k + 1) π/n and half the length
c = sin(π/n).

A line is an element of its own that follows the contact whose normal impulse bounds it.
"""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np

from dalembert._jit import kernel
from dalembert.integrators.maximal.contact_elements import (
    BODY,
    CONE,
    FIXED,
    GEOM,
    KEY,
    KIND,
    LENGTH,
    LINE,
    MU,
    NORMAL,
    SLIP,
    SLIPS,
    SPIN,
    START,
    UNIT,
    VALUES,
    WHOLES,
)
from dalembert.integrators.maximal.contact_memory import sticks
from dalembert.model.system import Floats

ALONG = 1 + 2 * SPIN
"""The row of a line."""


def friction_lines(sides: int) -> Floats:
    """(sides / 2, 3) cosine and sine of the direction of each segment, and its half length; none for the exact cone."""
    angles = [0.5 * pi + (2 * k + 1) * pi / sides for k in range(sides // 2)]
    return np.array([(cos(a), sin(a), sin(pi / sides)) for a in angles]).reshape(-1, 3)


@kernel
def put_lines(elements, k, lines):
    """Replace the disc of contact k by lines; its slip rows stand in rows 1 and 2."""
    mu = elements.fixed[k, MU + SLIP]
    elements.whole[k, CONE + SLIP] = 0
    for i in range(lines.shape[0]):
        j = elements.used[0]
        elements.used[0] = j + 1
        for l in range(WHOLES):
            elements.whole[j, l] = 0
        for l in range(FIXED):
            elements.fixed[j, l] = 0.0
        for l in range(VALUES):
            elements.value[j, l] = 0.0
            elements.step[j, l] = 0.0
        elements.left[j] = 0.0
        elements.whole[j, KIND], elements.whole[j, NORMAL], elements.whole[j, CONE + SPIN] = LINE, k, 1
        for c in (BODY, BODY + 1, BODY + 2, GEOM, GEOM + 1, KEY + 1, KEY + 2):
            elements.whole[j, c] = elements.whole[k, c]
        elements.whole[j, KEY] = elements.whole[k, KEY] + (i + 1 << 32)
        for c in (UNIT, LENGTH, START):
            elements.fixed[j, c] = elements.fixed[k, c]
        elements.fixed[j, MU + SPIN] = lines[i, 2] * mu
        for l in range(12):
            elements.left[j, ALONG, l] = lines[i, 0] * elements.left[k, 1, l] + lines[i, 1] * elements.left[k, 2, l]


@kernel
def contact_sticks(elements, k):
    """Whether contact k has friction and does not slip, along any of its lines if it has lines."""
    if elements.whole[k, CONE + SLIP]:
        return sticks(elements, k, SLIP)
    j = k + 1
    while j < elements.used[0] and elements.whole[j, KIND] == LINE and elements.whole[j, NORMAL] == k:
        if not sticks(elements, j, SPIN):
            return False
        j += 1
    return j > k + 1


@kernel
def slip_of(elements, k, lines):
    """The slip of contact k along its two tangents, m.

    Evenly spread directions dᵢ have Σ dᵢ dᵢᵀ = m/2 for m > 1 of them.
    """
    m = lines.shape[0]
    if m == 0:
        return elements.value[k, SLIPS + 2 * SLIP], elements.value[k, SLIPS + 2 * SLIP + 1]
    share, u, v = 2.0 / m if m > 1 else 1.0, 0.0, 0.0
    for i in range(m):
        # a contact without friction has no lines
        j = k + 1 + i
        if j < elements.used[0] and elements.whole[j, KIND] == LINE and elements.whole[j, NORMAL] == k:
            w = share * elements.value[j, SLIPS + 2 * SPIN]
            u, v = u + lines[i, 0] * w, v + lines[i, 1] * w
    return u, v
