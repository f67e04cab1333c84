"""The unknowns of contacts, joint limits and joint friction in one step, as *elements* of one kind.

An element has a gap that may not become negative (a contact, a limit), or cones of friction, or both. Over an interval
it gives its bodies the impulse Lᵀ(γ, β) at the knot, where L are its rows there, and

    0 ≤ γ ⊥ s ≥ 0,  s = σ φ(z⁺) + o + C γ          and for each cone      K ∋ (μγ + b, β) ⊥ (ψ, w) ∈ K,  w = h L_β ż.

σ = 1, o = C = 0 is a rigid gap; a compliant contact has C > 0. A contact with friction has a disc of slips with its
coefficient μ; torsional friction adds a segment, rolling friction another disc, with lengths for coefficients
[Leine 2003]. Dry friction in a joint is a segment with a fixed bound b. [Brüdigam 2023] eqs (24), (28), with the
second-order cone in the place of the linearised one.

Rows are numbered 0 for the gap, 1 + 2c and 2 + 2c for cone c: slip, spin (whose second row is zero), roll. A row has
twelve numbers: six of body A, six of body B.
"""

from typing import Final, NamedTuple

import numpy as np

from dalembert.model.system import Floats, Integers

CONTACT: Final = 0
LIMIT: Final = 1
DRY: Final = 2
"""Dry friction in a joint."""
LINE: Final = 3
"""Friction of a contact along one direction, where its cone is linearised; see `contact_lines`."""

SLIP: Final = 0
SPIN: Final = 1
ROLL: Final = 2

ROWS: Final = 7

KIND: Final = 0
ITEM: Final = 1
"""The feature or the joint."""
COMPONENT: Final = 2
"""Of a joint."""
BODY: Final = 3
"""A and B; the world is body n."""
PAIR: Final = 5
"""Place among the pairs of bodies with blocks of their own; −1 if A or B is the world."""
KEY: Final = 6
"""Three numbers that tell an element from others and stay with it from step to step."""
SIDED: Final = 9
"""1 if there is a gap."""
CONE: Final = 10
"""1 for each of the three cones that there is."""
GEOM: Final = 13
"""Geoms of A and B of a contact."""
NORMAL: Final = 15
"""The element whose γ the cones go with: itself, but for a line."""
WHOLES: Final = 16
"""Columns of `Elements.whole`."""

UNIT: Final = 0
"""What products of impulse and displacement are measured in, N s m."""
LENGTH: Final = 1
"""What the gap is measured in: m, or 1 for angles."""
MEASURE: Final = 2
"""σ, o and C."""
MU: Final = 5
"""μ of each cone."""
BOUND: Final = 8
"""b of each cone, N s or N m s."""
SIGN: Final = 11
"""1, or −1 for an upper limit."""
EDGE: Final = 12
"""The limit of a joint coordinate."""
START: Final = 13
"""Gap at the knot."""
GAP: Final = 14
"""Gap at the trial end."""
BOUNCE: Final = 15
"""Newton's coefficient of restitution."""
CARRY: Final = 16
"""Slip that a cone which sticks has left from the steps before, two numbers."""
FIXED: Final = 18
"""Columns of `Elements.fixed`."""

SLACK: Final = 0
IMPULSE: Final = 1
PSI: Final = 2
"""ψ of each cone."""
BETA: Final = 5
"""β, two for each cone."""
SLIPS: Final = 11
"""w, two for each cone."""
VALUES: Final = 17
"""Columns of `Elements.value` and ``step``."""


class Elements(NamedTuple):
    """Room for K elements, of which the first ``used[0]`` are in use.

    There are few arrays with many columns: every array of a tuple makes every function that it goes through slower to
    compile.
    """

    used: Integers
    """(1,)"""
    whole: Integers
    """(K, 16) columns KIND … NORMAL."""
    fixed: Floats
    """(K, 18) columns UNIT … CARRY: what the step does not change, and the gap."""
    value: Floats
    """(K, 17) columns SLACK … SLIPS: the unknowns."""
    step: Floats
    """(K, 17) their Newton increments."""
    second: Floats
    """(K, 10) products of the predictor's increments, one for the gap and three for each cone."""
    left: Floats
    """(K, 7, 12) L: the rows at the knot."""
    right: Floats
    """(K, 12) the derivative of the gap at the trial end."""
    factors: Floats
    """(2, 7, 12) scratch: the two factors of what an element adds to the matrix."""


class Memory(NamedTuple):
    """What the elements of a step leave for those of the next."""

    used: Integers
    """(1,)"""
    key: Integers
    """(K, 3)"""
    force: Floats
    """(K, 5) γ/h; β/h and what was left of w of the first cone."""
    slot: Integers
    """(power of two,) first element of each bucket of keys, or −1."""
    following: Integers
    """(K,) the next element of the same bucket, or −1."""


def empty_elements(room: int) -> Elements:
    """Room for that many elements."""
    return Elements(
        used=np.zeros(1, dtype=np.int64),
        whole=np.zeros((room, WHOLES), dtype=np.int64),
        fixed=np.zeros((room, FIXED)),
        value=np.zeros((room, VALUES)),
        step=np.zeros((room, VALUES)),
        second=np.zeros((room, 10)),
        left=np.zeros((room, ROWS, 12)),
        right=np.zeros((room, 12)),
        factors=np.zeros((2, ROWS, 12)),
    )


def empty_memory(room: int) -> Memory:
    """Room to remember that many elements."""
    return Memory(
        used=np.zeros(1, dtype=np.int64),
        key=np.zeros((room, 3), dtype=np.int64),
        force=np.zeros((room, 5)),
        slot=np.full(1 << max(4, int(2 * room).bit_length()), -1),
        following=np.full(room, -1),
    )
