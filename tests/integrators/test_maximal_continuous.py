"""The limit of a vanishing step solves the continuous equations, which other code integrates in minimal coordinates."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from integrators.test_maximal_naive import coupled

import dalembert as da
from dalembert import zoo

DURATION = 0.3
LOADED: dict[str, Any] = {"stiffness": 20.0, "damping": 0.3, "rest": 0.2, "armature": 0.05}


def tree() -> tuple[da.Model, da.State]:
    model = zoo.random_tree(14, 1, **LOADED)
    return model, zoo.random_state(model, 1)


def loops() -> tuple[da.Model, da.State]:
    model = zoo.random_loops(6, 2, 3, **LOADED)
    return model, zoo.random_state(model, 3)


def couplings() -> tuple[da.Model, da.State]:
    model = coupled()
    rough = model.state(positions={"thread": 0.4}, velocities={"axle": 2.0, "thread": -1.0, "cross": (0.5, 0.8)})
    return model, model.assemble(rough, hold=("axle", "thread")).state


def uneven_balls() -> tuple[da.Model, da.State]:
    """Ball joints whose springs, dampers and rotors differ from axis to axis."""
    b = da.ModelBuilder()
    above = "world"
    for i in range(2):
        b.add_body(f"link{i}", mass=1.0, inertia=(0.1, 0.12, 0.03), position=(0, 0, -0.5 - i))
        b.add_joint(
            f"ball{i}",
            da.Spherical(),
            parent=above,
            child=f"link{i}",
            anchor=(0, 0, -float(i)),
            stiffness=(5.0, 10.0, 20.0),
            damping=(0.1, 0.2, 0.3),
            rest=(0.3, -0.2, 0.1),
            armature=(0.05, 0.2, 0.1),
        )
        above = f"link{i}"
    model = b.build()
    return model, model.state(velocities={"ball0": (2.0, 3.0, -1.0), "ball1": (-1.0, 2.0, 4.0)})


@pytest.mark.parametrize("mechanism", [tree, loops, couplings, uneven_balls])
def test_the_limit_is_the_continuous_motion(mechanism: Any) -> None:
    model, state = mechanism()
    ends = []
    for n in (64, 128, 256):
        method = da.MaximalVI(tol=1e-12)
        run = da.simulate(model, state, duration=DURATION, dt=DURATION / n, every=n, integrator=method)
        ends.append(np.concatenate([run.position[-1], run.velocity[-1], run.angular_velocity[-1]]))
    coarse, middle, fine = ends
    once, twice = (4.0 * middle - coarse) / 3.0, (4.0 * fine - middle) / 3.0
    limit = (16.0 * twice - once) / 15.0
    other = da.simulate(model, state, duration=DURATION, dt=DURATION, integrator=da.RungeKutta(rtol=1e-11, atol=1e-12))
    expected = np.concatenate([other.position[-1], other.velocity[-1], other.angular_velocity[-1]])
    # the sixth-order rest of the extrapolation is about the square of its last correction
    np.testing.assert_allclose(limit, expected, rtol=0, atol=1e-6)
