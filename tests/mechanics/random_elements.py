"""Random force elements on a tree: each kind, on one body, between bodies and with the world, away from their kinks."""

from __future__ import annotations

import numpy as np

from dalembert.model.force_elements import Elements, flatten_forces
from dalembert.model.forces import CABLE, DRAG, PENALTY_GROUND, POINT_FORCE, ROUTED_SPRING, Force


def random_elements(rng: np.random.Generator, n: int, *, damping: float = 1.0) -> Elements:
    """Two elements of each kind on n bodies, the world being body n; with ``damping`` 0 only elastic ones."""
    names = [str(i) for i in range(n)] + ["world"]

    def force(code: int, bodies: list[int], numbers: list[float], vectors: np.ndarray | None = None) -> Force:
        a, b, c, d, e = (numbers + [0.0] * 5)[:5]
        return Force(
            str(rng.random()),
            code,
            tuple(names[i] for i in bodies),
            rng.normal(size=(len(bodies), 3)),
            (a, b, c, d, e),
            np.zeros((2, 3)) if vectors is None else vectors,
        )

    found = []
    for k in range(2):
        path = rng.integers(0, n + 1, 4).tolist()
        found.append(force(ROUTED_SPRING, path[: 2 + k], [3.0, 0.8 * damping, 0.3]))
        # no length that the bodies can have lets this cable go slack, or this one pull
        found.append(force(CABLE, path, [2.0, 0.1 * damping, 0.0 if k == 0 else 1e3]))
        if k == 0 or damping:
            found.append(force(POINT_FORCE, [int(rng.integers(n))], [float(k)], rng.normal(size=(2, 3))))
        normal = rng.normal(size=3)
        plane = np.array([normal / np.linalg.norm(normal), 1e2 * normal])
        # one sticks, one slips: far below the plane
        friction = [2.0, 0.5, 0.3, 9.0 if k == 0 else 1e-3, 0.02] if damping else [2.0]
        found.append(force(PENALTY_GROUND, [int(rng.integers(n))], friction, plane))
        if damping:
            found.append(force(DRAG, [int(rng.integers(n))], [], rng.uniform(0.1, 1.0, (2, 3))))
    return flatten_forces(found, {name: i for i, name in enumerate(names)})
