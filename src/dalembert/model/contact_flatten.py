"""From contacts by name to flat arrays."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np

from dalembert.model.bodies import rotation_matrix
from dalembert.model.contact_filters import partners
from dalembert.model.contact_geometry import (
    BOX,
    CAPSULE,
    CYLINDER,
    ELLIPSOID,
    HALF_SPACE,
    HEIGHT_FIELD,
    MESH,
    SPHERE,
    ContactGeometry,
)
from dalembert.model.mesh import ConvexMesh
from dalembert.model.polytope import Polytope, box, hull
from dalembert.model.record import Body, Contact, Joint
from dalembert.model.shapes import Box, Capsule, Cylinder, Ellipsoid, Part, Shape, Sphere
from dalembert.model.surfaces import HalfSpace, HeightField, Point
from dalembert.model.system import Floats
from dalembert.model.terrain import terrain

_NO_EDGES = np.zeros((0, 2), dtype=np.int64)


class _Geom:
    """One shape on its way into the arrays, in its own axes."""

    def __init__(self, kind: int, corners: Sequence[Sequence[float]] | Floats = (), *, radius: float = 0.0) -> None:
        self.kind = kind
        self.radius = radius
        self.size = np.zeros(3)
        self.solid = Polytope(np.array(corners, dtype=float).reshape(-1, 3), _NO_EDGES, _NO_EDGES, [], np.zeros((0, 3)))
        self.face_points = np.zeros((0, 3))
        self.center = np.zeros(3)
        self.reach = radius
        self.heights = np.zeros((0, 0))
        self.spacing = np.zeros(2)


def flatten_contacts(contacts: Sequence[Contact], bodies: Sequence[Body], joints: Sequence[Joint]) -> ContactGeometry:
    """The arrays of all contacts."""
    number = {body.name: body.index for body in bodies}
    parts = [(contact, part) for contact in contacts for part in contact.parts]
    geoms = [_geom(part.shape) for _, part in parts]
    corners, edges, sides, normals, face_points, outlines, centers = [], [], [], [], [], [], []
    n_corners = n_faces = 0
    for geom, (_, part) in zip(geoms, parts, strict=True):
        place, turn = np.asarray(part.position, float), rotation_matrix(np.asarray(part.orientation, float))
        solid = geom.solid
        corners.append(solid.corners @ turn.T + place)
        edges.append(solid.edges + n_corners)
        sides.append(np.where(solid.edge_faces >= 0, solid.edge_faces + n_faces, -1))
        normals.append(solid.normals @ turn.T)
        face_points.append(geom.face_points @ turn.T + place)
        outlines.extend(face + n_corners for face in solid.faces)
        centers.append(turn @ geom.center + place)
        n_corners += len(solid.corners)
        n_faces += len(solid.normals)
    choosy, wanted, barred = partners(contacts, joints)
    return ContactGeometry(
        kind=_integers([geom.kind for geom in geoms]),
        body=_integers([number.get(contact.body, len(bodies)) for contact, _ in parts]),
        contact=_integers([contact.index for contact, _ in parts]),
        point=_rows([part.position for _, part in parts], 3),
        frame=_rows([part.orientation for _, part in parts], 4),
        size=_rows([geom.size for geom in geoms], 3),
        radius=_floats([geom.radius for geom in geoms]),
        center=_rows(centers, 3),
        reach=_floats([geom.reach for geom in geoms]),
        corner_start=_starts([len(geom.solid.corners) for geom in geoms]),
        corner=_joined(corners, 3),
        edge_start=_starts([len(geom.solid.edges) for geom in geoms]),
        edge=_integers(_joined(edges, 2)),
        edge_face=_integers(_joined(sides, 2)),
        face_start=_starts([len(geom.solid.normals) for geom in geoms]),
        face_normal=_joined(normals, 3),
        face_point=_joined(face_points, 3),
        outline_start=_starts([len(face) for face in outlines]),
        outline=_integers(np.concatenate(outlines) if outlines else []),
        height_start=_starts([geom.heights.size for geom in geoms]),
        height=_floats(np.concatenate([geom.heights.ravel() for geom in geoms]) if geoms else []),
        grid=_integers(_rows([geom.heights.shape for geom in geoms], 2)),
        spacing=_rows([geom.spacing for geom in geoms], 2),
        friction=_surface(parts, "friction"),
        restitution=_surface(parts, "restitution"),
        torsional=_floats([contact.torsional_friction for contact, _ in parts]),
        rolling=_floats([contact.rolling_friction for contact, _ in parts]),
        compliance=_floats([1.0 / contact.stiffness if contact.stiffness else 0.0 for contact, _ in parts]),
        damping=_floats([contact.damping for contact, _ in parts]),
        choosy=_integers(choosy),
        wanted_start=_starts([len(own) for own in wanted]),
        wanted=_integers(list(chain.from_iterable(wanted))),
        barred_start=_starts([len(own) for own in barred]),
        barred=_integers(list(chain.from_iterable(barred))),
    )


def _geom(shape: Shape) -> _Geom:
    """A shape in its own axes."""
    if isinstance(shape, Point):
        return _Geom(SPHERE, [(0.0, 0.0, 0.0)])
    if isinstance(shape, Sphere):
        return _Geom(SPHERE, [(0.0, 0.0, 0.0)], radius=float(shape.radius))
    if isinstance(shape, Capsule):
        half = 0.5 * shape.length
        geom = _Geom(CAPSULE, [(0.0, 0.0, -half), (0.0, 0.0, half)], radius=float(shape.radius))
        geom.solid = geom.solid._replace(edges=np.array([[0, 1]]), edge_faces=np.array([[-1, -1]]))
        geom.reach = half + geom.radius
        return geom
    if isinstance(shape, Box):
        geom = _Geom(BOX)
        geom.size = 0.5 * np.array([shape.x, shape.y, shape.z], dtype=float)
        return _flat(geom, box(geom.size))
    if isinstance(shape, ConvexMesh):
        return _flat(_Geom(MESH), hull(*shape.hull))
    if isinstance(shape, HalfSpace):
        geom = _Geom(HALF_SPACE)
        # a face without corners
        geom.solid = geom.solid._replace(faces=[np.zeros(0, dtype=np.int64)], normals=np.array([[0.0, 0.0, 1.0]]))
        geom.face_points = np.zeros((1, 3))
        geom.reach = np.inf
        return geom
    if isinstance(shape, HeightField):
        geom = _Geom(HEIGHT_FIELD)
        geom.heights, geom.spacing = shape.grid
        geom.solid = terrain(geom.heights, geom.spacing)
        geom.face_points = geom.solid.corners[[face[0] for face in geom.solid.faces]]
        extent = 0.5 * (np.array(geom.heights.shape) - 1) * geom.spacing
        geom.size[:] = *extent, geom.heights.max()
        low = geom.heights.min()
        geom.center[2] = 0.5 * (low + geom.size[2])
        geom.reach = float(np.sqrt(extent @ extent + (0.5 * (geom.size[2] - low)) ** 2))
        return geom
    if isinstance(shape, Cylinder):
        geom = _Geom(CYLINDER)
        geom.size[:2] = shape.radius, 0.5 * shape.length
        geom.reach = float(np.hypot(geom.size[0], geom.size[1]))
        return geom
    if isinstance(shape, Ellipsoid):
        geom = _Geom(ELLIPSOID)
        geom.size[:] = shape.x, shape.y, shape.z
        geom.reach = float(geom.size.max())
        return geom
    raise TypeError(f"{type(shape).__name__} has no surface that contact knows")


def _flat(geom: _Geom, solid: Polytope) -> _Geom:
    geom.solid = solid
    geom.face_points = solid.corners[[face[0] for face in solid.faces]]
    geom.center = 0.5 * (solid.corners.min(axis=0) + solid.corners.max(axis=0))
    geom.reach = float(np.linalg.norm(solid.corners - geom.center, axis=1).max())
    return geom


def _surface(parts: Sequence[tuple[Contact, Part]], name: str) -> Floats:
    """Friction or restitution: the contact's own, else its material's, else −1."""
    values = []
    for contact, part in parts:
        own, material = getattr(contact, name), part.material
        values.append(own if own is not None else (getattr(material, name) if material is not None else -1.0))
    return _floats(values)


def _integers(values: object) -> np.ndarray:
    return np.array(values, dtype=np.int64)


def _floats(values: object) -> Floats:
    return np.array(values, dtype=np.float64)


def _rows(values: Sequence[object], columns: int) -> Floats:
    return np.array(values, dtype=np.float64).reshape(-1, columns)


def _joined(blocks: Sequence[np.ndarray], columns: int) -> np.ndarray:
    return _floats(np.concatenate(blocks) if blocks else np.zeros((0, columns)))


def _starts(sizes: Sequence[int]) -> np.ndarray:
    return _integers(np.concatenate(([0], np.cumsum(sizes))) if sizes else [0])
