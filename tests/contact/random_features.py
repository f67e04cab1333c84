"""Features of every kind between bodies at random poses."""

from __future__ import annotations

import numpy as np

from dalembert.contact.features import (
    ELLIPSOID_PLANE,
    LINE_LINE,
    POINT_BOX,
    POINT_CYLINDER,
    POINT_PLANE,
    POINT_SEGMENT,
    POINT_TRIANGLE,
    RIM_LINE,
    RIM_PLANE,
    RIM_RIM,
    Features,
    empty_features,
)
from dalembert.model.system import Floats

KINDS = {
    "POINT_PLANE": POINT_PLANE,
    "POINT_SEGMENT": POINT_SEGMENT,
    "LINE_LINE": LINE_LINE,
    "POINT_BOX": POINT_BOX,
    "POINT_CYLINDER": POINT_CYLINDER,
    "RIM_LINE": RIM_LINE,
    "RIM_PLANE": RIM_PLANE,
    "RIM_RIM": RIM_RIM,
    "POINT_TRIANGLE": POINT_TRIANGLE,
    "ELLIPSOID_PLANE": ELLIPSOID_PLANE,
}


def units(random: np.random.Generator, count: int, size: int = 3) -> Floats:
    """(count, size) directions."""
    rows = random.normal(size=(count, size))
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def random_features(seed: int, kind: int, count: int = 40) -> tuple[Features, Floats, Floats]:
    """Features of one kind between bodies 2 k and 2 k + 1, with positions and orientations, the world's last."""
    random = np.random.default_rng(seed)
    features = empty_features(count)
    features.used[0] = count
    features.kind[:] = kind
    features.body_a[:] = 2 * np.arange(count)
    features.body_b[:] = features.body_a + 1
    for points in (features.point_a, features.point_b):
        points[:] = random.normal(size=(count, 3))
    for directions in (features.direction_a, features.direction_b):
        directions[:] = units(random, count)
    features.frame[:] = units(random, count, 4)
    features.size[:] = random.uniform(0.2, 1.5, (count, 3))
    features.radius[:] = random.uniform(0.0, 0.3, count)
    features.side[:] = random.choice([-1.0, 1.0], count)
    position, orientation = random.normal(size=(2 * count + 1, 3)), units(random, 2 * count + 1, 4)
    position[-1], orientation[-1] = 0.0, (1.0, 0.0, 0.0, 0.0)
    return features, position, orientation
