"""The step of an integrator as a linear map about a state: what discrete-time control needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dalembert.control.tangent import difference, difference_rate, displaced
from dalembert.errors import ModelError
from dalembert.integrators.base import Integrator
from dalembert.integrators.galerkin.method import GalerkinVI
from dalembert.model.state import State
from dalembert.model.system import Floats
from dalembert.simulate import simulate

if TYPE_CHECKING:
    from dalembert.model.model import Model

DIFFERENCE = 1e-5
"""Half the width of central differences, in radians, metres and their rates: the error is about 1e-10 of it and of
the integrator's tolerance over it."""
RANK = 1e-8
"""A motion is one of the mechanism's own if the projection onto its constraints keeps at least so much of it."""


@dataclass(frozen=True, eq=False)
class Linearization:
    """x⁺ = A x + B u + c for deviations x = (motion, rates) in the degrees of freedom d of the mechanism."""

    A: Floats
    """(2 d, 2 d)"""
    B: Floats
    """(2 d, m)"""
    offset: Floats
    """(2 d,) c: where a step from the state itself leads; zero at an equilibrium."""
    basis: Floats
    """(n_v, d) orthonormal columns: the minimal rates that all loops allow."""
    joints: tuple[str, ...]
    """The joints that are driven, one rate each or several."""
    rates: tuple[int, ...]
    """(m,) which minimal rate each force acts on."""
    state: State
    dt: float

    def deviation(self, model: Model, state: State) -> Floats:
        """(2 d,) how far a state is from the one that it was linearised about."""
        motion = difference(model, state, self.state)
        rates = state.rates[: model.system.n_v] - self.state.rates[: model.system.n_v]
        return np.concatenate([self.basis.T @ motion, self.basis.T @ rates])


def linearize(
    model: Model,
    state: State,
    *,
    dt: float,
    integrator: Integrator,
    joints: Sequence[str] | None = None,
    force: Sequence[float] | Floats | None = None,
) -> Linearization:
    """Linearise one step about a state: by central differences, loops included, or exactly with `GalerkinVI`.

    Args:
        model: the mechanism.
        state: the state; its loops must be closed.
        dt: step in seconds.
        integrator: such as ``MaximalVI(tol=1e-13)``; the smaller its tolerance, the better the derivatives.
        joints: those of the spanning tree that are driven; all of them if not given.
        force: (m,) in these joints, N or N m, about which u deviates; none if not given.
    """
    system = model.system
    driven = tuple(joints) if joints is not None else tuple(n for n, j in model.joints.items() if j.in_tree)
    columns: list[int] = []
    for name in driven:
        model.joint_index(name)
        joint = model.joints[name]
        if not joint.in_tree:
            raise ModelError(
                f'joint "{name}": expected one of the spanning tree to drive, found one that closes a loop'
            )
        columns += range(joint.rates.start, joint.rates.stop)
    held = np.zeros(len(columns)) if force is None else np.asarray(force, dtype=float)
    if held.shape != (len(columns),) or not np.isfinite(held).all():
        raise ModelError(f"force: expected {len(columns)} finite numbers, one for each driven rate, found {force!r}")
    basis = allowed_motions(model, state)
    d, rest = basis.shape[1], state.rates[: system.n_v]

    def step(x: Floats, u: Floats) -> Floats:
        near = displaced(model, state, basis @ x[:d], rest + basis @ x[d:])
        if model.loop_joints:
            near = model.assemble(near).state
        forces = np.zeros(system.n_v)
        forces[columns] = held + u
        end = simulate(
            model, near, duration=dt, dt=dt, integrator=integrator, controller=lambda time, now: forces
        ).final_state
        return np.concatenate([basis.T @ difference(model, end, state), basis.T @ (end.rates[: system.n_v] - rest)])

    zero_x, zero_u = np.zeros(2 * d), np.zeros(len(columns))
    if isinstance(integrator, GalerkinVI) and not model.potentials:
        given = np.zeros(system.n_v)
        given[columns] = held
        exact = integrator.linearize(model, state, dt, given)
        turned = np.eye(2 * d)
        turned[:d, :d] = difference_rate(model, exact.state, state)
        a, b = turned @ exact.A, turned @ exact.B[:, columns]
    else:
        a, b = _columns(lambda x: step(x, zero_u), 2 * d), _columns(lambda u: step(zero_x, u), len(columns))
    return Linearization(
        A=a,
        B=b,
        offset=step(zero_x, zero_u),
        basis=basis,
        joints=driven,
        rates=tuple(columns),
        state=state,
        dt=dt,
    )


def allowed_motions(model: Model, state: State) -> Floats:
    """(n_v, d) orthonormal minimal rates that all loops allow at a state: the range of the projection onto them."""
    n_v = model.system.n_v
    if not model.loop_joints:
        return np.eye(n_v)
    projection = np.zeros((n_v, n_v))
    still = np.zeros(n_v)
    for k in range(n_v):
        unit = np.eye(n_v)[k]
        near = model.assemble(displaced(model, state, still, unit)).state
        projection[:, k] = near.rates[:n_v]
    left, sizes, _ = np.linalg.svd(projection)
    return left[:, sizes > RANK]


def _columns(function: Callable[[Floats], Floats], count: int) -> Floats:
    columns = []
    for k in range(count):
        step = np.zeros(count)
        step[k] = DIFFERENCE
        columns.append((function(step) - function(-step)) / (2.0 * DIFFERENCE))
    return np.stack(columns, axis=1)
