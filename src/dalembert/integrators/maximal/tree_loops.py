"""What the tree solver knows about joints outside the spanning tree, and the memory it works in.

A *link* is such a joint: one that closes a loop, a rod, a gear, a point spring. It sees a *pair* of frames on two slots
(a gear two pairs), and has up to six *ties*, scalar equations g = 0, or with compliance g + e + C Λ = 0. Each tie keeps
its impulse Λ as an unknown while the joints below are eliminated. It is carried inward on *strands*, one at every slot
between the ends of the link and their nearest common ancestor, the *apex*, where its unknown is eliminated as well. So
a mechanism whose loops are local is solved in a time proportional to their number.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from dalembert.model.system import Floats, Integers

# columns of Loops.at
FIRST_STRAND: Final = 0
STRANDS: Final = 1
CLOSING: Final = 2
FIRST_LINK: Final = 3
LINKS: Final = 4

# columns of Loops.link
LINK_JOINT: Final = 0
FIRST_TIE: Final = 1
TIES: Final = 2
APEX_STRAND: Final = 3
HOLDS: Final = 4
LAST_STRAND: Final = 5

# columns of Loops.pair
PAIR_JOINT: Final = 0
KIND: Final = 1
SLOT_A: Final = 2
SLOT_B: Final = 3
MEETING: Final = 4
FIRST_RAY: Final = 5
RAYS: Final = 6
FIRST_ANGLE: Final = 7
TURNS: Final = 8
OWNED: Final = 9
TURN_ANGLES: Final = 10
PAIR_LOCKED: Final = 11
PAIR_WIDTH: Final = 17

# columns of Loops.pair_row. Constant over a run, in the frames H of the slots:
TIP_A_H: Final = 0
TURN_A_H: Final = 3
TIP_B_H: Final = 7
TURN_B_H: Final = 10
PARAMETER: Final = 14
# at the knot, in world axes:
TIP_A: Final = 15
TURN_A: Final = 18
TIP_B: Final = 22
TURN_B: Final = 25
GAP: Final = 29
ANGLES: Final = 32
PAIR_ROW_WIDTH: Final = 34

# columns of Loops.ray and Loops.ray_row
TIE: Final = 0
COMPONENT: Final = 1
STRAND_A: Final = 2
STRAND_B: Final = 3
LEFT_A: Final = 0
LEFT_B: Final = 6
RIGHT_A: Final = 12
RIGHT_B: Final = 18
FACTOR: Final = 24

# columns of Loops.tie and Loops.tie_row
LOCKED: Final = 0
COUPLES: Final = 1
PLACE: Final = 2
TIE_JOINT: Final = 3
TIE_COMPONENT: Final = 4
TIE_STIFFNESS: Final = 0
TIE_DAMPING: Final = 1
TIE_ROTOR: Final = 2
TIE_REST: Final = 3
SHIFTED: Final = 4
KNOT_VALUE: Final = 5
VALUE: Final = 6
OFFSET_E: Final = 7
COMPLIANCE: Final = 8
SIDE_G: Final = 9
SOLVED: Final = 10
IMPULSE: Final = 11
RIGHT_IMPULSE: Final = 12
TIE_ROW_WIDTH: Final = 13

# columns of Loops.strand and Loops.strand_row
STRAND_TIE: Final = 0
STRAND_UP: Final = 1
COLUMN: Final = 0
ROW: Final = 6
ANSWER: Final = 12
GRIP: Final = 18


class Loops(NamedTuple):
    """The joints outside the spanning tree of n bodies: L links, P pairs, Q rays, T ties, E strands."""

    at: Integers
    """(n + 1, 5) for each slot, the world last: FIRST_STRAND and how many STRANDS, of which the first CLOSING end here;
    FIRST_LINK and how many LINKS have their apex here."""
    link: Integers
    """(L, 6) by apex: its joint; FIRST_TIE and TIES; APEX_STRAND, the strand of its first tie at the apex; HOLDS,
    whether a tie is a constraint, so that it may repeat what others say; LAST_STRAND, one past the last at the apex
    that is coupled to it."""
    pair: Integers
    """(P, 17) its joint and KIND; SLOT_A, SLOT_B, and MEETING, their nearest common ancestor; FIRST_RAY and RAYS;
    FIRST_ANGLE and how many, TURN_ANGLES, of its joint's coordinates are angles; TURNS, whether all three rotations are
    free; OWNED, whether it is the pair of a link (not of a gear); PAIR_LOCKED + c, whether component c is a
    constraint."""
    pair_row: Floats
    """(P, 34) TIP_A_H from the reference point of slot A to the frame A, TURN_A_H from H to A; likewise for B;
    PARAMETER of the joint. At the knot: TIP_A, TURN_A, TIP_B, TURN_B in world axes, GAP from A to B, and the joint's
    ANGLES, which tell the branch of those at the end."""
    ray: Integers
    """(Q, 4) a tie seen through a pair: TIE, COMPONENT; its strands at slot A and slot B, −1 at the world."""
    ray_row: Floats
    """(Q, 25) wrenches of a unit impulse on slots A and B about their reference points at the knot, LEFT_A and LEFT_B;
    derivatives of the tie for twists at the end, RIGHT_A and RIGHT_B; FACTOR of the component in the tie."""
    tie: Integers
    """(T, 5) LOCKED; COUPLES and PLACE, so that the coupling of ties s and t of one net of loops is
    ``couple[tie[s, COUPLES] + tie[t, PLACE]]``; its joint and component."""
    tie_row: Floats
    """(T, 13) the law of its coordinate, SHIFTED value of a gear, KNOT_VALUE and VALUE g at the end (with e), OFFSET_E
    e, COMPLIANCE C, SIDE_G the reduced right-hand side, SOLVED S⁺ SIDE_G, IMPULSE Λ, RIGHT_IMPULSE Sᴿ."""
    strand: Integers
    """(E, 2) STRAND_TIE; STRAND_UP, that of the same tie at the parent slot, −1 at the apex and below the world."""
    strand_row: Floats
    """(E, 24) at a slot: COLUMN the wrench of a unit impulse; ROW the derivative for a twist of the slot; what passing
    the slot's joint leaves for the solution, ANSWER Y = D⁻¹ Lᵀ COLUMN and GRIP Z = ROW·R; at the apex S⁺ ROW in place
    of Y."""
    couple: Floats
    """Couplings S of ties; after the elimination S⁺ S for those eliminated first."""
    inverse: Floats
    """(36 L,) S⁺ of each link."""
    scale: Floats
    """(T,) how far each tie would open under a unit impulse if bodies were free: what is small beside it is zero."""
    work: Floats
    """(160,) scratch of the linear algebra."""
    largest: Floats
    """(1,) the largest violation of a constraint of a link at the end of a step since it was last set to zero."""
