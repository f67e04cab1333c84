"""MuJoCo's equality constraints as joints that close loops: they hold exactly here, not as stiff springs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dalembert.formats.mjcf.compiled import Compiled
from dalembert.formats.mjcf.placing import HINGE, SLIDE, Placed, pose_of_arrays
from dalembert.formats.pose import Pose, in_world
from dalembert.formats.xml_reader import Remarks
from dalembert.model.builder import ModelBuilder
from dalembert.model.frame import Frame
from dalembert.model.joints import Fixed, Gear, Spherical
from dalembert.model.system import Floats

CONNECT, WELD, JOINT, TENDON = 0, 1, 2, 3
"""The numbers of MuJoCo's types of equality that map."""
_TAGS = ("connect", "weld", "joint", "tendon", "flex")


def active_equalities(compiled: Compiled) -> list[int]:
    """Equalities that hold from the start."""
    if compiled.disabled("EQUALITY") or compiled.disabled("CONSTRAINT"):
        return []
    return [e for e in range(compiled.model.neq) if compiled.model.eq_active0[e]]


def maps(compiled: Compiled, equality: int) -> bool:
    """Whether an equality has a counterpart: points and frames held together, joints coupled linearly."""
    model = compiled.model
    kind = int(model.eq_type[equality])
    if kind == TENDON:
        return _tendon_coupling(compiled, equality) is not None
    if kind != JOINT:
        return kind in (CONNECT, WELD)
    return not np.any(model.eq_data[equality, 2:5])


def _tendon_coupling(compiled: Compiled, equality: int) -> tuple[int, int, float] | None:
    """(joint, other joint, ratio) where a tendon that adds up two joints keeps its length; None for other tendons."""
    model = compiled.model
    tendon, second = int(model.eq_obj1id[equality]), int(model.eq_obj2id[equality])
    first, count = int(model.tendon_adr[tendon]), int(model.tendon_num[tendon])
    wraps = range(first, first + count)
    kind = int(compiled.mujoco.mjtWrap.mjWRAP_JOINT)
    alone = second < 0 and model.eq_data[equality, 0] == 0.0
    if not alone or count != 2 or any(int(model.wrap_type[w]) != kind or not model.wrap_prm[w] for w in wraps):
        return None
    joints = [int(model.wrap_objid[w]) for w in wraps]
    return joints[0], joints[1], float(model.wrap_prm[first + 1] / model.wrap_prm[first])


def closed_groups(compiled: Compiled, placed: Placed, equality: int) -> list[tuple[int, int]]:
    """The groups that an equality which maps brings together, in pairs."""
    model = compiled.model
    kind = int(model.eq_type[equality])
    if kind in (CONNECT, WELD):
        (parent, _), (child, _) = _frames(compiled, placed, equality)
        return [(parent, child)]
    coupled = (int(model.eq_obj1id[equality]), int(model.eq_obj2id[equality]))
    if kind == TENDON:
        coupling = _tendon_coupling(compiled, equality)
        assert coupling is not None
        coupled = coupling[:2]
    # a coupling takes hold of both bodies of both joints
    sides = [(joint.parent, joint.child) for joint in placed.joints if joint.index in coupled]
    return [*sides, (sides[0][1], sides[-1][1])]


def reference_configuration(compiled: Compiled, equalities: Sequence[int]) -> Floats:
    """(nq,) MuJoCo's reference configuration, with coupled joints where their coupling wants them."""
    model = compiled.model
    q = np.array(model.qpos0, dtype=np.float64)
    for equality in equalities:
        if int(model.eq_type[equality]) == JOINT and maps(compiled, equality):
            first = int(model.jnt_qposadr[model.eq_obj1id[equality]])
            second = int(model.eq_obj2id[equality])
            at = int(model.jnt_qposadr[second]) if second >= 0 else -1
            other = float(q[at] - model.qpos0[at]) if second >= 0 else 0.0
            q[first] = model.qpos0[first] + model.eq_data[equality, 0] + model.eq_data[equality, 1] * other
    return q


