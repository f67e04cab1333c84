"""Springs whose tension is a function of the user's, T(L, L̇): [Sueda 2021] section 1.9.7 and 1.9.8.

Kernels know tensions k (L − rest) + d L̇ + c. A law is put into that form anew wherever forces are evaluated, with its
tangent there,

    k = ∂T/∂L,   d = ∂T/∂L̇,   rest = L,   c = T − d L̇,

so that the force and both its derivatives are those of the law.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dalembert.errors import ModelError
from dalembert.mechanics.element_forces import ElementForces, element_forces, place_ports
from dalembert.model.forces import PENALTY_GROUND

if TYPE_CHECKING:
    from dalembert.model.model import Model
    from dalembert.model.system import Floats


class SpringLaws:
    """The force elements of a model, with those of its springs that follow a law of the user's."""

    def __init__(self, model: Model) -> None:
        self._laws, e = [], 0
        for name, force in model.forces.items():
            if force.law is not None:
                self._laws.append((e, name, force.law))
            e += len(force.bodies) if force.code == PENALTY_GROUND else 1
        elements = model.elements
        if self._laws:
            elements = elements._replace(number=elements.number.copy())
        self.work: ElementForces = element_forces(elements)

    def refresh(self, position: Floats, orientation: Floats, twist: Floats) -> None:
        """Put the tangents of all laws where bodies stand and move; ``twist`` (n + 1, 6) in world axes."""
        work = self.work
        for e, name, law in self._laws:
            place_ports(work, e, position, orientation, twist)
            count = int(work.elements.port_start[e + 1] - work.elements.port_start[e])
            steps = np.diff(work.point[:count], axis=0)
            sizes = np.linalg.norm(steps, axis=1)
            ways = steps / np.where(sizes > 0.0, sizes, 1.0)[:, None]
            length, rate = float(sizes.sum()), float(np.sum(ways * np.diff(work.velocity[:count], axis=0)))
            found = np.asarray(law(length, rate), dtype=float)
            if found.shape != (3,):
                raise ModelError(
                    f'force "{name}", law: expected (tension, by length, by rate), found shape {found.shape}'
                )
            tension, slope, damping = found.tolist()
            work.elements.number[e, :4] = slope, damping, length, tension - damping * rate
