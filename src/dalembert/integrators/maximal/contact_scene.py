"""All that contact adds to the memory of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dalembert.contact.features import empty_features
from dalembert.contact.search import Search, empty_search
from dalembert.contact.surface import Found
from dalembert.integrators.maximal.contact_elements import Elements, Memory, empty_elements, empty_memory
from dalembert.integrators.maximal.contact_lines import friction_lines
from dalembert.integrators.maximal.knot import Knot
from dalembert.integrators.maximal.plan import make_knot
from dalembert.linalg.pattern import BlockPattern
from dalembert.model.contact_geometry import ContactGeometry
from dalembert.model.system import Floats, Integers

if TYPE_CHECKING:
    from dalembert.model.model import Model

IMPACT, FRICTION, LIMITS, DRY_FRICTION = 0, 1, 2, 3
"""What energy was lost to."""


class Limited(NamedTuple):
    """Joint coordinates with limits or dry friction."""

    watched: Integers
    """(m, 6) 1 for components that have either, or are rows of the graph."""
    joint: Integers
    """(l,) joints of the limits, lower and upper ones singly."""
    component: Integers
    sign: Floats
    """(l,) 1 for a lower limit, −1 for an upper one."""
    edge: Floats
    """(l,) m or rad."""
    dry_joint: Integers
    """(d,) joints of the components with dry friction."""
    dry_component: Integers
    dry_force: Floats
    """(d,) N or N m."""


class Pairs(NamedTuple):
    """Pairs of bodies, A < B, that have blocks of their own in the matrix."""

    key: Integers
    """(p,) A (n + 1) + B in rising order."""
    upper: Integers
    """(p,) address of the block (A, B)."""
    lower: Integers
    """(p,) address of the block (B, A)."""


class Surfaces(NamedTuple):
    """What the detection needs."""

    geometry: ContactGeometry
    search: Search


class Scene(NamedTuple):
    """Elements and what is remembered of them. Surfaces stand apart, for only the detection reads them."""

    found: Found
    """Features of surfaces."""
    after: Found
    """Those that overlap at the end of an interval."""
    entered: Found
    """Those of them that the interval is solved again with."""
    elements: Elements
    memory: Memory
    limited: Limited
    lines: Floats
    """(m, 3) of a linearised friction cone; none for the exact one. See `contact_lines`."""
    pairs: Pairs
    reach: Floats
    """(n + 1,) largest distance of a surface of each body from its centre of mass, m."""
    margin: Floats
    """(n + 1,) how far any point of a body is allowed to move in the step, m."""
    before: Floats
    """(n + 1, 6) velocities of the interval before the knot."""
    lost: Floats
    """(4,) energy lost so far to impact, friction, limits and dry friction in joints, J."""
    base: Floats
    """(rows,) right-hand side of the bodies and joints alone."""
    exchange: Integers
    """(rows,) exchanged rows of the linear solver's pivots."""
    kick: Floats
    """(n + 1, 6) what impacts at the knot changed the velocities by."""
    knock: Floats
    """(c, 6) their impulses, as ``force``."""
    answers: Floats
    """(16, rows) scratch of an impact: what unit impulses do to the velocities."""
    delassus: Floats
    """(16, 16) likewise what they do to the rates of its contacts."""
    speed: Floats
    """(16,) likewise the rates before."""
    gained: Floats
    """(16,) likewise the impulses."""
    member: Integers
    """(16,) likewise the elements."""
    largest: Floats
    """(3,) complementarity, cone violation and penetration since they were last recorded."""
    force: Floats
    """(c, 6) impulse on each contact of the model in the last step and its moment about the body's centre of mass."""
    touch: Floats
    """(c, 5) smallest gap at the last knot, m; largest slip velocity, m/s; how many points bore load."""
    tally: Integers
    """(6,) where a run of many steps was left: row, step, Newton iterations in the row, in all, parts left of the step,
    parts that the next interval takes."""
    marks: Floats
    """(2,) likewise the largest violation in the row, in all."""
    last: Floats
    """(2,) length of the last interval, and that for which the compliances of the rows stand, s."""
    saved: Knot
    """The knot where the step began."""
    lost_saved: Floats
    """(4,) energy lost until then."""
    momentum: Floats
    """(n + 1, 6) momentum where the interval began."""
    lost_before: Floats
    """(4,) energy lost until then."""
    reaction: Floats
    """(m, 6) impulses of the joints in the intervals of the step so far."""
    nothing: Floats
    """(n + 1,) zeros."""