def add_equality(
    compiled: Compiled, placed: Placed, equality: int, active: bool, builder: ModelBuilder, remarks: Remarks
) -> None:
    """One equality as a joint, or a note about why not."""
    model = compiled.model
    name, place = compiled.name("equality", equality), compiled.place("equality", equality, *_TAGS)
    if not active:
        remarks.note(place, f'equality "{name}": not mapped (it is switched off)')
        return
    if not maps(compiled, equality):
        reason = "couples joints by a curve" if int(model.eq_type[equality]) == JOINT else "is not between two joints"
        remarks.note(place, f'equality "{name}": not mapped (it {reason})')
        return
    if int(model.eq_type[equality]) == JOINT:
        _add_coupling(compiled, placed, equality, name, place, builder, remarks)
        return
    coupling = _tendon_coupling(compiled, equality) if int(model.eq_type[equality]) == TENDON else None
    if coupling is not None:
        one, other, ratio = coupling
        builder.add_joint(name, Gear(ratio), parent=compiled.name("joint", one), child=compiled.name("joint", other))
        return
    (parent, a), (child, b) = _frames(compiled, placed, equality)
    if parent == child or (placed.groups[parent].fixed and placed.groups[child].fixed):
        remarks.note(place, f'equality "{name}": not mapped (both sides are one body)')
        return
    builder.add_joint(
        name,
        Spherical() if int(model.eq_type[equality]) == CONNECT else Fixed(),
        parent=placed.body(parent),
        child=placed.body(child),
        parent_frame=Frame(*placed.groups[parent].local(a)),
        child_frame=Frame(*placed.groups[child].local(b)),
        closes_loop=True,
    )


def _frames(compiled: Compiled, placed: Placed, equality: int) -> tuple[tuple[int, Pose], tuple[int, Pose]]:
    """(group, frame in the world) of both sides.

    MuJoCo keeps the anchors of a connect in the axes of the first and the second body. Of a weld it keeps the anchor in
    the second body, then the same point and the second body's axes in the first one.
    """
    model = compiled.model
    first, second = int(model.eq_obj1id[equality]), int(model.eq_obj2id[equality])
    if int(model.eq_objtype[equality]) == int(compiled.mujoco.mjtObj.mjOBJ_SITE):
        sites = [
            (int(model.site_bodyid[s]), pose_of_arrays(model.site_pos[s], model.site_quat[s])) for s in (first, second)
        ]
        (first, a), (second, b) = sites
    else:
        data = model.eq_data[equality]
        if int(model.eq_type[equality]) == CONNECT:
            a, b = pose_of_arrays(data[0:3]), pose_of_arrays(data[3:6])
        else:
            a, b = pose_of_arrays(data[3:6], data[6:10]), pose_of_arrays(data[0:3])
    return (
        (placed.group_of[first], in_world(placed.poses[first], a)),
        (placed.group_of[second], in_world(placed.poses[second], b)),
    )


def _add_coupling(
    compiled: Compiled, placed: Placed, equality: int, name: str, place: str, builder: ModelBuilder, remarks: Remarks
) -> None:
    """q₁ − ref₁ = a₀ + a₁ (q₂ − ref₂), or q₁ = ref₁ + a₀ where there is no second joint; it holds at the reference."""
    model = compiled.model
    first, second = int(model.eq_obj1id[equality]), int(model.eq_obj2id[equality])
    names = [compiled.name("joint", joint) for joint in (first, second) if joint >= 0]
    if any(int(model.jnt_type[joint]) not in (HINGE, SLIDE) for joint in (first, second) if joint >= 0):
        remarks.note(place, f'equality "{name}": not mapped (a joint has several coordinates)')
        return
    slope = float(model.eq_data[equality, 1])
    if second >= 0 and slope != 0.0:
        builder.add_joint(name, Gear(-slope), parent=names[0], child=names[1])
        return
    joint = next(joint for joint in placed.joints if joint.index == first)
    parent, child = placed.groups[joint.parent], placed.groups[joint.child]
    builder.add_joint(
        name,
        Fixed(),
        parent=placed.body(joint.parent),
        child=placed.body(joint.child),
        parent_frame=Frame(*parent.local(joint.child_frame)),
        child_frame=Frame(*child.local(joint.child_frame)),
        closes_loop=True,
    )
