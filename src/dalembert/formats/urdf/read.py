"""From a URDF file to its records, with all that is wrong in it at once."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dalembert.formats.paths import Reach
from dalembert.formats.urdf import dialects
from dalembert.formats.urdf.read_joint import read_joint
from dalembert.formats.urdf.read_link import pass_dialect, read_link, read_material
from dalembert.formats.urdf.records import Material, Robot
from dalembert.formats.urdf.structure import check_structure
from dalembert.formats.xml_reader import Reader, Remarks
from dalembert.formats.xml_source import Element, parse_xml, read_bytes


def read_robot(path: str | Path, search_paths: Sequence[str | Path], remarks: Remarks) -> Robot:
    """The records of a file.

    Args:
        path: the file.
        search_paths: folders besides the file's own in which ``package://`` and relative references are looked for.
        remarks: takes the notes.

    Raises:
        ModelFileError: with every fault as ``file:line: error: …``.
    """
    path = Path(path)
    root = parse_xml(read_bytes(path), str(path))
    robot = read_elements(root, Reach.of(path, search_paths), remarks)
    remarks.raise_if_any()
    return robot


def read_elements(root: Element, reach: Reach, remarks: Remarks) -> Robot:
    """The records of a parsed file; faults are left in ``remarks``."""
    if root.tag != "robot":
        remarks.fault(root.place(), "", "a <robot>", f"<{root.tag[:60]}>", "is this a URDF file?")
        remarks.raise_if_any()
    reader = Reader(root, "robot", remarks)
    name = reader.text("name")
    for attribute in root.attributes:
        if attribute.startswith("xmlns"):
            # a declaration alone brings nothing with it
            reader.text(attribute, "")
    for child in root.children:
        if child.tag in ("deformable", "soft_body"):
            expected = "rigid bodies"
            remarks.fault(child.place(), "robot", expected, f"<{child.tag}>", "bodies that deform are not simulated")
            reader.children(child.tag)
    materials: dict[str, Material] = {}
    for entry in reader.children("material", "material"):
        material = read_material(entry, materials, reach, defines=True)
        if material.name in materials:
            entry.fault("", "different names", f'a second material "{material.name}"')
        materials[material.name] = material
    # a material that a link describes is known by its name from there on
    known = dict(materials) | _described_materials(root)
    links = [read_link(entry, known, reach) for entry in reader.children("link", "link")]
    joints = [read_joint(entry) for entry in reader.children("joint", "joint")]
    joints += [read_joint(entry, closes_loop=True) for entry in reader.children("loop_joint", "loop_joint")]
    extensions = pass_dialect(reader, dialects.ROBOT)
    reader.done()
    check_structure(root, links, joints, remarks)
    remarks.raise_if_any()
    return Robot(
        name=name,
        links=tuple(links),
        joints=tuple(joints),
        materials=tuple(materials.values()),
        extensions=extensions,
        element=root,
    )


def _described_materials(root: Element) -> dict[str, Material]:
    found = {}
    for link in root.children:
        for visual in link.children:
            for material in visual.children:
                if material.tag == "material" and material.children:
                    name = material.attributes.get("name", "")
                    found[name] = Material(name)
    return found