def limited_joints(model: Model, active: Integers) -> Limited:
    """Limits and dry friction of all joints."""
    joint, component, sign, edge, dry_joint, dry_component, dry_force = ([] for _ in range(7))
    watched = active.copy()
    for record in model.joints.values():
        for c in record.components:
            for s, value in zip((1.0, -1.0), record.limits[c], strict=True):
                if np.isfinite(value):
                    joint.append(record.index)
                    component.append(c)
                    sign.append(s)
                    edge.append(value)
                    watched[record.index, c] = 1
            if record.friction[c] > 0.0:
                dry_joint.append(record.index)
                dry_component.append(c)
                dry_force.append(record.friction[c])
                watched[record.index, c] = 1
    whole, real = np.int64, np.float64
    return Limited(
        watched,
        np.array(joint, whole),
        np.array(component, whole),
        np.array(sign, real),
        np.array(edge, real),
        np.array(dry_joint, whole),
        np.array(dry_component, whole),
        np.array(dry_force, real),
    )


def joint_pairs(model: Model, limited: Limited) -> list[tuple[int, int]]:
    """Bodies that limits and dry friction couple."""
    system, n = model.system, model.n_bodies
    joints = sorted({*limited.joint.tolist(), *limited.dry_joint.tolist()})
    ends = [sorted((int(system.joint_parent[j]), int(system.joint_child[j]))) for j in joints]
    return [(a, b) for a, b in ends if b < n]


def place_pairs(pattern: BlockPattern, pairs: list[tuple[int, int]], n: int) -> Pairs:
    """Where the blocks of the pairs stand."""
    ordered = sorted(set(pairs))
    return Pairs(
        np.array([a * (n + 1) + b for a, b in ordered], np.int64),
        np.array([pattern.block(a, b) for a, b in ordered], np.int64),
        np.array([pattern.block(b, a) for a, b in ordered], np.int64),
    )


def make_scene(
    model: Model, limited: Limited, pairs: Pairs, pattern: BlockPattern, sides: int, room: int = 64
) -> Scene:
    """The memory for a model; ``sides`` of its friction cones, 0 for exact ones."""
    n, contacts, geometry = model.n_bodies, len(model.contacts), model.geometry
    reach = np.zeros(n + 1)
    for g in range(len(geometry.kind)):
        if geometry.body[g] < n:
            far = float(np.linalg.norm(geometry.center[g]) + geometry.reach[g])
            reach[geometry.body[g]] = max(reach[geometry.body[g]], far)
    lines = friction_lines(sides)
    places = _places(room, limited, lines)
    return Scene(
        found=_room_for(room),
        after=_room_for(room),
        entered=_room_for(room),
        elements=empty_elements(places),
        memory=empty_memory(places),
        limited=limited,
        lines=lines,
        pairs=pairs,
        reach=reach,
        margin=np.zeros(n + 1),
        before=np.zeros((n + 1, 6)),
        lost=np.zeros(4),
        base=np.zeros(pattern.n_rows),
        exchange=np.zeros(pattern.n_rows, dtype=np.int64),
        kick=np.zeros((n + 1, 6)),
        knock=np.zeros((contacts, 6)),
        answers=np.zeros((16, pattern.n_rows)),
        delassus=np.zeros((16, 16)),
        speed=np.zeros(16),
        gained=np.zeros(16),
        member=np.zeros(16, dtype=np.int64),
        largest=np.zeros(3),
        force=np.zeros((contacts, 6)),
        touch=np.zeros((contacts, 5)),
        tally=np.zeros(6, dtype=np.int64),
        marks=np.zeros(2),
        last=np.zeros(2),
        saved=make_knot(model.system, int(model.system.n_coordinates.sum())),
        lost_saved=np.zeros(4),
        momentum=np.zeros((n + 1, 6)),
        lost_before=np.zeros(4),
        reaction=np.zeros((model.system.joint_kind.size, 6)),
        nothing=np.zeros(n + 1),
    )


def make_surfaces(model: Model) -> Surfaces:
    """The surfaces of a model."""
    return Surfaces(model.geometry, empty_search(model.geometry))


def _places(room: int, limited: Limited, lines: Floats) -> int:
    """How many elements there can be with that many features."""
    return room * (1 + len(lines)) + limited.joint.size + limited.dry_joint.size


def _room_for(count: int) -> Found:
    features = empty_features(count)
    return Found(features.used, features.missed, features.integers, features.numbers)


def with_room(scene: Scene, room: int) -> Scene:
    """The same scene with room for more features; what is remembered stays."""
    places = _places(room, scene.limited, scene.lines)
    memory = empty_memory(places)
    used = int(scene.memory.used[0])
    memory.used[0] = used
    memory.key[:used], memory.force[:used] = scene.memory.key[:used], scene.memory.force[:used]
    return scene._replace(
        found=_room_for(room),
        after=_room_for(room),
        entered=_room_for(room),
        elements=empty_elements(places),
        memory=memory,
    )
