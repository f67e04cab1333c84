"""The accuracy report of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dalembert.model.system import CUSTOM, Floats

if TYPE_CHECKING:
    from dalembert.trajectory import Trajectory


def accuracy_report(run: Trajectory) -> str:
    """Energy drift and band, momentum error, constraint error, iterations and time, as lines of text."""
    steps = (len(run) - 1) * run.every
    energy = run.energy
    change = energy - energy[0]
    scale = float(np.max(run.kinetic) + np.ptp(run.potential)) or 1.0
    lines = [
        f"{run.integrator}, {steps} steps of {run.dt:g} s to t = {run.time[-1]:.6g} s"
        + (" (interrupted)" if run.interrupted else ""),
        f"  energy        start {energy[0]:.9g} J, band {np.ptp(change):.3g} J ({np.ptp(change) / scale:.2g} of what"
        f" moves), drift {energy_slope(run.time, energy):.3g} J/s" + _losses(run),
    ]
    lines += _momentum_lines(run)
    lines.append(f"  constraints   largest error {np.max(run.constraint_error):.3g} (m or rad)")
    if steps:
        iterations = run.iterations[1:]
        lines.append(
            f"  iterations    {iterations.sum() / steps:.3g} a step on average,"
            f" {iterations.max() / run.every:.3g} at most between recorded instants"
        )
        lines.append(f"  wall time     {run.wall_time:.3g} s, {run.wall_time / steps * 1e6:.3g} µs a step")
    return "\n".join(lines)


def energy_slope(time: Floats, energy: Floats) -> float:
    """Slope of the least-squares line through the energy, J/s."""
    t = time - time.mean()
    spread = float(t @ t)
    return float(t @ (energy - energy.mean())) / spread if spread > 0.0 else 0.0


def _losses(run: Trajectory) -> str:
    return " (there are dampers)" if np.any(run.model.system.damping > 0.0) else ""


def _momentum_lines(run: Trajectory) -> list[str]:
    """Momenta along directions in which the world neither pulls nor holds."""
    system = run.model.system
    world = run.model.n_bodies
    joints = np.repeat(np.arange(system.joint_kind.size), np.diff(system.incidence_start))
    held = joints[system.incidence_body == world]
    touching = (system.locked[held].any(axis=1) | (system.stiffness[held] > 0).any(axis=1)).any()
    touching |= bool((system.damping[held] > 0).any() or np.any(system.joint_kind == CUSTOM))
    if touching or run.model.potentials:
        return []
    p, angular = run.linear_momentum, run.angular_momentum
    fall = float(system.mass.sum()) * np.outer(run.time - run.time[0], system.gravity)
    lines = [f"  momentum      linear error {np.abs(p - p[0] - fall).max():.3g} kg m/s"]
    if not np.any(system.gravity):
        lines[0] += f", angular error {np.abs(angular - angular[0]).max():.3g} kg m²/s"
    return lines
