"""Motion of the spanning tree in the form that its derivatives need: memory, and the pass from the world outwards.

Vectors are spatial: twists, accelerations and wrenches are [linear; angular] in world axes, taken at the centre of mass
of the body that they belong to; a motion passes from x_p to x_b as (u, θ) → (u + θ × (x_b − x_p), θ). The acceleration
A is the derivative of the twist as a field in space, so that A = (a − ω×v, α) with a that of the centre of mass, and
that of the world is −g: gravity needs no force of its own. With × of two motions, (u, θ) × (u', θ') =
(θ×u' + u×θ', θ×θ'),

    V_b = V_p + Σ s v,      A_b = A_p + Σ (s v̇ + ṡ v),      ṡ = V_B × s.

Every screw s of a joint is fixed in one body B: the inner one, p, or the outer one, b. A slide is along an axis of the
parent's frame A, a turn about one of the child's frame B (that of a universal joint's first angle in A), and a joint
may be crossed from either side. That alone tells one kind of joint from another, see
`dalembert.mechanics.reduced_derivatives`.

The screws of a product (`dalembert.mechanics.product_joint`) also change with its coordinates while B stands still,
s_kl = ∂_l s_k. With U_l = Σ s_kl v_k and a = Σ s_kl v_k v_l that adds Σ s_kl v_l to ṡ_k and a to A.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dalembert._jit import kernel
from dalembert.mechanics.kinematics import place_bodies, product_screws, tree_screws
from dalembert.mechanics.kinematics_joint import rate_component
from dalembert.mechanics.recursive_tree import angular6, linear6, set_row6, turned_inertia
from dalembert.mechanics.reduced_product import bend_screws
from dalembert.model.system import PRODUCT, UNIVERSAL, Floats, Integers, System
from dalembert.spatial.quaternion import row4
from dalembert.spatial.vector import add, axpy, cross, row3, sub


class Reduced(NamedTuple):
    """Memory of reduced dynamics (n bodies); made once by `reduced_memory`, filled by `move_tree`."""

    placed_by: Integers
    """(n + 1,) tree joint that places each body; −1 for the world."""
    outer: Integers
    """(n_v,) 1 where a screw is fixed in the outer body of its joint, 0 where in the inner one."""
    armature: Floats
    """(n_v,) armature of each rate."""
    coordinates: Floats
    """(n_q,) minimal coordinates, kept for products."""
    position: Floats
    """(n + 1, 3) centres of mass."""
    orientation: Floats
    """(n + 1, 4)"""
    inertia: Floats
    """(n + 1, 3, 3) inertia about the centre of mass in world axes."""
    twist: Floats
    """(n + 1, 6) V."""
    acceleration: Floats
    """(n + 1, 6) A."""
    screw: Floats
    """(n_v, 6) s, and its rate ṡ."""
    screw_rate: Floats
    first: Floats
    """(n_v, 6) ψ̇ = W × s, and ψ̈ = Γ × s + W × ψ̇, see `dalembert.mechanics.reduced_derivatives`."""
    second: Floats
    bend: Floats
    """(n_v, 6, 6) s_kl of products, l within the joint; without products (0, 6, 6)."""
    wrench: Floats
    """(n + 1, 6) wrenches that act on the bodies besides gravity and joints."""
    demand: Floats
    """(n + 1, 6) wrench that a body and all that it carries demand of the joint that places it."""
    composite: Floats
    """(n + 1, 6, 6) their inertia …"""
    motion: Floats
    """(n + 1, 6, 6) … how their demand changes with velocity …"""
    place: Floats
    """(n + 1, 6, 6) … and with place, besides turning along."""
    column: Floats
    """(5, 6, 6) wrenches on their way to the world, of five sorts for each rate of a joint."""


def reduced_memory(system: System) -> Reduced:
    """Memory for the reduced dynamics of this mechanism."""
    n, n_v = system.tree_joint.size, system.n_v
    placed_by = np.full(n + 1, -1, np.int64)
    placed_by[system.tree_body] = np.arange(n)
    outer, armature = np.zeros(n_v, np.int64), np.zeros(n_v)
    for i, j in enumerate(system.tree_joint):
        for k in range(system.n_rates[j]):
            c = rate_component(system, j, k)
            in_child = c >= 3 and not (system.joint_kind[j] == UNIVERSAL and c == 3)
            in_child |= system.joint_kind[j] == PRODUCT
            outer[system.v_start[j] + k] = int(in_child) ^ int(system.tree_reversed[i])
            armature[system.v_start[j] + k] = system.armature[j, c]
    return Reduced(
        placed_by=placed_by,
        outer=outer,
        armature=armature,
        coordinates=np.zeros(system.n_q),
        position=np.zeros((n + 1, 3)),
        orientation=np.zeros((n + 1, 4)),
        inertia=np.zeros((n + 1, 3, 3)),
        twist=np.zeros((n + 1, 6)),
        acceleration=np.zeros((n + 1, 6)),
        screw=np.zeros((n_v, 6)),
        screw_rate=np.zeros((n_v, 6)),
        first=np.zeros((n_v, 6)),
        second=np.zeros((n_v, 6)),
        bend=np.zeros((n_v if np.any(system.joint_kind == PRODUCT) else 0, 6, 6)),
        wrench=np.zeros((n + 1, 6)),
        demand=np.zeros((n + 1, 6)),
        composite=np.zeros((n + 1, 6, 6)),
        motion=np.zeros((n + 1, 6, 6)),
        place=np.zeros((n + 1, 6, 6)),
        column=np.zeros((5, 6, 6)),
    )


@kernel
def place_tree(system, at, q):
    """Poses, screws and inertias in the world at the coordinates q."""
    place_bodies(system, q, at.position, at.orientation)
    tree_screws(system, at.position, at.orientation, at.screw)
    if at.bend.shape[0] > 0:
        for k in range(system.n_q):
            at.coordinates[k] = q[k]
        product_screws(system, q, at.position, at.orientation, at.screw)
    for i in range(system.mass.size):
        turned_inertia(system, i, row4(at.orientation, i), at.inertia)


@kernel
def move_tree(system, at, v, acceleration):
    """Twists and accelerations from the rates v and their derivatives, and what derivatives need of every screw.

    W and Γ are the velocity and acceleration of the inner body of a joint with those of its screws that are fixed in
    it. `place_tree` has run.
    """
    world = system.mass.size - 1
    set_row6(at.twist, world, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    g = system.gravity
    set_row6(at.acceleration, world, (-g[0], -g[1], -g[2]), (0.0, 0.0, 0.0))
    for i in range(system.tree_joint.size):
        j, body, origin = system.tree_joint[i], system.tree_body[i], system.tree_parent[i]
        first, last = system.v_start[j], system.v_start[j] + system.n_rates[j]
        arm = sub(row3(at.position, body), row3(at.position, origin))
        inner = shifted(linear6(at.twist, origin), angular6(at.twist, origin), arm)
        w, gamma = inner, shifted(linear6(at.acceleration, origin), angular6(at.acceleration, origin), arm)
        outer = inner
        for k in range(first, last):
            s = motion_row(at.screw, k)
            outer = axpy6(v[k], s, outer)
            if at.outer[k] == 0:
                w = axpy6(v[k], s, w)
                gamma = axpy6(acceleration[k], s, axpy6(v[k], cross_motion(inner, s), gamma))
        total = gamma
        for k in range(first, last):
            s = motion_row(at.screw, k)
            rate = cross_motion(outer if at.outer[k] == 1 else inner, s)
            if at.outer[k] == 1:
                total = axpy6(acceleration[k], s, axpy6(v[k], rate, total))
            psi = cross_motion(w, s)
            again = cross_motion(gamma, s)
            more = cross_motion(w, psi)
            set_row6(at.screw_rate, k, rate[0], rate[1])
            set_row6(at.first, k, psi[0], psi[1])
            set_row6(at.second, k, add(again[0], more[0]), add(again[1], more[1]))
        if system.joint_kind[j] == PRODUCT:
            total = axpy6(1.0, bend_screws(system, at, i, v, acceleration, inner, outer), total)
        set_row6(at.twist, body, outer[0], outer[1])
        set_row6(at.acceleration, body, total[0], total[1])


@kernel
def motion_row(a, i):
    """Row ``i`` of an (n, 6) array as (linear, angular)."""
    return linear6(a, i), angular6(a, i)


@kernel
def shifted(linear, angular, arm):
    """A motion taken at a point that is further by ``arm``."""
    return add(linear, cross(angular, arm)), angular


@kernel
def axpy6(factor, x, y):
    """factor x + y of two motions or wrenches."""
    return axpy(factor, x[0], y[0]), axpy(factor, x[1], y[1])


@kernel
def cross_motion(x, y):
    """x × y of two motions: how y changes when it moves along with x."""
    return add(cross(x[1], y[0]), cross(x[0], y[1])), cross(x[1], y[1])


@kernel
def cross_wrench(x, f):
    """x ×* f: how the wrench f changes when it moves along with the motion x."""
    return cross(x[1], f[0]), add(cross(x[1], f[1]), cross(x[0], f[0]))


@kernel
def body_twist(at, i):
    """(v, ω) of a body, ω in world axes."""
    return motion_row(at.twist, i)


@kernel
def centre_acceleration(at, i):
    """(a − g, α) of a body in world axes, a that of its centre of mass."""
    v, omega = linear6(at.twist, i), angular6(at.twist, i)
    return add(linear6(at.acceleration, i), cross(omega, v)), angular6(at.acceleration, i)
