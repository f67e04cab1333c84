"""The mechanism as flat arrays: what kernels see.

Bodies are numbered 0 … n_bodies − 1 and the world is body n_bodies: every array over bodies has one row more, the last
row standing for the world (identity pose, no velocity), so kernels never branch on it.

A joint measures the motion of its child frame B relative to its parent frame A. With poses (x, q) of the bodies,

    A = (x_a + Q(q_a) parent_point, q_a · parent_frame),   B = (x_b + Q(q_b) child_point, q_b · child_frame),

the relative position is t = Q(q_A)ᵀ (r_B − r_A) and the relative turn p = q_A⁻¹ · q_B. An axis joint has its axis along
the third axis of both frames. The six components of a joint are t₁, t₂, t₃ and three of rotation; what each means
depends on the kind:

=============  =============================  ======================================================================
kind           translation (0, 1, 2)          rotation (3, 4, 5)
=============  =============================  ======================================================================
LOWER_PAIR     t₁, t₂, t₃                     locked: 2 p_v; free: the angle about axis 3, or all three of p
UNIVERSAL      t₁, t₂, t₃ (locked)            angle about A's axis 1, angle about B's axis 2, their cosine (locked)
SCREW          t₁, t₂, t₃ − parameter·θ       2 p₁, 2 p₂ (all five locked), the angle θ about axis 3
DISTANCE       |r_B − r_A| in component 0     none
GEAR           θ₁ + parameter·θ₂ in 0         none; θ₁, θ₂ are components `gear_component` of joints `gear_joint`
CUSTOM         rows 0 … 5 given by the user   none
PRODUCT        its coordinates in 0, 1, …, then the constraints, numbered on through all six
=============  =============================  ======================================================================

Joint coordinates ``q`` list, for each joint, its free translations and then its rotation: nothing, one angle
(unwrapped, radians), two angles (universal) or the quaternion p. Joint rates ``v`` list the rates of the free
translations and then the rate of each angle or the angular velocity of B relative to A in the axes of B. Joints of
the spanning tree come first, in the order of ``tree_joint``, so the minimal coordinates of the mechanism are
``q[:n_q]`` and ``v[:n_v]``; those of joints that close loops follow.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

LOWER_PAIR: Final = 0
UNIVERSAL: Final = 1
SCREW: Final = 2
DISTANCE: Final = 3
GEAR: Final = 4
CUSTOM: Final = 5
PRODUCT: Final = 6

FRAME: Final = 0
LINEAR: Final = 1
CURVE_FRAME: Final = 2
GRID: Final = 3
CURVE_STEP: Final = 4
FRAME_AND_STEP: Final = 13
"""Numbers of a curve's control frame (x, quaternion) and the twist (linear, angular) that leads to it."""
FACTOR_WIDTH: Final = 6


class System(NamedTuple):
    """A mechanism as arrays (n bodies, m joints, SI units). See the module's text for the conventions."""

    gravity: Floats
    """(3,) acceleration of gravity in the world."""
    mass: Floats
    """(n + 1,) masses; the world's is 0."""
    inertia: Floats
    """(n + 1, 3, 3) inertia about the centre of mass in body axes; the world's is 0."""

    joint_kind: Integers
    """(m,) one of LOWER_PAIR, UNIVERSAL, …"""
    joint_parent: Integers
    """(m,) parent body."""
    joint_child: Integers
    """(m,) child body."""
    parent_point: Floats
    """(m, 3) origin of A in the parent's axes, from the parent's centre of mass."""
    parent_frame: Floats
    """(m, 4) turn from the parent's axes to those of A."""
    child_point: Floats
    """(m, 3) origin of B in the child's axes, from the child's centre of mass."""
    child_frame: Floats
    """(m, 4) turn from the child's axes to those of B."""
    locked: Integers
    """(m, 6) 1 where a component is a constraint, 0 where it is free or does not exist."""
    parameter: Floats
    """(m,) SCREW: metres of advance per radian; DISTANCE: length; GEAR: factor of the second angle."""
    offset: Floats
    """(m,) GEAR: the value that θ₁ + parameter·θ₂ keeps; 0 otherwise."""
    gear_joint: Integers
    """(m, 2) GEAR: the two joints that are coupled; −1 otherwise."""
    gear_component: Integers
    """(m, 2) GEAR: which component (0 … 5) of each; −1 otherwise."""

    product_start: Integers
    """(m + 1,) the factors of joint j, a PRODUCT, are rows ``product_start[j] : product_start[j + 1]`` of the next."""
    product_factor: Integers
    """(f, 6) factors: kind, coordinate, second coordinate, where the data begin, and two more. Of the kinds

    * FRAME: a constant frame; data (x, quaternion).
    * LINEAR: exp(ê q); data ê (linear, angular).
    * CURVE_FRAME: the control frame that a segment starts from; columns 4, 5: segments, whether the curve is closed.
    * CURVE_STEP: exp(ê f(q)), ê the step to one of the next control frames, column 2: which (1, 2, 3); 4, 5 as before.
    * GRID: exp(ê f), f a tensor product of splines of two coordinates; data ê and control values; 4, 5: segments.
    """
    product_data: Floats
    """(d,) the data of all factors."""

    stiffness: Floats
    """(m, 6) of the free components: N/m or N m/rad."""
    damping: Floats
    """(m, 6) of the free components: N s/m or N m s/rad."""
    rest: Floats
    """(m, 6) where the springs are at rest; a rotation vector for a spherical rotation."""
    armature: Floats
    """(m, 6) inertia added to the rate of a free component: kg or kg m²."""

    incidence_start: Integers
    """(m + 1,) the bodies that joint j touches are ``incidence_body[incidence_start[j] : incidence_start[j + 1]]``:
    parent and child; for a gear, those of both its joints; for a custom constraint, the user's."""
    incidence_body: Integers
    """(edges,) bodies, the world included."""

    q_start: Integers
    """(m,) first joint coordinate of each joint in ``q``."""
    v_start: Integers
    """(m,) first joint rate of each joint in ``v``."""
    n_coordinates: Integers
    """(m,) number of joint coordinates of each joint (4 for a rotation about a point)."""
    n_rates: Integers
    """(m,) number of joint rates of each joint."""
    n_q: int
    """Number of minimal coordinates."""
    n_v: int
    """Number of minimal rates: the degrees of freedom of the spanning tree."""

    tree_joint: Integers
    """(n,) joints of the spanning tree from the world outwards: joint i places body ``tree_body[i]``."""
    tree_body: Integers
    """(n,) the body that each tree joint places."""
    tree_parent: Integers
    """(n,) the body that it is placed from; always the world or an earlier ``tree_body``."""
    tree_reversed: Integers
    """(n,) 1 where the joint's declared child is ``tree_parent``, 0 where it is ``tree_body``."""
    loop_joint: Integers
    """(m − n,) joints that close loops, and those without coordinates (distance, gear, custom)."""
