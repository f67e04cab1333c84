"""Random mechanisms as arrays, made without the builder: trees of every joint kind, with loops on request."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dalembert.model.system import DISTANCE, LOWER_PAIR, SCREW, UNIVERSAL, System

# name: (kind, locked components); axis 3 is the joint's axis
KINDS: dict[str, tuple[int, tuple[int, ...]]] = {
    "fixed": (LOWER_PAIR, (1, 1, 1, 1, 1, 1)),
    "prismatic": (LOWER_PAIR, (1, 1, 0, 1, 1, 1)),
    "planar_fixed_orientation": (LOWER_PAIR, (0, 0, 1, 1, 1, 1)),
    "fixed_orientation": (LOWER_PAIR, (0, 0, 0, 1, 1, 1)),
    "revolute": (LOWER_PAIR, (1, 1, 1, 1, 1, 0)),
    "cylindrical": (LOWER_PAIR, (1, 1, 0, 1, 1, 0)),
    "planar": (LOWER_PAIR, (0, 0, 1, 1, 1, 0)),
    "free_revolute": (LOWER_PAIR, (0, 0, 0, 1, 1, 0)),
    "spherical": (LOWER_PAIR, (1, 1, 1, 0, 0, 0)),
    "cylindrical_free": (LOWER_PAIR, (1, 1, 0, 0, 0, 0)),
    "planar_free": (LOWER_PAIR, (0, 0, 1, 0, 0, 0)),
    "floating": (LOWER_PAIR, (0, 0, 0, 0, 0, 0)),
    "universal": (UNIVERSAL, (1, 1, 1, 0, 0, 1)),
    "screw": (SCREW, (1, 1, 1, 1, 1, 0)),
}


def unit_quaternions(rng: np.random.Generator, n: int) -> np.ndarray:
    """(n, 4) uniformly random turns."""
    q = rng.normal(size=(n, 4))
    return q / np.linalg.norm(q, axis=1, keepdims=True)


def sizes(name: str) -> tuple[int, int]:
    """(coordinates, rates) of a joint kind; nothing for those without coordinates."""
    kind, locked = KINDS[name]
    if kind == UNIVERSAL:
        return 2, 2
    if kind == SCREW:
        return 1, 1
    translations = locked[:3].count(0)
    coordinates, rates = {3: (0, 0), 2: (1, 1), 0: (4, 3)}[sum(locked[3:])]
    return translations + coordinates, translations + rates


def random_system(
    rng: np.random.Generator,
    tree: Sequence[str],
    loops: Sequence[str] = (),
    *,
    chain: bool = False,
    one_root: bool = False,
    options: bool = False,
    reversals: bool = True,
    springs: int = 0,
) -> System:
    """One body per name in ``tree``; ``loops`` are joints between random bodies, ``springs`` unlocked distances.

    A ``chain`` hangs every body on the one before; with ``one_root`` only the first body hangs on the world.
    ``options`` gives every free component a spring, a damper and an armature (springs and dampers only in loops).
    """
    n = len(tree)
    names = [*tree, *loops]
    m = len(names) + springs
    parents = np.zeros(m, np.int64)
    children = np.zeros(m, np.int64)
    tree_parent = np.zeros(n, np.int64)
    reverse = np.zeros(n, np.int64)
    order = rng.permutation(n)  # bodies are not numbered in tree order
    for i in range(n):
        origin = n if i == 0 else order[i - 1] if chain else rng.choice([*order[:i]] if one_root else [n, *order[:i]])
        tree_parent[i] = origin
        reverse[i] = int(reversals and rng.random() < 0.4)
        parents[i], children[i] = (order[i], origin) if reverse[i] else (origin, order[i])
    for j in range(n, m):
        parents[j], children[j] = rng.choice(n + 1, 2, replace=False)
    kind = np.array([KINDS[name][0] for name in names] + [DISTANCE] * springs, np.int64)
    locked = np.array([KINDS[name][1] for name in names] + [(0,) * 6] * springs, np.int64).reshape(m, 6)
    n_q = np.array([sizes(name)[0] for name in names] + [0] * springs, np.int64)
    n_v = np.array([sizes(name)[1] for name in names] + [0] * springs, np.int64)
    inertia = np.zeros((n + 1, 3, 3))
    for i in range(n):
        a = rng.normal(size=(3, 3))
        second_moment = a @ a.T + 0.1 * np.eye(3)
        inertia[i] = np.trace(second_moment) * np.eye(3) - second_moment
    free = (locked == 0).astype(float)
    free[kind == DISTANCE, 1:] = 0.0
    in_tree = (np.arange(m) < n)[:, None]
    on = 1.0 if options else 0.0
    return System(
        gravity=rng.normal(size=3) * 5.0,
        mass=np.append(rng.uniform(0.5, 2.0, n), 0.0),
        inertia=inertia,
        joint_kind=kind,
        joint_parent=parents,
        joint_child=children,
        parent_point=rng.normal(size=(m, 3)) * 0.5,
        parent_frame=unit_quaternions(rng, m),
        child_point=rng.normal(size=(m, 3)) * 0.5,
        child_frame=unit_quaternions(rng, m),
        locked=locked,
        parameter=np.where(kind == SCREW, rng.normal(size=m) * 0.3, 0.0),
        offset=np.zeros(m),
        gear_joint=np.full((m, 2), -1, np.int64),
        gear_component=np.full((m, 2), -1, np.int64),
        product_start=np.zeros(m + 1, np.int64),
        product_factor=np.zeros((0, 6), np.int64),
        product_data=np.zeros(0),
        stiffness=on * free * rng.uniform(0.0, 9.0, (m, 6)),
        damping=on * free * rng.uniform(0.0, 2.0, (m, 6)),
        rest=on * free * rng.uniform(-0.5, 0.5, (m, 6)),
        armature=on * free * rng.uniform(0.0, 1.0, (m, 6)) * in_tree,
        incidence_start=np.arange(0, 2 * m + 1, 2),
        incidence_body=np.column_stack([parents, children]).ravel(),
        q_start=np.cumsum(n_q) - n_q,
        v_start=np.cumsum(n_v) - n_v,
        n_coordinates=n_q,
        n_rates=n_v,
        n_q=int(n_q[:n].sum()),
        n_v=int(n_v[:n].sum()),
        tree_joint=np.arange(n),
        tree_body=order,
        tree_parent=tree_parent,
        tree_reversed=reverse,
        loop_joint=np.arange(n, m),
    )


def quaternion_starts(system: System) -> list[int]:
    """Where in the coordinates of all joints a quaternion begins."""
    found = []
    for j in range(system.joint_kind.size):
        if system.n_coordinates[j] > system.n_rates[j]:
            found.append(int(system.q_start[j] + system.n_coordinates[j] - 4))
    return found


def random_state(rng: np.random.Generator, system: System) -> tuple[np.ndarray, np.ndarray]:
    """Minimal coordinates and rates; angles reach over several turns."""
    q = rng.uniform(-7.0, 7.0, system.n_q)
    for k in quaternion_starts(system):
        if k < system.n_q:
            q[k : k + 4] = unit_quaternions(rng, 1)[0]
    return q, rng.normal(size=system.n_v)


def move_coordinates(system: System, q: np.ndarray, v: np.ndarray, h: float) -> np.ndarray:
    """q moved along constant rates v for the time h, turns on the group (an independent spelling, for differences)."""
    out = q.copy()
    for j in system.tree_joint:
        k, r = system.q_start[j], system.v_start[j]
        n_angles = system.n_rates[j] - 3 if system.n_coordinates[j] > system.n_rates[j] else system.n_rates[j]
        out[k : k + n_angles] += h * v[r : r + n_angles]
        if system.n_coordinates[j] > system.n_rates[j]:
            u = 0.5 * h * v[r + n_angles : r + n_angles + 3]
            t = float(np.linalg.norm(u))
            w, x = np.cos(t), u * np.sinc(t / np.pi)
            p = q[k + n_angles : k + n_angles + 4]
            out[k + n_angles] = p[0] * w - p[1:] @ x
            out[k + n_angles + 1 : k + n_angles + 4] = p[0] * x + w * p[1:] + np.cross(p[1:], x)
    return out


def floating_twin(system: System) -> System:
    """The same mechanism with every body floating in the world and all its joints closing loops."""
    n, m = system.tree_joint.size, system.joint_kind.size
    bodies, world = np.arange(n), np.full(n, n)

    def stack(first: object, rest: np.ndarray) -> np.ndarray:
        return np.concatenate([np.broadcast_to(np.asarray(first, rest.dtype), (n, *rest.shape[1:])), rest])

    unit = (1.0, 0.0, 0.0, 0.0)
    n_q, n_v = stack(7, system.n_coordinates), stack(6, system.n_rates)
    return system._replace(
        joint_kind=stack(LOWER_PAIR, system.joint_kind),
        joint_parent=np.concatenate([world, system.joint_parent]),
        joint_child=np.concatenate([bodies, system.joint_child]),
        parent_point=stack(0, system.parent_point),
        parent_frame=stack(unit, system.parent_frame),
        child_point=stack(0, system.child_point),
        child_frame=stack(unit, system.child_frame),
        locked=stack(0, system.locked),
        parameter=stack(0, system.parameter),
        offset=stack(0, system.offset),
        gear_joint=stack(-1, system.gear_joint),
        gear_component=stack(-1, system.gear_component),
        product_start=np.concatenate([np.zeros(n, np.int64), system.product_start]),
        stiffness=stack(0, system.stiffness),
        damping=stack(0, system.damping),
        rest=stack(0, system.rest),
        armature=stack(0, system.armature),
        incidence_start=np.arange(0, 2 * (n + m) + 1, 2),
        incidence_body=np.concatenate([np.column_stack([world, bodies]).ravel(), system.incidence_body]),
        q_start=np.cumsum(n_q) - n_q,
        v_start=np.cumsum(n_v) - n_v,
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


class Bodies:
    """Poses and velocities of all bodies with the world's row, from minimal coordinates."""

    def __init__(self, system: System, q: np.ndarray, v: np.ndarray | None = None) -> None:
        from dalembert.mechanics.kinematics import move_bodies, place_bodies

        rows = system.mass.size
        self.position, self.orientation = np.full((rows, 3), np.nan), np.full((rows, 4), np.nan)
        self.velocity, self.angular_velocity = np.full((rows, 3), np.nan), np.full((rows, 3), np.nan)
        place_bodies(system, q, self.position, self.orientation)
        if v is not None:
            move_bodies(system, q, v, self.position, self.orientation, self.velocity, self.angular_velocity)

    @property
    def pose(self) -> tuple[np.ndarray, np.ndarray]:
        return self.position, self.orientation

    @property
    def motion(self) -> tuple[np.ndarray, np.ndarray]:
        return self.velocity, self.angular_velocity
