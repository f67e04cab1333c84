"""Adjoint gradients with joints whose screws change with their coordinates."""

from __future__ import annotations

import numpy as np
import pytest
from adjoint.mechanisms import Case
from adjoint.test_gradients import check
from mechanics.product_kinds import PRODUCT_KINDS, carried

import dalembert as da


def on_a_track(name: str, *, inwards: bool) -> Case:
    model = carried(PRODUCT_KINDS[name], inwards=inwards, stiffness=3.0, damping=0.2, armature=0.1)
    track = model.joints["track"].coordinates
    where = np.array([0.6, 0.7, 0.4, 0.5, 0.3])[: track.stop - track.start]
    state = model.state(
        positions={"track": where, "ball": (0.2, 0.1, 0.3)}, velocities={"track": 0.5 * where, "hinge": 1.0}
    )
    look = (
        da.PointTarget("tail", (0.5, 0.3, -1.0), (0.1, 0.2, 0.3), (0.1, 0.2, -0.1))
        + da.PointTarget("cart", (0.5, 0.0, -1.0), (0.1, 0.2, 0.3), (0.1, 0.2, -0.1), time="all")
        + 0.1 * da.Effort()
    )
    parameters: list[da.Parameter] = [
        *(da.JointForce("track", knots=2), da.InitialPosition("track"), da.InitialVelocity("track")),
        *(da.Mass("cart"), da.Mass("base"), da.Inertia("cart"), da.CentreOfMass("tail")),
        *(da.Stiffness("track"), da.Rest("track"), da.Damping("track"), da.Armature("track")),
        *(da.JointPoint("track", on="parent"), da.JointPoint("track", on="child")),
    ]
    return model, state, look, parameters


@pytest.mark.compiled
@pytest.mark.parametrize("inwards", [False, True])
@pytest.mark.parametrize("name", ["closed", "mixed"])
def test_gradients_along_curves(name: str, inwards: bool) -> None:
    """Every kind of parameter over 10 steps, relative 1e-6, crossed either way."""
    check(lambda: on_a_track(name, inwards=inwards), da.BDF2(tol=1e-10), 10, 0.005, 1e-6)
