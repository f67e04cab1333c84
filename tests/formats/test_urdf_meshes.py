"""Meshes of URDF files: opened only when asked for, shown as hulls, weighed by the volume that they enclose."""

from __future__ import annotations

import struct
import time
from pathlib import Path

import numpy as np
import pytest
from formats.sound_urdf import SOUND, line_of

import dalembert as da

pytest.importorskip("trimesh")

CORNERS = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
FACES = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
"""A tetrahedron, seen counter-clockwise from outside."""
OBJ = "".join(f"v {x} {y} {z}\n" for x, y, z in CORNERS) + "".join(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in FACES)
LINK = """<robot name="r"><link name="world"/>
<link name="solid"><collision><geometry>
<mesh filename="{0}" scale="{1}"/>
</geometry><origin xyz="1 2 3" rpy="0 0 1.5707963267948966"/></collision></link>
<joint name="j" type="floating"><parent link="world"/><child link="solid"/></joint></robot>"""


def robot(folder: Path, name: str, content: str | bytes, scale: str = "2 2 2") -> da.Urdf:
    if content:
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    path = folder / "robot.urdf"
    path.write_text(LINK.format(name, scale), encoding="utf-8")
    return da.read_urdf(path)


@pytest.mark.parametrize("scale", ["2 2 2", "-2 2 2"])
def test_a_link_has_the_mass_of_what_its_mesh_encloses(tmp_path: Path, scale: str):
    body = robot(tmp_path, "t.obj", OBJ, scale).build(density=600.0).bodies["solid"]
    # a corner of a cube of 2 m: volume 8/6, centre 1/2 from each face, second moments V s²/10 − V s²/16 about it
    assert body.mass == pytest.approx(800.0, rel=0, abs=1e-10)
    across, product = 800.0 * 4.0 * (1 / 10 - 1 / 16), 800.0 * 4.0 * (1 / 20 - 1 / 16)
    expected = 2.0 * across * np.eye(3) - product * (np.ones((3, 3)) - np.eye(3))
    mirror = np.diag([float(scale.split()[0]) / 2.0, 1.0, 1.0])
    turn = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]) @ mirror
    assert np.abs(body.inertia - turn @ expected @ turn.T).max() < 1e-9
    assert np.abs(body.position - ((1, 2, 3) + turn @ (0.5, 0.5, 0.5))).max() < 1e-12


def test_a_link_without_mass_stays_so_unless_a_density_is_given(tmp_path: Path):
    with pytest.raises(da.ModelFileError, match="expected a mass, because it moves"):
        robot(tmp_path, "t.obj", OBJ).build()
    with pytest.raises(da.ModelFileError, match="density: expected a positive number"):
        robot(tmp_path, "t.obj", OBJ).build(density=-1.0)


def test_a_surface_with_gaps_has_no_mass(tmp_path: Path):
    torn = OBJ[: OBJ.rindex("f ")]
    with pytest.raises(da.ModelFileError, match=r"\.urdf:3: error: mesh \"t\.obj\": expected triangles that enclose"):
        robot(tmp_path, "t.obj", torn).build(density=1.0)


def test_meshes_are_shown_by_their_hulls(tmp_path: Path):
    text = SOUND.replace('<box size="0.1 0.1 1.0"/>', '<mesh filename="meshes/upper.obj" scale="1 1 3"/>')
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes" / "upper.obj").write_text(OBJ, encoding="utf-8")
    path = tmp_path / "robot.urdf"
    path.write_text(text, encoding="utf-8")
    urdf = da.read_urdf(path)
    (part,) = urdf.build(meshes=True).bodies["upper"].parts
    assert isinstance(part.shape, da.ConvexMesh)
    assert sorted(map(tuple, np.asarray(part.shape.vertices).tolist()))[-1] == (1, 0, 0)
    assert np.asarray(part.shape.vertices).max() == 3.0
    assert not urdf.build().bodies["upper"].parts


def flat(count: int) -> bytes:
    return b" " * 80 + struct.pack("<I", count) + b"\0" * 50


DAMAGED = {
    "nothing of this name": ("t.stl", "", "not found in the folder"),
    "a count of four thousand million": ("t.stl", flat(2**32 - 1), "expected triangles"),
    "a corner that is not there": ("t.obj", OBJ + "f 1 2 900000000\n", "expected triangles"),
    "numbers that are none": ("t.obj", OBJ.replace("v 1", "v nan"), "expected triangles"),
    "a pickled array": ("t.npy", b"\x93NUMPY\x01\x00v\x00{'descr': '|O'}", "expected a mesh that ends in"),
    "a scene with references": ("t.dae", "<x/>", "expected a mesh that ends in"),
    "text": ("t.ply", "ply\nformat ascii 1.0\nelement vertex 99999999999\nend_header\n", "expected triangles"),
    "nothing in it": ("t.obj", "# nothing\n", "expected triangles"),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_a_mesh_that_cannot_be_read_is_noted_with_its_line(name: str, tmp_path: Path):
    file, content, said = DAMAGED[name]
    path = robot(tmp_path, file, content).path
    text = path.read_text(encoding="utf-8").replace("</collision>", "</collision><inertial>" + INERTIAL)
    path.write_text(text, encoding="utf-8")
    urdf = da.read_urdf(path)
    begun = time.process_time()
    urdf.build(meshes=True)
    assert time.process_time() - begun < 1.0
    (note,) = urdf.notes
    assert note.place == f"{path}:{line_of(text, '<mesh')}"
    assert said in note.text


INERTIAL = '<mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
