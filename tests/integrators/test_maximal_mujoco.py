"""Random trees beside MuJoCo's fourth-order Runge–Kutta method: one motion as the step vanishes."""

from __future__ import annotations

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco")

from integrators.test_runge_kutta_mujoco import Twins  # noqa: E402

import dalembert as da  # noqa: E402


@pytest.mark.parametrize("seed", range(4))
def test_second_order_convergence_to_mujoco(seed: int) -> None:
    twins = Twins(seed)
    steps, duration = 64, 0.32
    for _ in range(round(duration / twins.other.opt.timestep)):
        mujoco.mj_step(twins.other, twins.data)
    bodies = [twins.other.body(name).id for name in twins.model.bodies]
    expected = twins.data.xipos[bodies]
    ends = []
    for n in (steps, 2 * steps, 4 * steps):
        integrator = da.MaximalVI(tol=1e-12)
        run = da.simulate(twins.model, twins.state, duration=duration, dt=duration / n, every=n, integrator=integrator)
        ends.append(run.position[-1])
    errors = [np.linalg.norm(end - expected) for end in ends]
    assert np.log2(errors[1] / errors[2]) == pytest.approx(2.0, abs=0.1)
    coarse, middle, fine = ends
    once, twice = (4.0 * middle - coarse) / 3.0, (4.0 * fine - middle) / 3.0
    # the sixth-order rest of the extrapolation, and MuJoCo's own error at a millisecond
    np.testing.assert_allclose((16.0 * twice - once) / 15.0, expected, rtol=0, atol=1e-7)
