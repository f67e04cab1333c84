"""Potential energies of the user's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from dalembert.model.checks import Findings, shown, suggestion
from dalembert.model.declaration import PotentialDeclaration
from dalembert.model.placement import Pose
from dalembert.model.record import Potential


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
    positions = np.array([poses[i][0] for i in indices])
    orientations = np.array([poses[i][1] for i in indices])
    try:
        energy = np.asarray(declared.energy(positions.copy(), orientations.copy()), dtype=float)
        if energy.shape != () or not np.isfinite(energy):
            findings.add(f"{item}, energy", "a finite number of joules at the reference configuration", shown(energy))
    except Exception as error:  # the user's function may raise anything
        findings.add(f"{item}, energy", "a function of two arrays", f"{type(error).__name__}: {error}")
    if findings.lines or declared.gradient is None:
        return potential
    wanted = (len(indices), 6)
    try:
        slope = np.asarray(declared.gradient(positions.copy(), orientations.copy()), dtype=float)
        if slope.shape != wanted or not np.isfinite(slope).all():
            findings.add(f"{item}, gradient", f"finite numbers of shape {wanted}", shown(slope))
    except Exception as error:
        findings.add(f"{item}, gradient", f"an array of shape {wanted}", f"{type(error).__name__}: {error}")
    return potential
