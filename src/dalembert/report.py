"""The accuracy report of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dalembert.model.system import CUSTOM, Floats

if TYPE_CHECKING:
    from dalembert.trajectory import Trajectory

BLOCKS = 16
"""Parts of a run whose mean energies tell a drift from an oscillation."""
SURE = 3.0
"""Standard errors beyond which a drift is called one."""
ROUNDING = 1e-10
"""A change of the energy below this part of what is in motion is the solver's tolerance and rounding."""


def accuracy_report(run: Trajectory) -> str:
    """Energy, momentum, constraints, iterations and time, as lines of text.

    Energy is judged only where it should be conserved: dampers and forces from outside change it.
    """
    steps = (len(run) - 1) * run.every
    model = run.model
    closing = sum(1 for j in model.system.loop_joint.tolist() if model.system.locked[j].any())
    lines = [
        f"{run.integrator}, {steps} steps of {run.dt:g} s to t = {run.time[-1]:.6g} s"
        + (" (interrupted)" if run.interrupted else ""),
        f"  mechanism     {_count(model.n_bodies, 'body', 'bodies')}, {_count(len(model.joints), 'joint', 'joints')}, "
        + (f"{closing} of them closing loops" if closing else "no loops"),
    ]
    lines += _energy_lines(run)
    lines += _momentum_lines(run)
    lines.append(f"  constraints   largest error {np.max(run.constraint_error):.3g} (m or rad)")
    lines += _contact_lines(run)
    if steps and run.iterations.any():
        iterations = run.iterations[1:]
        lines.append(
            f"  iterations    {iterations.sum() / steps:.3g} a step on average,"
            f" {iterations.max() / run.every:.3g} at most between recorded instants"
        )
    if steps:
        speed = f", {steps * run.dt / run.wall_time:.3g} times real time" if run.wall_time > 0.0 else ""
        lines.append(f"  wall time     {run.wall_time:.3g} s, {run.wall_time / steps * 1e6:.3g} µs a step{speed}")
    return "\n".join(lines)


class Drift(NamedTuple):
    """Slope of the energy and its standard error, J/s."""

    slope: float
    error: float

    @property
    def seen(self) -> bool:
        """Whether the slope stands out from the oscillation."""
        return abs(self.slope) > SURE * self.error


def energy_drift(time: Floats, energy: Floats) -> Drift | None:
    """The slope of the energy, and how sure it is; None where a run has less than 32 instants.

    A line is fitted through the mean energies of 16 equal parts of the run (8 of a short one). Their scatter about it
    gives the standard error, so that an energy that oscillates in a band without a trend is not taken for a drift, as
    it would be by fitting the single values, which are far from independent.
    """
    blocks = BLOCKS if len(time) >= 4 * BLOCKS else BLOCKS // 2
    size = len(time) // blocks
    if size < 4:
        return None
    first = len(time) - blocks * size
    t, e = (part[first:].reshape(blocks, size).mean(axis=1) for part in (time, energy))
    t, e = t - t.mean(), e - e.mean()
    spread = float(t @ t)
    slope = float(t @ e) / spread
    rest = e - slope * t
    return Drift(slope, float(np.sqrt(rest @ rest / (blocks - 2) / spread)))


def _energy_lines(run: Trajectory) -> list[str]:
    energy = run.energy
    reasons = []
    if np.any(run.model.system.damping > 0.0):
        reasons.append("dampers take it out")
    if any(force.damps or not force.stores for force in run.model.forces.values()):
        reasons.append("force elements change it")
    if run.forced:
        reasons.append("forces from outside change it")
    lost = run.lost
    if not reasons and lost.any():
        return _balance_lines(run, energy, lost)
    if reasons:
        return [
            f"  energy        from {energy[0]:.6g} J to {energy[-1]:.6g} J; not conserved here: {' and '.join(reasons)}"
        ]
    band = float(np.ptp(energy))
    moving = float(np.max(run.kinetic) + np.ptp(run.potential))
    share = f", {band / moving:.2g} of the {moving:.3g} J in motion" if moving > 0.0 else ""
    lines = [f"  energy        {energy[0]:.9g} J at the start, band {band:.3g} J{share}"]
    drift = energy_drift(run.time, energy)
    if drift is not None:
        gained = drift.slope * float(run.time[-1] - run.time[0])
        verdict = "a drift" if drift.seen else "none beyond the oscillation"
        if abs(gained) <= ROUNDING * moving:
            verdict = "at the level of rounding"
        lines.append(
            f"  energy drift  {drift.slope:.2g} ± {drift.error:.2g} J/s, {gained:.2g} J over the run: {verdict}"
        )
    return lines


def _balance_lines(run: Trajectory, energy: Floats, lost: Floats) -> list[str]:
    """Where energy is lost to contact: the balance."""
    moving = float(np.max(run.kinetic) + np.ptp(run.potential))
    share = f", {float(np.ptp(energy + lost)) / moving:.2g} of the {moving:.3g} J in motion" if moving > 0.0 else ""
    causes = ", ".join(f"{values[-1]:.4g} J to {name}" for name, values in run.losses.items() if values.any())
    return [
        f"  energy        from {energy[0]:.6g} J to {energy[-1]:.6g} J; lost {causes}",
        f"  balance       energy and losses together in a band of {float(np.ptp(energy + lost)):.3g} J{share}",
    ]


def _contact_lines(run: Trajectory) -> list[str]:
    """Penetration, complementarity and cone violation, where anything touched."""
    largest = run.record.contact_error.max(axis=0)
    if not run.model.contacts and not largest.any():
        return []
    overlap, product, outside = max(largest[2], 0.0), largest[0], max(largest[1], 0.0)
    line = f"  contact       largest overlap {overlap:.3g} (m or rad), complementarity {product:.2g}"
    return [f"{line}, cone violation {outside:.2g} (in units of a step)"]


def _momentum_lines(run: Trajectory) -> list[str]:
    """Momenta along directions in which the world neither pulls nor holds."""
    if run.forced or run.model.has_potentials or _touches_world(run):
        return []
    system = run.model.system
    p, angular = run.linear_momentum, run.angular_momentum
    fall = float(system.mass.sum()) * np.outer(run.time - run.time[0], system.gravity)
    line = f"  momentum      linear error {np.abs(p - p[0] - fall).max():.3g} kg m/s"
    if not np.any(system.gravity):
        line += f", angular error {np.abs(angular - angular[0]).max():.3g} kg m²/s"
    return [line]


def _touches_world(run: Trajectory) -> bool:
    """Whether joints, springs, dampers, rotors or the user's constraints act between the world and a body."""
    system = run.model.system
    joints = np.repeat(np.arange(system.joint_kind.size), np.diff(system.incidence_start))
    held = joints[system.incidence_body == run.model.n_bodies]
    if any(contact.body == "world" for contact in run.model.contacts.values()):
        return True
    acting = (system.locked, system.stiffness, system.damping, system.armature)
    return any(bool(np.any(array[held] > 0)) for array in acting) or bool(np.any(system.joint_kind == CUSTOM))


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
