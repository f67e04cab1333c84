"""Maximal coordinates as minimal ones: the mechanism whose bodies all float, and whose joints all close loops."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.model.system import LOWER_PAIR, System

if TYPE_CHECKING:
    from dalembert.model.state import State
    from dalembert.model.system import Floats


def freed(system: System) -> System:
    """The same bodies and joints, each body placed by six rates of its own: velocity in the world, turn in its axes."""
    n, m = system.tree_joint.size, system.joint_kind.size
    bodies, world = np.arange(n), np.full(n, n)

    def before(first: object, rest: Any) -> Any:
        head = np.broadcast_to(np.asarray(first, rest.dtype), (n, *rest.shape[1:]))
        return np.ascontiguousarray(np.concatenate([head, rest]))

    unit = (1.0, 0.0, 0.0, 0.0)
    n_q, n_v = before(7, system.n_coordinates), before(6, system.n_rates)
    pairs = np.column_stack([world, bodies]).ravel()
    gears = np.where(system.gear_joint >= 0, system.gear_joint + n, -1)
    return system._replace(
        joint_kind=before(LOWER_PAIR, system.joint_kind),
        joint_parent=np.concatenate([world, system.joint_parent]),
        joint_child=np.concatenate([bodies, system.joint_child]),
        parent_point=before(0, system.parent_point),
        parent_frame=before(unit, system.parent_frame),
        child_point=before(0, system.child_point),
        child_frame=before(unit, system.child_frame),
        locked=before(0, system.locked),
        parameter=before(0, system.parameter),
        offset=before(0, system.offset),
        gear_joint=before(-1, gears),
        gear_component=before(-1, system.gear_component),
        stiffness=before(0, system.stiffness),
        damping=before(0, system.damping),
        rest=before(0, system.rest),
        armature=before(0, system.armature),
        incidence_start=np.concatenate([2 * bodies, 2 * n + system.incidence_start]),
        incidence_body=np.concatenate([pairs, system.incidence_body]),
        q_start=np.concatenate([7 * bodies, 7 * n + system.q_start]),
        v_start=np.concatenate([6 * bodies, 6 * n + system.v_start]),
        n_coordinates=n_q,
        n_rates=n_v,
        n_q=7 * n,
        n_v=6 * n,
        tree_joint=bodies,
        tree_body=bodies,
        tree_parent=world,
        tree_reversed=np.zeros(n, np.int64),
        loop_joint=np.arange(n, n + m),
    )


def free_coordinates(state: State) -> tuple[Floats, Floats]:
    """Coordinates and rates of the bodies of `freed`."""
    q = np.hstack([state.position, state.orientation]).ravel()
    return q, np.hstack([state.velocity, state.angular_velocity]).ravel()
