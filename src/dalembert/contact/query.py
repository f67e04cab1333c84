"""Contacts at a state, for people: by name, without a run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dalembert.contact.depth import depth
from dalembert.contact.detect import find_features, find_pair
from dalembert.contact.distance import between_edges, flat_distance, over_faces
from dalembert.contact.features import Features, Gaps, empty_features, empty_gaps
from dalembert.contact.gaps import evaluate_features
from dalembert.contact.half_space import over_half_space
from dalembert.contact.search import Shapes, empty_search, place_geoms
from dalembert.contact.surface import Found, put_surface
from dalembert.errors import ModelError
from dalembert.model.contact_geometry import CYLINDER, HALF_SPACE, HEIGHT_FIELD, MESH, ContactGeometry
from dalembert.model.system import Floats

if TYPE_CHECKING:
    from dalembert.model.model import Model
    from dalembert.model.state import State

FAR = 1e6
"""Metres: no two things in a mechanism are further apart."""


@dataclass(frozen=True, eq=False)
class ContactPoint:
    """Where two surfaces touch, or nearly so."""

    contacts: tuple[str, str]
    """The two contacts A and B by name."""
    bodies: tuple[str, str]
    """The bodies that they belong to."""
    gap: float
    """m; negative where they overlap."""
    normal: Floats
    """(3,) from A to B, in the world."""
    point_a: Floats
    """(3,) the point of A that is nearest to B, in the world, m."""
    point_b: Floats
    """(3,) the point of B that is nearest to A."""
    friction: float
    """The pair's coefficient of friction."""
    restitution: float
    """The pair's coefficient of restitution."""


def contacts_at(model: Model, state: State, within: float) -> tuple[ContactPoint, ...]:
    """All contact points with a gap of at most ``within``, nearest first."""
    geometry = model.geometry
    position, orientation, _, _ = state.with_world()
    search, margin = empty_search(geometry), np.full(model.n_bodies + 1, 0.5 * max(within, 0.0))
    features = empty_features(256)
    find_features(geometry, search, position, orientation, margin, features)
    if features.missed[0]:
        features = empty_features(int(features.used[0] + features.missed[0]))
        find_features(geometry, search, position, orientation, margin, features)
    return tuple(point for point in _points(model, features, position, orientation) if point.gap <= within)


def _points(model: Model, features: Features, position: Floats, orientation: Floats) -> list[ContactPoint]:
    gaps = empty_gaps(len(features.kind))
    evaluate_features(features, position, orientation, gaps)
    used = int(features.used[0])
    contacts = list(model.contacts.values())
    points = []
    for k in np.argsort(gaps.gap[:used], kind="stable").tolist():
        pair = [contacts[model.geometry.contact[geoms[k]]] for geoms in (features.geom_a, features.geom_b)]
        points.append(
            ContactPoint(
                (pair[0].name, pair[1].name),
                (pair[0].body, pair[1].body),
                float(gaps.gap[k]),
                gaps.normal[k].copy(),
                gaps.on_a[k].copy(),
                gaps.on_b[k].copy(),
                float(features.friction[k]),
                float(features.restitution[k]),
            )
        )
    return points


def distance(model: Model, state: State, first: str, second: str) -> float:
    """The smallest distance between two contacts, whether or not they may touch; minus the depth where they overlap."""
    geometry = model.geometry
    position, orientation, _, _ = state.with_world()
    shapes = empty_search(geometry).shapes
    place_geoms(geometry, shapes, position, orientation)
    best = np.inf
    pair = [model.contacts[name].geoms for name in (first, second)]
    for g in range(pair[0].start, pair[0].stop):
        for h in range(pair[1].start, pair[1].stop):
            best = min(best, _distance(model, shapes, g, h, position, orientation))
    return float(best)


def _distance(model: Model, shapes: Shapes, g: int, h: int, position: Floats, orientation: Floats) -> float:
    geometry = model.geometry
    if HALF_SPACE in (geometry.kind[g], geometry.kind[h]):
        if geometry.kind[g] == geometry.kind[h]:
            raise ModelError("two half-spaces have no distance: expected at least one bounded shape, found two planes")
        ground, solid = (g, h) if geometry.kind[g] == HALF_SPACE else (h, g)
        gaps = _evaluated(geometry, lambda out: over_half_space(shapes, ground, solid, FAR, out), position, orientation)
        return float(gaps.gap.min(initial=np.inf))
    if HEIGHT_FIELD in (geometry.kind[g], geometry.kind[h]):
        field, solid = (g, h) if geometry.kind[g] == HEIGHT_FIELD else (h, g)
        return _over_terrain(geometry, shapes, field, solid, position, orientation)
    flat_g, flat_h = (geometry.face_start[k + 1] > geometry.face_start[k] for k in (g, h))
    if geometry.kind[g] <= MESH and geometry.kind[h] <= MESH and (flat_g or flat_h):
        g, h = (g, h) if flat_g else (h, g)
        return float(flat_distance(shapes, g, h) - geometry.radius[g] - geometry.radius[h])
    g, h = min(g, h), max(g, h)
    gaps = _evaluated(geometry, lambda out: find_pair(shapes, g, h, FAR, out), position, orientation)
    if CYLINDER not in (geometry.kind[g], geometry.kind[h]):
        return float(gaps.gap.min(initial=np.inf))
    move, nearest = depth(shapes, g, h, gaps.normal), float(gaps.gap.min(initial=np.inf))
    # of parallel rims no point of one is held against one of the other
    return nearest if -1e-6 < move + nearest < 1e-6 else -move


def _over_terrain(
    geometry: ContactGeometry, shapes: Shapes, field: int, solid: int, position: Floats, orientation: Floats
) -> float:
    """Of a height field and a solid; where they overlap, the deepest point of one over the surface of the other."""
    if geometry.kind[solid] > CYLINDER:
        raise ModelError("a height field has a distance from balls, capsules, boxes, hulls and cylinders only")
    if geometry.kind[solid] == CYLINDER:
        gaps = _evaluated(geometry, lambda out: find_pair(shapes, field, solid, FAR, out), position, orientation)
        return float(gaps.gap.min(initial=np.inf))
    gaps = _evaluated(geometry, lambda out: find_pair(shapes, field, solid, 0.0, out), position, orientation)
    deepest = float(gaps.gap.min(initial=np.inf))
    if deepest < 0.0:
        return deepest
    parts = (over_faces(shapes, field, solid), over_faces(shapes, solid, field), between_edges(shapes, field, solid))
    return float(min(parts) - geometry.radius[solid])


def _evaluated(geometry: ContactGeometry, find: Callable[[Found], None], position: Floats, orientation: Floats) -> Gaps:
    """The features that are found, evaluated."""
    features = empty_features(512)
    find(Found(features.used, features.missed, features.integers, features.numbers))
    for k in range(int(features.used[0])):
        put_surface(geometry, features, k)
    gaps = empty_gaps(512)
    evaluate_features(features, position, orientation, gaps)
    return Gaps._make(column[: features.used[0]] for column in gaps)
