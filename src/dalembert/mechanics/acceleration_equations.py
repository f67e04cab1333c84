"""Memory of the continuous equations of motion, made once for a run; see `dalembert.mechanics.acceleration`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dalembert.mechanics.acceleration_forces import springy_components
from dalembert.mechanics.recursive_tree import Tree, tree_memory
from dalembert.model.system import DISTANCE, Floats, Integers, System


class Equations(NamedTuple):
    """Memory of the equations of motion (n bodies, m joints, r rows of loops); made by `make_equations`."""

    tree: Tree
    position: Floats
    """(n + 1, 3), and the next three: the bodies where the accelerations were last evaluated."""
    orientation: Floats
    velocity: Floats
    angular_velocity: Floats
    coordinates: Floats
    """Coordinates of all joints there, angles unwrapped."""
    wrench: Floats
    """(n + 1, 6) everything that acts on the bodies."""
    active: Integers
    """(m, 6) components that are evaluated."""
    springy: Integers
    """(m, 6) components with springs or dampers."""
    value: Floats
    """(m, 6) components, and the next two: their rates and their accelerations without loop forces."""
    rate: Floats
    faster: Floats
    jacobian: Floats
    """(edges, 6, 6) rows of the components."""
    row_joint: Integers
    """(r,) joint of each row, and its component."""
    row_component: Integers
    row_armature: Floats
    """(r,) armature of the component; 0 where it is locked."""
    row_scale: Floats
    """(r,) what each row was multiplied by."""
    mass: Floats
    """(n_v, n_v) mass matrix, then its Cholesky factor C."""
    rows: Floats
    """(r, n_v + rows with armature) W, decomposed."""
    left: Floats
    pivots: Floats
    order: Integers
    target: Floats
    """(r,) right sides."""
    scratch: Floats
    shift: Floats
    """(1, n_v + rows with armature) y."""
    multiplier: Floats
    """(r,) forces of the rows in N or N m."""


def make_equations(system: System) -> Equations:
    """Memory for the equations of motion of this mechanism."""
    n, m = system.tree_joint.size, system.joint_kind.size
    locked, armature = np.zeros((m, 6), np.int64), np.zeros((m, 6))
    for j in system.loop_joint:
        locked[j] = system.locked[j]
        if system.joint_kind[j] != DISTANCE:
            armature[j] = np.where(system.locked[j] == 0, system.armature[j], 0.0)
    springy = springy_components(system)
    # contiguous, as all arrays are: one compiled version serves all mechanisms
    row_joint, row_component = np.ascontiguousarray(np.argwhere((locked != 0) | (armature != 0.0)).T)
    r, columns = row_joint.size, system.n_v + int((armature != 0.0).sum())
    return Equations(
        tree=tree_memory(system),
        position=np.zeros((n + 1, 3)),
        orientation=np.zeros((n + 1, 4)),
        velocity=np.zeros((n + 1, 3)),
        angular_velocity=np.zeros((n + 1, 3)),
        coordinates=np.zeros(int(system.n_coordinates.sum())),
        wrench=np.zeros((n + 1, 6)),
        active=((locked != 0) | (armature != 0.0) | (springy != 0)).astype(np.int64),
        springy=springy,
        value=np.zeros((m, 6)),
        rate=np.zeros((m, 6)),
        faster=np.zeros((m, 6)),
        jacobian=np.zeros((system.incidence_body.size, 6, 6)),
        row_joint=row_joint,
        row_component=row_component,
        row_armature=armature[row_joint, row_component],
        row_scale=np.ones(r),
        mass=np.zeros((system.n_v, system.n_v)),
        rows=np.zeros((r, columns)),
        left=np.zeros((min(r, columns), r)),
        pivots=np.zeros((2, r)),
        order=np.zeros(r, np.int64),
        target=np.zeros(r),
        scratch=np.zeros((1, r)),
        shift=np.zeros((1, columns)),
        multiplier=np.zeros(r),
    )
