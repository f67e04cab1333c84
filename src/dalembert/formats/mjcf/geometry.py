"""MuJoCo's geoms as shapes of bodies and as surfaces that touch."""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.formats.mjcf.compiled import Compiled
from dalembert.formats.mjcf.placing import Placed, pose_of_arrays
from dalembert.formats.pose import Pose, in_world
from dalembert.formats.xml_reader import Remarks
from dalembert.model.builder import ModelBuilder
from dalembert.model.mesh import ConvexMesh
from dalembert.model.shapes import Box, Capsule, Cylinder, Ellipsoid, Part, Shape, Sphere
from dalembert.model.surfaces import HalfSpace

PLANE, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH = 0, 2, 3, 4, 5, 6, 7
"""The numbers of MuJoCo's geom types that map."""
VISIBLE = 3
"""Geoms of groups below this are shown by MuJoCo."""


def body_parts(compiled: Compiled, placed: Placed, remarks: Remarks) -> dict[int, list[Part]]:
    """What the bodies look like, by group: their geoms in MuJoCo's visible groups, or all where there are none."""
    model = compiled.model
    shown: dict[int, list[Part]] = {}
    hidden: dict[int, list[Part]] = {}
    for geom in range(model.ngeom):
        number = placed.group_of[int(model.geom_bodyid[geom])]
        group = placed.groups[number]
        if group.fixed:
            continue
        shape = shape_of(model, geom)
        if shape is None:
            name = compiled.name("geom", geom)
            remarks.note(compiled.place("geom", geom), f'geom "{name}": its shape is not mapped')
            continue
        position, orientation = group.local(_pose(compiled, placed, geom))
        part = Part(shape, tuple(position.tolist()), tuple(orientation.tolist()))
        (shown if int(model.geom_group[geom]) < VISIBLE else hidden).setdefault(number, []).append(part)
    return hidden | shown


def shape_of(model: Any, geom: int) -> Shape | None:
    """The shape of a geom in its own axes; None for terrain, distance fields and what has no volume."""
    x, y, z = (float(value) for value in model.geom_size[geom])
    kind = int(model.geom_type[geom])
    if kind == SPHERE:
        return Sphere(x)
    if kind == CAPSULE:
        return Capsule(x, 2.0 * y)
    if kind == ELLIPSOID:
        return Ellipsoid(x, y, z)
    if kind == CYLINDER:
        return Cylinder(x, 2.0 * y)
    if kind == BOX:
        return Box(2.0 * x, 2.0 * y, 2.0 * z)
    if kind == MESH:
        mesh = int(model.geom_dataid[geom])
        first = int(model.mesh_vertadr[mesh])
        return ConvexMesh(np.array(model.mesh_vert[first : first + int(model.mesh_vertnum[mesh])], dtype=np.float64))
    return None


def add_contacts(compiled: Compiled, placed: Placed, builder: ModelBuilder, remarks: Remarks) -> None:
    """Every geom that can touch as a contact. Neighbours in the tree do not touch, as in MuJoCo."""
    model = compiled.model
    for geom in range(model.ngeom):
        if not (model.geom_contype[geom] or model.geom_conaffinity[geom]):
            continue
        name = compiled.name("geom", geom)
        number = placed.group_of[int(model.geom_bodyid[geom])]
        shape = HalfSpace() if int(model.geom_type[geom]) == PLANE else shape_of(model, geom)
        if shape is None or (isinstance(shape, HalfSpace) and not placed.groups[number].fixed):
            remarks.note(compiled.place("geom", geom), f'geom "{name}": its contact is not mapped')
            continue
        position, orientation = placed.groups[number].local(_pose(compiled, placed, geom))
        sliding, torsional, rolling = (float(value) for value in model.geom_friction[geom])
        dimension = int(model.geom_condim[geom])
        builder.add_contact(
            placed.body(number),
            shape,
            name=name,
            position=position,
            orientation=orientation,
            friction=sliding if dimension > 1 else 0.0,
            torsional_friction=torsional if dimension > 3 else None,
            rolling_friction=rolling if dimension > 4 else None,
            ignore=_neighbours(placed, number),
        )


def _neighbours(placed: Placed, number: int) -> tuple[str, ...]:
    """The body that carries this one, over the frames without mass between them."""
    parent = placed.groups[number].parent
    while parent is not None and not placed.groups[parent].fixed:
        group = placed.groups[parent]
        if any(piece.massive for piece in group.pieces):
            return (group.main.name,)
        parent = group.parent
    return ()


def _pose(compiled: Compiled, placed: Placed, geom: int) -> Pose:
    model = compiled.model
    local = pose_of_arrays(model.geom_pos[geom], model.geom_quat[geom])
    return in_world(placed.poses[int(model.geom_bodyid[geom])], local)
