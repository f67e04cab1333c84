"""What two surfaces make of each other, and how a feature gets into its place."""

from math import sqrt

from dalembert._jit import kernel
from dalembert.spatial.quaternion import set_row4
from dalembert.spatial.vector import set_row3

DEFAULT_FRICTION = 0.5
"""Where neither surface says anything."""


@kernel
def mean_or_known(a, b, default):
    """√(a b); negative numbers stand for what is not said."""
    if a < 0.0:
        return b if b >= 0.0 else default
    return sqrt(a * b) if b >= 0.0 else a


@kernel
def put_surface(geometry, g, h, features, k):
    """The surface data of feature k between geoms g and h: friction by the geometric mean, restitution by the larger.

    Compliant surfaces act as springs in series, and so do their dampers; a rigid surface adds nothing.
    """
    features.friction[k] = mean_or_known(geometry.friction[g], geometry.friction[h], DEFAULT_FRICTION)
    features.restitution[k] = max(geometry.restitution[g], geometry.restitution[h], 0.0)
    features.torsional[k] = max(geometry.torsional[g], geometry.torsional[h])
    features.rolling[k] = max(geometry.rolling[g], geometry.rolling[h])
    soft_g, soft_h = geometry.compliance[g], geometry.compliance[h]
    features.stiffness[k] = 1.0 / (soft_g + soft_h) if soft_g + soft_h > 0.0 else 0.0
    c, d = geometry.damping[g], geometry.damping[h]
    if soft_g > 0.0 and soft_h > 0.0:
        features.damping[k] = c * d / (c + d) if c + d > 0.0 else 0.0
    else:
        features.damping[k] = c if soft_g > 0.0 else d


@kernel
def put_feature(geometry, g, h, kind, identity, a, u, b, v, radius, features):
    """The next feature, between geoms g and h at points a and b with directions u and v in body axes; its number.

    When there is no room it is counted as missed and the last place is overwritten. Size, frame and side are left at
    zero, no turn and 1 for the caller to change.
    """
    k = features.used[0]
    if k == features.kind.shape[0]:
        features.missed[0] += 1
        k -= 1
    else:
        features.used[0] = k + 1
    features.kind[k] = kind
    features.identity[k] = identity
    features.geom_a[k], features.geom_b[k] = g, h
    features.body_a[k], features.body_b[k] = geometry.body[g], geometry.body[h]
    set_row3(features.point_a, k, a)
    set_row3(features.direction_a, k, u)
    set_row3(features.point_b, k, b)
    set_row3(features.direction_b, k, v)
    set_row3(features.size, k, (0.0, 0.0, 0.0))
    set_row4(features.frame, k, (1.0, 0.0, 0.0, 0.0))
    features.radius[k] = radius
    features.side[k] = 1.0
    put_surface(geometry, g, h, features, k)
    return k
