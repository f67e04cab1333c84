"""The forces of a model as flat arrays: what kernels see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from dalembert.model.forces import PENALTY_GROUND, Force
from dalembert.model.system import Floats, Integers


class Elements(NamedTuple):
    """Force elements (e of them) and the points, or ports, through which they act on bodies (p of them)."""

    code: Integers
    """(e,) CABLE, ROUTED_SPRING, …"""
    port_start: Integers
    """(e + 1,) the ports of an element are ``port_start[i] : port_start[i + 1]``."""
    port_body: Integers
    """(p,) bodies, the world included."""
    port_point: Floats
    """(p, 3) in the axes of the body, from its centre of mass."""
    number: Floats
    """(e, 5) and (e, 2, 3) by code, see `dalembert.model.forces.Force`."""
    vector: Floats


def flatten_forces(forces: Sequence[Force], bodies: Mapping[str, int]) -> Elements:
    """The elements of these forces; each point of a ground is one of its own."""
    code, start, body, point, number, vector = [], [0], [], [], [], []
    for force in forces:
        alone = len(force.bodies) if force.code == PENALTY_GROUND else 1
        for part in range(alone):
            ports = range(part, part + 1) if alone > 1 else range(len(force.bodies))
            body += [bodies[force.bodies[k]] for k in ports]
            point += [force.points[k] for k in ports]
            code.append(force.code)
            start.append(len(body))
            number.append(force.numbers)
            vector.append(force.vectors)
    e, p = len(code), len(body)
    return Elements(
        code=np.array(code, np.int64).reshape(e),
        port_start=np.array(start, np.int64),
        port_body=np.array(body, np.int64).reshape(p),
        port_point=np.array(point, np.float64).reshape(p, 3),
        number=np.array(number, np.float64).reshape(e, 5),
        vector=np.array(vector, np.float64).reshape(e, 2, 3),
    )
