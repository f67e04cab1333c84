"""The two numbers of [Sueda 2021] that are not those of the equations of motion: where they come from."""

from __future__ import annotations

import numpy as np
from naive.charted_chain import swing
from naive.planar_box import COULOMB, PUBLISHED, tumble

import dalembert as da
from dalembert.zoo.redmax_scenes import redmax_scene

SPHERICAL = 8.6544602745403390e3
"""Scene 7, H by BDF2."""
GROUND = (-4.4208045000000002e3, -2.7811251900394832e3)
"""Scene 11, by BDF1 and BDF2."""


def test_published_energies_of_the_box_are_those_of_friction_along_the_slip() -> None:
    """To the published 1e-2, with Newton's tolerance of the source: what it leaves in step 327 grows a millionfold
    while the box tumbles, so that closer solutions end half an erg away. With friction against the slip BDF1, which
    ends at rest, is the same."""
    for method, published in zip((1, 2), GROUND, strict=True):
        assert abs(tumble(method, PUBLISHED, 1200).energy - published) < 1e-2
    closer = [tumble(2, PUBLISHED, 1200, tolerance=tolerance).energy for tolerance in (1e-11, 1e-12)]
    assert abs(closer[0] - closer[1]) < 1e-2 and abs(closer[1] - GROUND[1]) > 0.5
    assert abs(tumble(1, COULOMB, 1200).energy - GROUND[0]) < 1e-6
    assert abs(tumble(2, COULOMB, 1200).energy - GROUND[1]) > 1e3


def test_box_with_friction_against_the_slip() -> None:
    """`BDF1` to the end and `BDF2` up to the step that has no solution follow the twin; both stop where it gives up."""
    scene = redmax_scene(11)
    for method, twin, steps in ((da.BDF1(), 1, 300), (da.BDF2(), 2, 637)):
        run = da.simulate(scene.model, scene.state, duration=steps * scene.dt, dt=scene.dt, integrator=method)
        found = run.joint("box").position
        expected = tumble(twin, COULOMB, steps)
        assert expected.failures == 0
        np.testing.assert_allclose(found, expected.q, rtol=0, atol=1e-6)
    assert tumble(2, COULOMB, 638).failures == 1


def test_published_energy_of_ball_joints_is_that_of_switched_charts() -> None:
    """BDF2 leaves its chart twice where |det S| falls to a half; to 1e-6. Before that the zoo has the same motion."""
    found = swing(2, 0.5)
    assert abs(found.energy - SPHERICAL) < 1e-6 * SPHERICAL
    assert [switch[:2] for switch in found.switches] == [(341, 1), (424, 1)]
    scene = redmax_scene(7)
    run = da.simulate(scene.model, scene.state, duration=0.2, dt=scene.dt, integrator=da.BDF2())
    assert abs(run.energy[-1] - run.potential[0] - swing(2, 0.5, end=0.2).energy) < 1e-6 * SPHERICAL
