"""MuJoCo's tendons: a straight one between two sites is a spring; others have no counterpart."""

from __future__ import annotations

import numpy as np

from dalembert.formats.mjcf.compiled import Compiled
from dalembert.formats.mjcf.placing import Placed, pose_of_arrays
from dalembert.formats.pose import in_world
from dalembert.formats.xml_reader import Remarks
from dalembert.model.builder import ModelBuilder


def add_tendon(compiled: Compiled, placed: Placed, tendon: int, builder: ModelBuilder, remarks: Remarks) -> None:
    """One tendon as a spring, with notes about what of it is lost."""
    model = compiled.model
    name, place = compiled.name("tendon", tendon), compiled.place("tendon", tendon, "spatial", "fixed")
    stiffness = 0.0 if compiled.disabled("SPRING") else float(np.ravel(model.tendon_stiffness[tendon])[0])
    damping = 0.0 if compiled.disabled("DAMPER") else float(np.ravel(model.tendon_damping[tendon])[0])
    lost = []
    if model.tendon_limited[tendon]:
        lost.append("range")
    for what in ("frictionloss", "armature"):
        if float(getattr(model, f"tendon_{what}")[tendon]):
            lost.append(what)
    sites = _two_sites(compiled, tendon)
    low, high = (float(value) for value in model.tendon_lengthspring[tendon])
    if stiffness or damping:
        if sites is None:
            lost.append("spring and damper, which are not between two sites alone")
        elif low != high:
            lost.append("spring with a range of lengths at rest")
        else:
            ends = []
            for site in sites:
                body = int(model.site_bodyid[site])
                pose = in_world(placed.poses[body], pose_of_arrays(model.site_pos[site]))
                ends.append((placed.group_of[body], pose))
            if ends[0][0] != ends[1][0]:
                builder.add_spring(
                    name,
                    placed.body(ends[0][0]),
                    placed.body(ends[1][0]),
                    local_points=[placed.groups[number].local(pose)[0] for number, pose in ends],
                    stiffness=stiffness,
                    damping=damping,
                    rest_length=low,
                )
    if lost:
        remarks.note(place, f'tendon "{name}": not mapped: {", ".join(lost)}')


def _two_sites(compiled: Compiled, tendon: int) -> tuple[int, int] | None:
    """The ends of a tendon that runs straight from one site to another."""
    model = compiled.model
    first, count = int(model.tendon_adr[tendon]), int(model.tendon_num[tendon])
    wraps = range(first, first + count)
    if count != 2 or any(int(model.wrap_type[w]) != int(compiled.mujoco.mjtWrap.mjWRAP_SITE) for w in wraps):
        return None
    return int(model.wrap_objid[first]), int(model.wrap_objid[first + 1])
