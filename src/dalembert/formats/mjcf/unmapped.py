"""What an MJCF file says and a model does not: nothing of it is dropped in silence."""

from __future__ import annotations

from typing import Final

import numpy as np

from dalembert.formats.mjcf.compiled import Compiled
from dalembert.formats.xml_reader import Remarks

_COUNTED: Final = (
    ("nsensor", "sensors", "read the run instead"),
    ("ncam", "cameras", "they are for pictures"),
    ("nlight", "lights", "they are for pictures"),
    ("nskin", "skins", "they are for pictures"),
    ("nflex", "flexes", "bodies that deform are not simulated"),
    ("nplugin", "plugins", "they are code"),
    ("npair", "contact pairs", "which surfaces touch is for the contacts to say"),
    ("nexclude", "contact exclusions", "which surfaces touch is for the contacts to say"),
    ("nkey", "keyframes", "their positions can be had by Mjcf.positions"),
    ("nmocap", "mocap bodies", "they stand still in the world"),
)


def note_unmapped(compiled: Compiled, remarks: Remarks, *, contacts: bool) -> None:
    """Notes about everything that has no counterpart and has not been noted before."""
    model, place = compiled.model, compiled.places.of("")
    for count, what, why in _COUNTED:
        number = int(getattr(model, count))
        if number:
            remarks.note(place, f"{number} {what}: not mapped ({why})")
    if model.nu:
        remarks.note(
            place, f"{int(model.nu)} actuators: not a part of the model; Mjcf.controller drives its joints by them"
        )
    option = model.opt
    for what in ("density", "viscosity"):
        if float(getattr(option, what)):
            remarks.note(place, f"option, {what} {float(getattr(option, what)):g}: not mapped (bodies move in a void)")
    if np.any(option.wind):
        remarks.note(place, "option, wind: not mapped (bodies move in a void)")
    for body in np.flatnonzero(model.body_gravcomp).tolist():
        name = compiled.name("body", body)
        remarks.note(compiled.place("body", body), f'body "{name}", gravcomp: not mapped (gravity acts on all bodies)')
    for dof in np.flatnonzero(np.atleast_2d(model.dof_dampingpoly.T).any(axis=0)).tolist():
        joint = int(model.dof_jntid[dof])
        text = f'joint "{compiled.name("joint", joint)}": damping that is not linear is not mapped'
        remarks.note(compiled.place("joint", joint, "joint", "freejoint"), text)
    for joint in range(model.njnt):
        text = f'joint "{compiled.name("joint", joint)}"'
        at = compiled.place("joint", joint, "joint", "freejoint")
        if np.any(model.jnt_stiffnesspoly[joint]):
            remarks.note(at, f"{text}: a spring that is not linear is not mapped")
        if model.jnt_actfrclimited[joint]:
            remarks.note(at, f"{text}, actuatorfrcrange: not a part of the model; Mjcf.controller keeps to it")
    touching = int(np.count_nonzero(model.geom_contype | model.geom_conaffinity))
    if touching and not contacts:
        remarks.note(place, f"{touching} geoms can touch: contacts are left out; load with contacts=True to have them")
