"""The start of a mechanism with loops: some minimal coordinates and rates are given, the others follow from

    c(q₀, p) = 0,      G(q₀, p) v₀ = 0.

Which ones follow is decided once, by the largest pivots of G among those that no parameter holds; so the start is a
function of what is given, and its derivative, with D the columns that follow and I the given ones, is

    ν: G_Dᵀ ν = v̄_D,   v̄_I −= G_Iᵀ ν,   q̄ −= ∂(νᵀ G v₀)/∂q,   p̄ −= ∂(νᵀ G v₀)/∂p,
    μ: G_Dᵀ μ = q̄_D,   q̄_I −= G_Iᵀ μ,                          p̄ −= ∂(μᵀ c)/∂p,

velocities first. νᵀ G v₀ is the virtual power of multipliers ν in the virtual motion v₀: its derivatives are those of
the equations of motion, linear in the multipliers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from dalembert.adjoint.backward import Backward, Look
from dalembert.adjoint.sensitivity import Sensitivity, no_sensitivity
from dalembert.errors import AssemblyError, ModelError
from dalembert.mechanics.kinematics_coordinates import advance_coordinates
from dalembert.model.system import Floats, System

if TYPE_CHECKING:
    from dalembert.model.model import Model

RANK = 1e-8
"""Pivots of G, its rows scaled to 1, below this: a row that follows from the others."""
CLOSED = 1e-13
"""m or rad, to which the start is closed …"""
ROUNDING = 1e-10
"""… unless rounding keeps it from getting there: then below this, when a step no longer halves what is left."""
MAX_ITERATIONS = 50


class StartRows:
    """How the start of a mechanism follows from what is given of it."""

    def __init__(
        self,
        model: Model,
        backward: Backward,
        q: Floats,
        coordinates: Floats,
        positions: Sequence[str],
        velocities: Sequence[str],
    ) -> None:
        """From the mechanism as it stands: ``positions`` and ``velocities`` name the joints that parameters hold."""
        self._near = coordinates.copy()
        rows = look_at(backward, model.system, q, np.zeros(model.system.n_v), self._near).rows
        self._follow_q = _pivots(rows, _columns(model, positions), "initial positions")
        self._follow_v = _pivots(rows, _columns(model, velocities), "initial velocities")

    def close(self, backward: Backward, system: System, q: Floats, v: Floats) -> None:
        """Make what follows fit what is given, in place."""
        step, gap = np.zeros(system.n_v), np.inf
        for _ in range(MAX_ITERATIONS):
            now, before = look_at(backward, system, q, v, self._near), gap
            gap = float(np.abs(now.value).max(initial=0.0))
            if gap <= CLOSED or (gap <= ROUNDING and gap >= 0.5 * before):
                break
            step[self._follow_q] = -_least(now.rows[:, self._follow_q], now.value)
            advance_coordinates(system, step, 1.0, q)
        else:
            raise AssemblyError(
                f"the loops cannot be closed at the start from what the parameters give: they stay open by {gap:.3g} "
                "(m or rad); give the parameters bounds",
                residual=gap,
            )
        rows = look_at(backward, system, q, v, self._near).rows
        v[self._follow_v] = 0.0
        v[self._follow_v] = -_least(rows[:, self._follow_v], rows @ v)

    def pull(self, backward: Backward, system: System, q: Floats, v: Floats, felt: Sensitivity) -> None:
        """From what is felt of the closed start to what is felt of what is given; lengths take their part."""
        zero, place, rate = np.zeros(system.n_v), felt.start, felt.start_rate
        rows = look_at(backward, system, q, v, self._near).rows
        nu = _least(rows[:, self._follow_v].T, rate[self._follow_v])
        rate -= rows.T @ nu
        rate[self._follow_v] = 0.0
        by_place, terms = [], []
        for multiplier in (nu, np.zeros_like(nu)):
            own = no_sensitivity(system, 1)
            seen = backward.look(q, v, self._near, multiplier, v, np.zeros_like(nu), own)
            by_place.append(seen.by_place)
            terms.append(own)
        place += (by_place[0] - by_place[1]).T @ v
        for out, with_nu, without in zip(_points(felt), _points(terms[0]), _points(terms[1]), strict=True):
            out -= with_nu - without
        mu = _least(rows[:, self._follow_q].T, place[self._follow_q])
        place -= rows.T @ mu
        place[self._follow_q] = 0.0
        own = no_sensitivity(system, 1)
        backward.look(q, zero, self._near, np.zeros_like(mu), zero, mu, own)
        for out, more in zip(_points(felt), _points(own), strict=True):
            out += more


def look_at(backward: Backward, system: System, q: Floats, v: Floats, near: Floats) -> Look:
    """Constraints and rows only."""
    zero, none = np.zeros(system.n_v), np.zeros(backward.row_count)
    return backward.look(q, v, near, none, zero, none, no_sensitivity(system, 1))


def _least(a: Floats, b: Floats) -> Floats:
    """The least x that solves a x = b as well as can be."""
    return np.asarray(np.linalg.lstsq(a, b, rcond=RANK)[0], dtype=np.float64)


def _points(felt: Sensitivity) -> tuple[Floats, ...]:
    """What constraints depend on besides coordinates."""
    return felt.parent_point, felt.child_point, felt.length


def _columns(model: Model, joints: Sequence[str]) -> list[int]:
    return [k for name in joints for k in range(model.joints[name].rates.start, model.joints[name].rates.stop)]


def _pivots(rows: Floats, held: Sequence[int], what: str) -> list[int]:
    """The columns with the largest pivots, as many as the rank of the rows; not the ones that are held."""
    sizes = np.linalg.norm(rows, axis=1, keepdims=True)
    # a row that the tree cannot move is rounding, and stays as short
    left = rows / np.where(sizes > RANK * sizes.max(initial=0.0), sizes, 1.0)
    rank = int(np.linalg.matrix_rank(left, tol=RANK)) if left.size else 0
    left[:, list(held)] = 0.0
    found: list[int] = []
    for _ in range(rank):
        i, k = np.unravel_index(np.argmax(np.abs(left)), left.shape)
        if not abs(left[i, k]) > RANK:
            raise ModelError(
                f"{what}: the loops leave fewer degrees of freedom than the parameters hold; leave some of them out"
            )
        found.append(int(k))
        left = left - np.outer(left[:, k], left[i] / left[i, k])
        left[i] = 0.0
        left[:, k] = 0.0
    return found
