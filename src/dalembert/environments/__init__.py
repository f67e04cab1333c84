"""Mechanisms as Gymnasium environments. An extra: pip install 'dalembert[gym]'.

Gymnasium finds them by itself: ``gymnasium.make("dalembert/CartPole-v0")``.
"""

from __future__ import annotations

ENVIRONMENTS = {
    "dalembert/PendulumSwingUp-v0": "dalembert.environments.pendulum_swing_up:PendulumSwingUp",
    "dalembert/CartPole-v0": "dalembert.environments.cart_pole:CartPole",
    "dalembert/ClosedLeg-v0": "dalembert.environments.closed_leg:ClosedLeg",
    "dalembert/Quadruped-v0": "dalembert.environments.quadruped:Quadruped",
}
"""Names and where they are."""

SECONDS = 10.0
"""Length of an episode."""


def register() -> None:
    """Tell Gymnasium about the environments; it calls this itself when it is imported."""
    from gymnasium.envs.registration import register as tell
    from gymnasium.envs.registration import registry

    for name, place in ENVIRONMENTS.items():
        if name not in registry:
            tell(id=name, entry_point=place, max_episode_steps=round(SECONDS / 0.02))
