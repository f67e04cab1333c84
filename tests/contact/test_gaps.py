"""Gaps of features: Jacobians, invariance, and what they are in closed form."""

from __future__ import annotations

import numpy as np
import pytest
from contact.random_features import KINDS, random_features

from dalembert.contact.features import Features, Gaps, empty_gaps
from dalembert.contact.gaps import evaluate_features
from dalembert.model.system import Floats
from dalembert.spatial.quaternion import exp, multiply, rotate

STEP = 6e-6
"""∛ε: the error of a central difference is then about 4e-11 of the scale of the third derivative."""


def gaps(features: Features, position: Floats, orientation: Floats) -> Gaps:
    found = empty_gaps(len(features.kind))
    evaluate_features(features, position, orientation, found)
    return found


def turned(orientation: Floats, first: int, eta: tuple[float, ...]) -> Floats:
    """Every second orientation from ``first`` on turned from the right."""
    moved = orientation.copy()
    for i in range(first, len(orientation) - 1, 2):
        moved[i] = multiply(tuple(orientation[i].tolist()), exp(eta))
    return moved


@pytest.mark.parametrize("kind", KINDS)
def test_rows_are_the_derivative_of_the_gap(kind: str) -> None:
    features, x, q = random_features(1, KINDS[kind])
    rows = gaps(features, x, q).rows[:, 0]
    for side in range(2):
        for c in range(6):
            ends = []
            for step in (STEP, -STEP):
                moved, unit = x.copy(), [0.0, 0.0, 0.0]
                unit[c % 3] = step
                if c < 3:
                    moved[side:-1:2] += unit
                ends.append(gaps(features, moved, turned(q, side, tuple(unit)) if c >= 3 else q).gap)
            difference = (ends[0] - ends[1]) / (2.0 * STEP)
            # lines that are nearly parallel have large third derivatives; of 40 random pairs the worst has 1e2
            bound = {"LINE_LINE": 1e-7, "RIM_RIM": 1e-8}.get(kind, 2e-9)
            assert np.abs(difference - rows[:, 6 * side + c]).max() < bound


@pytest.mark.parametrize("kind", KINDS)
def test_a_common_motion_of_both_bodies_changes_no_gap_and_turns_the_normal(kind: str) -> None:
    features, x, q = random_features(2, KINDS[kind])
    before = gaps(features, x, q)
    turn = tuple((np.array([1.0, -2.0, 0.5, 3.0]) / np.sqrt(14.25)).tolist())
    moved = np.array([rotate(turn, tuple(u)) for u in x.tolist()]) + (0.3, -0.2, 0.7)
    both = np.array([multiply(turn, tuple(p)) for p in q.tolist()])
    after = gaps(features, moved, both)
    normal = np.array([rotate(turn, tuple(n)) for n in before.normal.tolist()])
    # numbers of size ten go through two rotations; nearly parallel lines magnify that a hundred times
    assert np.abs(after.gap - before.gap).max() < 1e-13
    assert np.abs(after.normal - normal).max() < 1e-13


@pytest.mark.parametrize("kind", KINDS)
def test_gap_normal_and_points_agree(kind: str) -> None:
    """The points are one gap apart along the normal, and the frame is right-handed and orthonormal."""
    features, x, q = random_features(3, KINDS[kind])
    found = gaps(features, x, q)
    apart = found.on_b - found.on_a
    if kind == "RIM_PLANE":
        # the blurred rim: R FLAT² / (2 sin) with sin > 0.1 in this sample
        assert np.abs(np.einsum("ki,ki->k", apart, found.normal) - found.gap).max() < 1e-7
    else:
        assert np.abs(apart - found.gap[:, None] * found.normal).max() < 1e-13
    # random quaternions are of length 1 to a few roundings
    frame = np.concatenate((found.normal[:, None], found.tangent), axis=1)
    assert np.abs(np.einsum("kai,kbi->kab", frame, frame) - np.eye(3)).max() < 4e-15
    assert np.abs(np.linalg.det(frame) - 1.0).max() < 4e-15


@pytest.mark.parametrize("kind", KINDS)
def test_forces_of_a_feature_are_equal_opposite_and_act_along_one_line(kind: str) -> None:
    """No row has a resultant or a moment: momentum is conserved whatever the forces of contact are."""
    features, x, q = random_features(4, KINDS[kind])
    rows = gaps(features, x, q).rows
    count = len(features.kind)
    for c in range(3):
        force = rows[:, c, :3] + rows[:, c, 6:9]
        assert np.abs(force).max() == 0.0
        moment = np.zeros((count, 3))
        for side in range(2):
            block = rows[:, c, 6 * side : 6 * side + 6]
            own = [
                rotate(tuple(p), tuple(m)) for p, m in zip(q[side:-1:2].tolist(), block[:, 3:].tolist(), strict=True)
            ]
            moment += np.array(own) + np.cross(x[side:-1:2], block[:, :3])
        assert np.abs(moment).max() < 1e-13
