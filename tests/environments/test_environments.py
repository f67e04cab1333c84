"""Environments keep to Gymnasium's rules, and a failure ends one episode, not the others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium", reason="the extra 'gym' is not installed")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import SyncVectorEnv  # noqa: E402

from dalembert.environments import ENVIRONMENTS, register  # noqa: E402

register()


@pytest.mark.parametrize("name", ENVIRONMENTS)
@pytest.mark.filterwarnings("ignore:.*obs space.*|.*Box observation space.*:UserWarning")
def test_gymnasium_finds_nothing_wrong(name: str) -> None:
    check_env(gymnasium.make(name).unwrapped, skip_render_check=True)


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_the_same_seed_and_actions_give_the_same_bits(name: str) -> None:
    def episode() -> list[Any]:
        env = gymnasium.make(name)
        seen = [env.reset(seed=7)[0]]
        random = np.random.default_rng(1)
        assert env.action_space.shape is not None
        for _ in range(20):
            action = random.uniform(-1, 1, env.action_space.shape).astype(np.float32)
            observation, reward, *_ = env.step(action)
            seen += [observation, reward]
        return seen

    for first, second in zip(episode(), episode(), strict=True):
        np.testing.assert_array_equal(first, second)


def test_energy_pumping_swings_the_pendulum_up() -> None:
    """A motor that always pushes along with the motion, and holds its force near the top."""
    env = gymnasium.make("dalembert/PendulumSwingUp-v0")
    observation, _ = env.reset(seed=1)
    best = 0.0
    for _ in range(400):
        action = np.array([np.sign(observation[2]) if observation[2] else 1.0], np.float32)
        observation, reward, *_ = env.step(action)
        best = max(best, float(reward))
    assert best > 0.9


def test_a_regulator_balances_the_cart_pole_for_the_whole_episode() -> None:
    import dalembert as da

    env = gymnasium.make("dalembert/CartPole-v0")
    inner: Any = env.unwrapped
    control = da.lqr(inner.model, inner.model.state(), dt=0.02, integrator=da.MaximalVI(tol=1e-13), joints=["rail"])
    observation, _ = env.reset(seed=3)
    rewards, truncated = 0.0, False
    while not truncated:
        force = -control.gain @ observation
        observation, reward, terminated, truncated, _ = env.step((force / 10.0).astype(np.float32))
        assert not terminated
        rewards += float(reward)
    assert rewards == 500.0


def test_a_leg_goes_on_with_its_loop_closed() -> None:
    env = gymnasium.make("dalembert/ClosedLeg-v0")
    env.reset(seed=2)
    inner: Any = env.unwrapped
    for _ in range(50):
        observation, *_ = env.step(np.array([0.1, -0.1], np.float32))
        assert np.isfinite(observation).all()
    assert inner.model.assemble(inner.state).residual < 1e-10


def test_a_quadruped_that_holds_its_joints_stands_and_one_that_does_not_falls() -> None:
    env = gymnasium.make("dalembert/Quadruped-v0")
    heights = {}
    for held in (True, False):
        observation, _ = env.reset(seed=4)
        angles = observation[5:17].copy()
        terminated = False
        for _ in range(40):
            torque = 80.0 * (angles - observation[5:17]) - 2.0 * observation[23:35] if held else np.zeros(12)
            observation, _, terminated, _, info = env.step((torque / 30.0).astype(np.float32))
            assert "failure" not in info
            if terminated:
                break
        heights[held] = float(observation[0])
        assert terminated is not held
    # the trunk of a machine that stands is 0.3 m high and sags by gravity over stiffness
    assert heights[True] > 0.28
    assert heights[False] < 0.15


def test_a_failure_ends_its_own_environment_only() -> None:
    env = SyncVectorEnv([lambda: gymnasium.make("dalembert/CartPole-v0") for _ in range(3)])
    env.reset(seed=5)
    actions = np.zeros((3, 1), np.float32)
    actions[1] = np.nan
    observations, _, terminated, _, info = env.step(actions)
    assert terminated.tolist() == [False, True, False]
    assert "finite numbers as an action" in info["failure"][1]
    assert np.isfinite(observations).all()
    # it starts again by itself, and the others go on
    observations, _, terminated, _, _ = env.step(np.zeros((3, 1), np.float32))
    assert not terminated.any()
    env.close()


def test_a_step_that_cannot_be_taken_ends_the_episode_with_its_reason() -> None:
    env: Any = gymnasium.make("dalembert/PendulumSwingUp-v0").unwrapped
    env.reset(seed=1)
    env._forces = np.array([1e5])
    reasons = []
    for _ in range(10):
        *_, terminated, _, info = env.step(np.ones(1, np.float32))
        if terminated:
            reasons.append(info["failure"])
            break
    assert 'body "link1"' in reasons[0]


def test_pictures(tmp_path: Any) -> None:
    pytest.importorskip("pyvista", reason="the extra 'view' is not installed")
    env = gymnasium.make("dalembert/CartPole-v0", render_mode="rgb_array")
    env.reset(seed=1)
    picture: Any = env.render()
    assert picture.shape == (480, 640, 3)
    assert np.ptp(picture) > 100
    env.close()
