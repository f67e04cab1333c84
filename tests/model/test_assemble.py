"""`Model.assemble`: loops closed from a rough start, with joints that are held."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as da


def parallelogram() -> da.Model:
    """Four bars of 1 m with the ground as one of them: three redundant rows, one degree of freedom."""
    builder = da.ModelBuilder()
    corners = [(0, 0, 0), (0, 0, 1), (1, 0, 1), (1, 0, 0)]
    chain = ["world", "crank", "coupler", "rocker", "world"]
    for name, middle in (("crank", (0, 0, 0.5)), ("coupler", (0.5, 0, 1)), ("rocker", (1, 0, 0.5))):
        builder.add_body(name, mass=1, inertia=(0.1, 0.1, 0.01), position=middle)
    for k, corner in enumerate(corners):
        hinge = da.Revolute((0, 1, 0))
        builder.add_joint(f"corner{k}", hinge, parent=chain[k], child=chain[k + 1], anchor=corner)
    return builder.build()


def test_a_parallelogram_follows_the_crank_that_is_held() -> None:
    model = parallelogram()
    start = model.state(positions={"corner0": 0.4}, velocities={"corner0": 2.0})
    found = model.assemble(start, hold=["corner0"])
    assert found.residual < 1e-12
    assert (found.dof, found.redundant) == (1, 3)
    # geometry: the coupler stays level, so it turns by −θ against the crank, the rocker by θ against the coupler, and
    # the ground by −θ against the rocker; the solver stops at 1e-12 and nothing here amplifies it
    for k, sign in enumerate((1, -1, 1, -1)):
        joint = model.joints[f"corner{k}"]
        assert np.abs(found.state.coordinates[joint.coordinates] - sign * 0.4).max() < 1e-11
        assert np.abs(found.state.rates[joint.rates] - sign * 2.0).max() < 1e-11


def test_a_state_that_fits_is_left_where_it_is() -> None:
    model = parallelogram()
    found = model.assemble()
    reference = model.state()
    assert np.abs(found.state.position - reference.position).max() < 1e-14
    assert np.abs(found.state.orientation - reference.orientation).max() < 1e-14
    assert not found.state.velocity.any()


def test_an_unknown_joint_cannot_be_held() -> None:
    model = parallelogram()
    with pytest.raises(da.ModelError, match=r'joint "corner9".*did you mean "corner3"'):
        model.assemble(model.state(), hold=["corner9"])
