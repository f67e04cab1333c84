"""One joint of each sort that is a product of exponentials, and mechanisms that hang on them."""

from __future__ import annotations

import numpy as np

import dalembert as da
from dalembert.model.product_kinds import CHARTS
from dalembert.spatial.quaternion import exp

POINTS = np.array([(0, 0, 0), (1, 0.2, 0.1), (2, 0, -0.3), (2.5, 1, -0.2), (2, 2, 0.4)])
TURNS = [exp(u) for u in ((0.1, 0.2, 0.3), (0.5, 0.0, 0.0), (0.3, 0.8, 0.0), (0.0, 0.0, 1.0), (0.0, 1.0, 0.5))]
_RANDOM = np.random.default_rng(1)
GRID = np.dstack(
    [*np.meshgrid(np.arange(4.0), np.arange(3.0), indexing="ij"), _RANDOM.normal(size=(4, 3))]
) + 0.2 * _RANDOM.normal(size=(4, 3, 3))
ANGLES = 0.3 * _RANDOM.normal(size=(4, 3, 3))

PRODUCT_KINDS = {
    "curve": da.SplineCurve(POINTS, TURNS),
    "straight": da.SplineCurve(POINTS),
    "closed": da.SplineCurve(POINTS, TURNS, closed=True),
    "controls": da.SplineCurve(POINTS, TURNS, through=False),
    "surface": da.SplineSurface(GRID, ANGLES),
    **{f"euler {axes}": da.EulerAngles(axes) for axes in CHARTS},
    "free in the plane": da.Composite((da.PlanarFixedOrientation(), da.Revolute())),
    "free in space": da.Composite((da.FixedOrientation(), da.EulerAngles("XYZ"))),
    "turned first": da.Composite((da.EulerAngles("ZYX"), da.FixedOrientation())),
    "mixed": da.Composite((da.Screw((0, 0.6, 0.8), pitch=0.4), da.Universal(), da.Cylindrical((1, 0, 0)))),
    "along a curve": da.Composite((da.Prismatic((1, 0, 0)), da.SplineCurve(POINTS, TURNS), da.Revolute((0, 1, 0)))),
}
"""By name; both orders of a body that is free in space, and nested products."""


def carried(kind: object, *, inwards: bool = False, **options: object) -> da.Model:
    """A body on a ball joint, the product between it and the next one, a hinge to a third."""
    builder = da.ModelBuilder()
    builder.add_body("base", mass=1.2, inertia=(0.1, 0.2, 0.15), position=(0.3, 0.1, 0))
    builder.add_body("cart", mass=1.0, inertia=(0.1, 0.2, 0.15), position=(0.1, 0.1, 0.2))
    builder.add_body("tail", mass=0.5, inertia=(0.1, 0.02, 0.1), position=(0.1, 0.1, -0.5))
    builder.add_joint("ball", da.Spherical(), parent="world", child="base", anchor=(0, 0.3, 0))
    ends = {"parent": "cart", "child": "base"} if inwards else {"parent": "base", "child": "cart"}
    builder.add_joint("track", kind, anchor=(0, 0, 0), **ends, **options)  # pyright: ignore[reportArgumentType]
    builder.add_joint("hinge", da.Revolute((0, 1, 0)), parent="cart", child="tail", anchor=(0.1, 0.1, 0))
    return builder.build()


def placed(model: da.Model, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates and rates of the tree, those of the product away from where its axes lie on one line."""
    from mechanics.random_systems import random_state

    rng = np.random.default_rng(seed)
    q, v = random_state(rng, model.system)
    track = model.joints["track"].coordinates
    q[track] = rng.uniform(0.3, 1.3, track.stop - track.start)
    return q, v
