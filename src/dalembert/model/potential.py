"""Potential energies of the user's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dalembert.model.checks import Findings, shown, suggestion
from dalembert.model.declaration import PotentialDeclaration
from dalembert.model.placement import Pose
from dalembert.model.record import Potential
from dalembert.model.trial import try_out


def resolve_potential(
    declared: PotentialDeclaration, bodies: Mapping[str, int], poses: Sequence[Pose], findings: Findings
) -> Potential:
    """A potential, tried out at the reference configuration."""
    item = f'potential "{declared.name}"'
    names = [declared.bodies] if isinstance(declared.bodies, str) else list(declared.bodies)
    for name in names:
        if name not in bodies:
            findings.add(f"{item}, bodies", "names of bodies", f'"{name}"', suggestion(name, bodies))
    if len(set(names)) < len(names) or not names:
        findings.add(f"{item}, bodies", "one or more different bodies", shown(names))
    indices = tuple(bodies[name] for name in names if name in bodies)
    potential = Potential(declared.name, indices, declared.energy, declared.gradient)
    if findings.lines:
        return potential
    at = [poses[i] for i in indices]
    expected = "a number of joules"
    energy = try_out(declared.energy, at, findings, f"{item}, energy", expected)
    if energy is not None and energy.shape != ():
        findings.add(f"{item}, energy", expected, f"shape {energy.shape}")
    if declared.gradient is not None:
        expected = f"an array of shape {(len(indices), 6)}"
        slope = try_out(declared.gradient, at, findings, f"{item}, gradient", expected)
        if slope is not None and slope.shape != (len(indices), 6):
            findings.add(f"{item}, gradient", expected, f"shape {slope.shape}")
    return potential
