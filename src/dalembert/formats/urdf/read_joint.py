"""Joints of the tree and joints that close loops."""

from __future__ import annotations

from typing import Final

from dalembert.formats.urdf import dialects
from dalembert.formats.urdf.read_link import pass_dialect, read_origin
from dalembert.formats.urdf.records import Dynamics, Limit, Mimic, UrdfJoint
from dalembert.formats.xml_reader import Reader
from dalembert.model.checks import suggestion

TYPES: Final = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar", "spherical")
"""``spherical`` is an extension that Drake, PyBullet and others read under this or a similar name."""
LIMITED: Final = ("revolute", "prismatic")
"""Types for which the format demands a ``<limit>``."""
SINGLE: Final = ("revolute", "continuous", "prismatic")
"""Types with one coordinate."""
WITH_AXIS: Final = (*SINGLE, "planar")
X_AXIS: Final = (1.0, 0.0, 0.0)


def read_joint(reader: Reader, *, closes_loop: bool = False) -> UrdfJoint:
    """One ``<joint>`` or ``<loop_joint>``."""
    noun = "loop_joint" if closes_loop else "joint"
    name = reader.text("name")
    reader.item = f'{noun} "{name}"'
    kind = reader.text("type")
    if kind not in TYPES and kind:
        reader.fault("type", "one of " + ", ".join(TYPES), f'"{kind[:60]}"', suggestion(kind, TYPES), attribute="type")
    parent, child = _read_end(reader, "parent"), _read_end(reader, "child")
    axis = reader.child("axis")
    limit = reader.child("limit")
    if limit is None and kind in LIMITED and not closes_loop:
        remedy = 'write <limit effort="…" velocity="…" lower="…" upper="…"/>, or for a hinge type="continuous"'
        reader.fault("", f"a <limit>, as for every {kind} joint", "none", remedy)
    dynamics, mimic = reader.child("dynamics"), reader.child("mimic")
    joint = UrdfJoint(
        name=name,
        type=kind,
        parent=parent,
        child=child,
        origin=read_origin(reader),
        axis=None if axis is None else _read_axis(axis, kind),
        limit=None if limit is None else _read_limit(limit, kind),
        dynamics=None if dynamics is None else _read_dynamics(dynamics),
        mimic=None if mimic is None else _read_mimic(mimic),
        child_origin=read_origin(reader, "child_origin") if closes_loop and reader.child("child_origin") else None,
        closes_loop=closes_loop,
        extras=pass_dialect(reader, dialects.JOINT),
        element=reader.element,
    )
    reader.done()
    return joint


def _read_end(reader: Reader, side: str) -> str:
    end = reader.required_child(side)
    if end is None:
        return ""
    link = end.text("link")
    end.done()
    return link


def _read_axis(reader: Reader, kind: str) -> tuple[float, ...]:
    axis = reader.numbers("xyz", 3, "a direction", X_AXIS)
    if not any(axis) and kind in WITH_AXIS:
        reader.fault("xyz", "a direction", f'"{reader.element.attributes["xyz"]}"', attribute="xyz")
        axis = X_AXIS
    pass_dialect(reader, dialects.AXIS)
    reader.done()
    return axis


def _read_limit(reader: Reader, kind: str) -> Limit:
    unit, effort = ("m", "N") if kind == "prismatic" else ("rad", "N m")
    values: dict[str, float | None] = dict.fromkeys(("lower", "upper", "effort", "velocity"))
    for name in ("lower", "upper"):
        if reader.has(name):
            values[name] = reader.number(name, unit)
    for name, of in (("effort", effort), ("velocity", f"{unit}/s")):
        if reader.has(name):
            values[name] = reader.number(name, of, least=0.0)
        elif kind in LIMITED:
            reader.note(f"{name}: the format demands it, there is none")
    lower, upper = values["lower"] or 0.0, values["upper"] or 0.0
    if kind in LIMITED and (lower > upper or lower == upper != 0.0):
        found = f'lower="{lower:.9g}" upper="{upper:.9g}"'
        remedy = 'for a hinge without limits write type="continuous"; for one that never moves type="fixed"'
        attribute = "lower" if reader.has("lower") else "upper"
        reader.fault("", "a lower limit below the upper one", found, remedy, attribute=attribute)
    pass_dialect(reader, dialects.LIMIT)
    reader.done()
    return Limit(**values, element=reader.element)


def _read_dynamics(reader: Reader) -> Dynamics:
    dynamics = Dynamics(
        reader.number("damping", "N m s/rad or N s/m", 0.0, least=0.0),
        reader.number("friction", "N m or N", 0.0, least=0.0),
        element=reader.element,
    )
    pass_dialect(reader, dialects.DYNAMICS)
    reader.done()
    return dynamics


def _read_mimic(reader: Reader) -> Mimic:
    mimic = Mimic(
        reader.text("joint"),
        reader.number("multiplier", "a factor", 1.0),
        reader.number("offset", "m or rad", 0.0),
        element=reader.element,
    )
    reader.done()
    return mimic
