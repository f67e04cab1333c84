"""The virtual motion: the bodies' twists Z_b = Σ s_k z_k when the rates of the tree are the solution z of a stage.

The equations of motion contracted with z are its virtual power, zᵀ g = Σ_b Z_b · F_b with F_b the wrench that body b
demands, and so are their derivatives by anything that is not a coordinate: a few dot products for each body and joint.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dalembert._jit import kernel
from dalembert.mechanics.recursive_tree import angular6, linear6, set_row6
from dalembert.mechanics.reduced_tree import axpy6, motion_row, shifted
from dalembert.model.system import Floats, System
from dalembert.spatial.vector import row3, sub


class Virtual(NamedTuple):
    """Memory of the contractions (n bodies); made by `virtual_memory`."""

    twist: Floats
    """(n + 1, 6) Z."""
    carried: Floats
    """(n + 1, 6) wrenches gathered from the leaves inwards: Σ I Z, Σ Cᵀ Z and Σ Pᵀ Z of all that a body carries …"""
    moved: Floats
    placed: Floats
    pulled: Floats
    """(n + 1, 6) … and Σ μ row."""


def virtual_memory(system: System) -> Virtual:
    """Memory for this mechanism."""
    return Virtual(*(np.zeros((system.mass.size, 6)) for _ in Virtual._fields))


@kernel
def move_virtually(system, at, z, twist):
    """Z of all bodies into ``twist`` (n + 1, 6); the world rests."""
    world = system.mass.size - 1
    set_row6(twist, world, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    for i in range(system.tree_joint.size):
        j, body, origin = system.tree_joint[i], system.tree_body[i], system.tree_parent[i]
        arm = sub(row3(at.position, body), row3(at.position, origin))
        total = shifted(linear6(twist, origin), angular6(twist, origin), arm)
        for k in range(system.v_start[j], system.v_start[j] + system.n_rates[j]):
            total = axpy6(z[k], motion_row(at.screw, k), total)
        set_row6(twist, body, total[0], total[1])
