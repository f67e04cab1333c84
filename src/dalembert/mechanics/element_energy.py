"""Potential energy of elements, and their wrenches on bodies in the form that integrators take from outside.

½ k (L − rest)² of a spring, of a cable while it is taut; ½ k δ² of a ground; −f·x of a force that stays in the world.
A force that turns with its body, drag, damping and friction have none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dalembert._jit import kernel
from dalembert.mechanics.element_equations import add_element_wrenches
from dalembert.mechanics.element_forces import ElementForces, element_forces, place_ports
from dalembert.model.forces import CABLE, PENALTY_GROUND, POINT_FORCE, ROUTED_SPRING
from dalembert.spatial.quaternion import rotate, rotate_back, row4, set_row4
from dalembert.spatial.vector import dot, norm, row3, set_row3, sub

if TYPE_CHECKING:
    from dalembert.model.force_elements import Elements
    from dalembert.model.system import Floats


def element_potential(elements: Elements, position: Floats, orientation: Floats) -> Floats:
    """Potential energy (…,) in joules of the elements at poses (…, n, 3) and (…, n, 4) without the world's row."""
    shape, n = position.shape[:-2], position.shape[-2]
    out = np.zeros(int(np.prod(shape)))
    turns = np.zeros((n + 1, 4))
    turns[n, 0] = 1.0
    _element_potentials(
        element_forces(elements),
        np.ascontiguousarray(position).reshape(-1, n, 3),
        np.ascontiguousarray(orientation).reshape(-1, n, 4),
        np.zeros((n + 1, 3)),
        turns,
        np.zeros((n + 1, 6)),
        out,
    )
    return out.reshape(shape)


@kernel
def _element_potentials(work, position, orientation, x, q, still, out):
    for s in range(out.size):
        for i in range(position.shape[1]):
            set_row3(x, i, row3(position[s], i))
            set_row4(q, i, row4(orientation[s], i))
        out[s] = _potential(work, x, q, still)


@kernel
def _potential(work, position, orientation, still):
    elements, total = work.elements, 0.0
    for e in range(elements.code.size):
        code, k = elements.code[e], elements.number[e, 0]
        n = elements.port_start[e + 1] - elements.port_start[e]
        place_ports(work, e, position, orientation, still)
        if code == CABLE or code == ROUTED_SPRING:
            stretch = -elements.number[e, 2]
            for p in range(n - 1):
                stretch += norm(sub(row3(work.point, p + 1), row3(work.point, p)))
            if stretch > 0.0 or code == ROUTED_SPRING:
                total += 0.5 * k * stretch * stretch
        elif code == PENALTY_GROUND:
            depth = -dot(row3(elements.vector[e], 0), sub(row3(work.point, 0), row3(elements.vector[e], 1)))
            if depth > 0.0:
                total += 0.5 * k * depth * depth
        elif code == POINT_FORCE and k == 0.0:
            total -= dot(row3(elements.vector[e], 0), row3(work.point, 0))
    return total


@kernel
def element_wrenches(work, position, orientation, velocity, angular_velocity, twist, out):
    """The wrenches of all elements into ``out`` (n + 1, 6): force in world axes, torque in the body's.

    Args:
        position: (n + 1, 3), and ``orientation`` (n + 1, 4) of the bodies.
        velocity: (n + 1, 3) in the world, and ``angular_velocity`` (n + 1, 3) in body axes.
        twist: (n + 1, 6) scratch.
    """
    for i in range(out.shape[0]):
        turning = rotate(row4(orientation, i), row3(angular_velocity, i))
        for k in range(3):
            twist[i, k] = velocity[i, k]
            twist[i, 3 + k] = turning[k]
            out[i, k] = 0.0
            out[i, 3 + k] = 0.0
    add_element_wrenches(work, position, orientation, twist, out)
    for i in range(out.shape[0]):
        torque = rotate_back(row4(orientation, i), (out[i, 3], out[i, 4], out[i, 5]))
        for k in range(3):
            out[i, 3 + k] = torque[k]


class ElementWrenches:
    """The wrenches of a model's elements, for steppers that take forces from outside."""

    def __init__(self, elements: Elements, n_bodies: int) -> None:
        self._work: ElementForces = element_forces(elements)
        self._still = np.zeros((n_bodies + 1, 3))
        self._twist, self._out = np.zeros((n_bodies + 1, 6)), np.zeros((n_bodies + 1, 6))

    def at(
        self,
        position: Floats,
        orientation: Floats,
        velocity: Floats | None = None,
        angular_velocity: Floats | None = None,
    ) -> Floats:
        """(n + 1, 6) at poses with the world's row, at rest unless velocities are given; it is overwritten."""
        v = self._still if velocity is None else velocity
        w = self._still if angular_velocity is None else angular_velocity
        element_wrenches(self._work, position, orientation, v, w, self._twist, self._out)
        return self._out
