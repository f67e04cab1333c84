"""Files with triangles: STL, OBJ and PLY, read by trimesh without anything beside them."""

from __future__ import annotations

import io
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from dalembert.errors import DalembertError, ModelFileError
from dalembert.formats.xml_source import read_bytes
from dalembert.model.mesh import solid_properties
from dalembert.model.shapes import MassProperties
from dalembert.model.system import Floats, Integers

KINDS: Final = (".stl", ".obj", ".ply")
"""Endings that are read. The others can name further files, run code, or hold whole scenes."""
MAX_BYTES: Final = 128 * 2**20


class UnreadableMeshError(Exception):
    """A file that holds no triangles that can be used; ``args`` are expected and found."""


class Triangles(NamedTuple):
    """Corners (k, 3) in metres and triangles (f, 3), each counter-clockwise as seen from outside."""

    corners: Floats
    triangles: Integers
    closed: bool
    """Whether the triangles enclose a volume without gaps."""

    def mass_properties(self, density: float) -> MassProperties:
        """Of the volume that the triangles enclose; ``density`` in kg/m³. Raises `UnreadableMeshError`."""
        if not self.closed:
            raise UnreadableMeshError("triangles that enclose a volume", "a surface with gaps")
        return solid_properties(self.corners, self.triangles, density)


def read_triangles(path: Path, scale: Sequence[float]) -> Triangles:
    """The triangles of a file, scaled along each axis. Raises `UnreadableMeshError`."""
    if path.suffix.lower() not in KINDS:
        raise UnreadableMeshError("a mesh that ends in " + ", ".join(KINDS), f'"{path.suffix}"')
    try:
        trimesh: Any = import_module("trimesh")
    except ImportError:
        raise DalembertError(f"{path}: meshes are read by trimesh; pip install dalembert[robots]") from None
    try:
        data = read_bytes(path, MAX_BYTES)
    except ModelFileError as problem:
        raise UnreadableMeshError("a mesh", problem.findings[0].partition("found ")[2]) from None
    try:
        # from memory and without a resolver, so that materials and pictures beside the file are not opened
        kind = path.suffix[1:].lower()
        mesh = trimesh.load_mesh(io.BytesIO(data), file_type=kind, skip_materials=True, process=False)
        if not np.isfinite(mesh.vertices).all():
            raise ValueError("a corner that is not finite")
        # each triangle of an STL file has corners of its own
        mesh.merge_vertices(merge_tex=True, merge_norm=True)
        corners, triangles = np.array(mesh.vertices, dtype=np.float64), np.array(mesh.faces, dtype=np.int64)
        closed = bool(mesh.is_watertight)
    except Exception as problem:
        # the readers of formats raise whatever damage leads to
        raise UnreadableMeshError("triangles", f"damage ({type(problem).__name__}: {str(problem)[:100]})") from None
    if len(triangles) == 0 or corners.ndim != 2:
        raise UnreadableMeshError("triangles", "none")
    corners *= np.asarray(scale)
    if np.prod(scale) < 0.0:
        # a mirror turns the triangles inside out
        triangles = triangles[:, ::-1]
    return Triangles(corners, triangles, closed)
