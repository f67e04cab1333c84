"""Deformables: chains of point masses and springs, coupled to rigid bodies. [Sueda 2021] section 2.7.

A free node is a point mass with three coordinates of its own, its place in the world: the identity block of eq. (2.96).
An attached node is welded to its body, whose Jacobian carries its mass. Between two nodes lies a spring with
V = ½ EA L ε², ε = (l − L)/L; the text's constant is K = EA L, which would change with the number of nodes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from dalembert.errors import ModelError
from dalembert.model.checks import Findings, VectorLike, read_number, shown
from dalembert.model.declaration import WORLD
from dalembert.model.joints import Fixed, FixedOrientation
from dalembert.model.system import Floats

if TYPE_CHECKING:
    from dalembert.model.builder import ModelBuilder

NODE_SIZE = 1e-4
"""Radius of gyration of a node over the length of the chain. A free node never turns; an attached one turns with its
body and adds 1e-8 of what its place adds."""


def add_spring_chain(
    builder: ModelBuilder,
    name: str,
    points: Sequence[VectorLike] | Floats,
    *,
    mass: float,
    stiffness: float,
    damping: float = 0.0,
    attached: Mapping[int, str] | None = None,
    rest_length: float | None = None,
) -> tuple[str, ...]:
    """Add a deformable chain: nodes at points, springs and dampers between neighbours, attached to bodies or free.

    Its nodes are bodies of the model, its springs are springs: every integrator takes them, and the implicit ones
    (`BDF1`, `BDF2`, `SDIRK2`) however stiff they are.

    Args:
        builder: where to add it; the bodies that it is attached to are there already.
        name: nodes are called ``name.0``, ``name.1`` … with a joint of the same name, springs ``name.0-1`` ….
        points: (n, 3) where the nodes are in the world at the reference configuration, m.
        mass: of the whole chain, kg; half of each segment's share goes to each of its two nodes.
        stiffness: EA, N: force over strain.
        damping: force over rate of strain, N s.
        attached: by the number of a node (negative ones count from the end), the body it is attached to, or "world".
        rest_length: of the whole chain, m; shared out as the points are spaced. Without it, the chain is at rest there.

    Returns:
        The names of the nodes, which are those of their bodies and joints.
    """
    places, held = _checked(name, points, mass, stiffness, damping, attached or {}, rest_length)
    lengths = np.linalg.norm(np.diff(places, axis=0), axis=1)
    total = float(lengths.sum())
    shares = mass * lengths / total
    masses = 0.5 * (np.append(shares, 0.0) + np.append(0.0, shares))
    rests = lengths if rest_length is None else lengths * (rest_length / total)
    names = tuple(f"{name}.{i}" for i in range(len(places)))
    for i, (node, place) in enumerate(zip(names, places, strict=True)):
        inertia = float(masses[i]) * (NODE_SIZE * total) ** 2
        builder.add_body(node, mass=float(masses[i]), inertia=(inertia,) * 3, position=place)
        body = held.get(i)
        if body is None:
            builder.add_joint(node, FixedOrientation(), parent=WORLD, child=node)
        else:
            builder.add_joint(node, Fixed(), parent=body, child=node)
    for i, (one, other) in enumerate(pairwise(names)):
        builder.add_spring(
            f"{name}.{i}-{i + 1}",
            one,
            other,
            points=(places[i], places[i + 1]),
            stiffness=stiffness / float(rests[i]),
            damping=damping / float(rests[i]),
            rest_length=float(rests[i]),
        )
    return names


def _checked(
    name: str,
    points: Sequence[VectorLike] | Floats,
    mass: float,
    stiffness: float,
    damping: float,
    attached: Mapping[int, str],
    rest_length: float | None,
) -> tuple[Floats, dict[int, str]]:
    """(the nodes, the bodies that some of them are attached to)."""
    findings, item = Findings(), f'spring chain "{name}"'
    read_number(findings, f"{item}, mass", mass, "a positive mass in kg", least=0.0, open_end=True)
    read_number(findings, f"{item}, stiffness", stiffness, "a positive EA in N", least=0.0, open_end=True)
    read_number(findings, f"{item}, damping", damping, "a number from 0 in N s", least=0.0, open_end=False)
    if rest_length is not None:
        read_number(findings, f"{item}, rest_length", rest_length, "a positive length in m", least=0.0, open_end=True)
    try:
        places = np.array(points, dtype=np.float64)
    except (TypeError, ValueError):
        places = np.zeros(0)
    if places.ndim != 2 or places.shape[1:] != (3,) or len(places) < 2 or not np.isfinite(places).all():
        findings.add(f"{item}, points", "two or more points in the world", shown(points))
    elif not np.linalg.norm(np.diff(places, axis=0), axis=1).min() > 0.0:
        findings.add(f"{item}, points", "neighbours that are apart", "two that coincide")
    held: dict[int, str] = {}
    for node, body in attached.items():
        if not isinstance(node, int) or not -len(places) <= node < len(places):
            findings.add(f"{item}, attached", f"numbers of its {len(places)} nodes", shown(node))
        else:
            held[node % len(places)] = body
    if findings.lines:
        raise ModelError(*findings.lines)
    return places, held
