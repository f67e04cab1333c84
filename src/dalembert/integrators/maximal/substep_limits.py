"""What steps of higher order cannot take: contact, and dampers that are stiff beside a substep back in time.

A substep back in time makes a damper feed. With one mass m and a damper d the substep γh multiplies the velocity by
(1 − x)/(1 + x), x = γ h d/(2 m), which is near exp(−2x) for small x and has a pole at x = −1. In many degrees of
freedom the x are the eigenvalues of γ (h/2) M⁻¹ D. Runs are begun with |x| at most one half at the start.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from dalembert.errors import ModelError
from dalembert.integrators.maximal.composition import SHARES
from dalembert.mechanics.kinematics import joint_rates, move_bodies, product_rates
from dalembert.mechanics.kinematics_joint import rate_component
from dalembert.mechanics.recursive import mass_matrix
from dalembert.model.state import with_world
from dalembert.model.system import Floats, System

if TYPE_CHECKING:
    from dalembert.integrators.maximal.method import MaximalVI
    from dalembert.model.model import Model
    from dalembert.model.state import State

LARGEST: Final = 0.5
"""The largest x of a substep back in time."""


def check_order(method: MaximalVI, model: Model, state: State, dt: float) -> None:
    """Refuse a step of higher order that cannot be composed, and say what to do."""
    if method.order == 2:
        return
    hard = [name for name, joint in model.joints.items() if np.isfinite(joint.limits).any() or joint.friction.any()]
    if model.contacts or hard:
        found = f'the contact "{next(iter(model.contacts))}"' if model.contacts else f'limits of joint "{hard[0]}"'
        raise ModelError(
            f"MaximalVI(order={method.order}): {found} would open and close in substeps that go back in time; "
            "use order=2"
        )
    system = model.system
    if not (system.damping > 0.0).any():
        return
    rate = fastest_decay(system, state)
    back = -min(SHARES[method.order])
    if 0.5 * back * dt * rate > LARGEST:
        raise ModelError(
            f"MaximalVI(order={method.order}): dampers slow a motion down at the rate {rate:.3g} 1/s, and a substep of "
            f"{-back * dt:.3g} s would go back through it; use dt below {2.0 * LARGEST / (back * rate):.2g} s "
            "or order=2"
        )


def fastest_decay(system: System, state: State) -> float:
    """The largest eigenvalue (1/s) of M⁻¹ D in the rates of the tree; loops can only make it smaller."""
    position, orientation, _, _ = state.with_world()
    n_v = system.n_v
    jacobian = np.zeros((int(system.n_rates.sum()), n_v))
    _, _, velocity, angular_velocity = with_world(system.tree_joint.size)
    for k in range(n_v):
        unit, column = np.zeros(n_v), np.zeros(len(jacobian))
        unit[k] = 1.0
        move_bodies(system, state.coordinates, unit, position, orientation, velocity, angular_velocity)
        joint_rates(system, position, orientation, velocity, angular_velocity, column)
        product_rates(system, state.coordinates, position, orientation, velocity, angular_velocity, column)
        jacobian[:, k] = column
    damping, rotor = along_rates(system, system.damping), along_rates(system, system.armature)
    rotor[:n_v] = 0.0
    mass = mass_matrix(system, position, orientation, state.coordinates) + jacobian.T @ (rotor[:, None] * jacobian)
    lower = np.linalg.cholesky(mass)
    scaled = np.linalg.solve(lower, (np.sqrt(damping)[:, None] * jacobian).T)
    return float(np.linalg.norm(scaled, 2)) ** 2


def along_rates(system: System, components: Floats) -> Floats:
    """(all rates,) an array (m, 6) over the components of joints in the order of their rates."""
    out = np.zeros(int(system.n_rates.sum()))
    for j in range(system.joint_kind.size):
        for k in range(system.n_rates[j]):
            out[system.v_start[j] + k] = components[j, rate_component(system, j, k)]
    return out
