"""States that fit the joints: poses moved onto the constraints, then velocities, both in the metric of the masses.

Positions. At each iterate the increment δz minimises ½ δzᵀ M δz + |G δz + g|²/(2 ε), that is

    [ M  −Gᵀ ] [δz]   [  0 ]
    [ G   εI ] [ μ] = [ −g ]

with ε proportional to |g|: a Levenberg–Marquardt method, which converges quadratically even where constraints are
redundant [Yamashita & Fukushima 2001], so that nothing has to be known of their rank far from the solution. Velocities
take the same system with ε = 0 at the assembled poses, where redundant rows are exact and the factorisation reveals
them: ż changes by M⁻¹ Gᵀ μ, as an impulse of the constraints would change it.

A joint that is held is locked for the time being: its free components become rows with the held values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dalembert._jit import kernel
from dalembert.errors import AssemblyError, ModelError
from dalembert.linalg.factor import factor_revealing_rank
from dalembert.linalg.solve import solve
from dalembert.mechanics.constraint_graph import constraint_graph, fill_saddle
from dalembert.mechanics.constraints import evaluate_constraints
from dalembert.mechanics.kinematics import joint_coordinates, joint_rates, product_rates
from dalembert.mechanics.turns import evaluate_turns, relative_turns
from dalembert.mechanics.user_functions import CustomRows
from dalembert.mechanics.violations import constraint_rates, worst_joint
from dalembert.model.state import State
from dalembert.model.system import CUSTOM, Floats, Integers, System
from dalembert.spatial.quaternion import exp, multiply, normalize, row4, set_row4
from dalembert.spatial.vector import add, part3, row3, set_row3

if TYPE_CHECKING:
    from dalembert.model.model import Model

RANK = 1e-9
"""Pivots of closing joints below this, relative to what was cancelled in them, are redundant rows."""
MAX_ITERATIONS = 200
MAX_HALVINGS = 30
MAX_CORRECTIONS = 5


@dataclass(frozen=True, eq=False)
class Assembly:
    """A state in which the joints fit."""

    state: State
    residual: float
    """Largest violation of a position constraint that is left, m or rad."""
    dof: int
    """Degrees of freedom at this configuration, held joints counted as free."""
    redundant: int
    """Rows of constraints that follow from the others at this configuration."""


def assemble(model: Model, state: State, hold: Sequence[str] = (), tol: float = 1e-12) -> Assembly:
    """Move poses, then velocities, onto the constraints with the least motion in the metric of the masses.

    Args:
        model: the mechanism.
        state: a rough start.
        hold: joints whose coordinates and rates keep their values.
        tol: the largest violation to accept, m or rad, for constraints and held coordinates.

    Raises:
        AssemblyError: no configuration near the start fits.
    """
    held = _Problem(model, state, _held_components(model, hold))
    residual, joint = held.close(tol)
    if residual > tol:
        raise AssemblyError(
            f'the joints cannot be closed from here: joint "{joint}" stays open by {residual:.3g} (m or rad)'
            + (
                f" while {', '.join(hold)} keep their values; hold fewer joints or start nearer"
                if hold
                else "; start nearer to a configuration that fits"
            ),
            residual=residual,
            worst=joint,
        )
    slip, joint = held.stop()
    scale = 1.0 + float(
        np.abs(np.concatenate([state.velocity.ravel(), state.angular_velocity.ravel()])).max(initial=0.0)
    )
    # poses that are open by the residual leave redundant rows at odds by as much
    if slip > max(1e-8, residual) * scale:
        raise AssemblyError(
            f'no velocities fit the joints here: joint "{joint}" is torn apart by {slip:.3g} (m/s or rad/s)'
            + (f" while {', '.join(hold)} keep their rates; hold fewer joints" if hold else ""),
            residual=slip,
            worst=joint,
        )
    fitted = held.state()
    free = _Problem(model, fitted, np.zeros((len(model.joints), 6), dtype=np.int64))
    rows, redundant = free.rank()
    return Assembly(fitted, residual, 6 * model.n_bodies - rows + redundant, redundant)


class _Problem:
    """Constraints of a model and of held components at poses that move."""

    def __init__(self, model: Model, state: State, held: Integers) -> None:
        system = model.system
        n, m = model.n_bodies, system.joint_kind.size
        self._system, self._names, self._held = system, list(model.joints), held
        self._active = np.maximum(system.locked, held)
        # the graph sees held components as locked; the evaluation of constraints sees them as coordinates
        self._graph, pattern = constraint_graph(system._replace(locked=self._active), self._active)
        self._values, self._scratch, self._rhs = pattern.values(), pattern.workspace(), np.zeros(pattern.n_rows)
        self._deficiency = np.zeros(n + m, dtype=np.int64)
        self._custom = CustomRows(model) if np.any(system.joint_kind == CUSTOM) else None
        self.position, self.orientation, velocity, angular_velocity = state.with_world()
        self.velocity = np.hstack([velocity, angular_velocity])
        self._start = state
        self._value, self._jacobian = np.zeros((m, 6)), np.zeros((system.incidence_body.size, 6, 6))
        self._turns = np.zeros((m, 4))
        relative_turns(system, held, self.position, self.orientation, self._turns)
        self._target, self._rate = np.zeros((m, 6)), np.zeros((m, 6))
        for j in np.flatnonzero(held.any(axis=1)).tolist():
            self._aim(j, np.flatnonzero(held[j]).tolist())

    def _aim(self, j: int, components: list[int]) -> None:
        """Targets of a joint that is held: its coordinates and rates. A turn is held where it is: its value is zero."""
        system, start = self._system, self._start
        turning = system.n_coordinates[j] > system.n_rates[j]
        for k, c in enumerate(components):
            if not (turning and c >= 3):
                self._target[j, c] = start.coordinates[system.q_start[j] + k]
            self._rate[j, c] = start.rates[system.v_start[j] + k]

    def evaluate(self) -> tuple[float, str]:
        """Values and Jacobians at the poses; (largest violation, its joint)."""
        system = self._system
        evaluate_constraints(
            system,
            self._active,
            self._start.coordinates,
            self.position,
            self.orientation,
            self._value,
            self._jacobian,
        )
        evaluate_turns(system, self._held, self._turns, self.position, self.orientation, self._value, self._jacobian)
        if self._custom is not None:
            self._custom.evaluate(self.position, self.orientation, self._value, self._jacobian)
        return worst_joint(self._names, self._active, self._value - self._target)

    def close(self, tol: float) -> tuple[float, str]:
        """Move the poses until all constraints hold; (largest violation left, its joint)."""
        gap, joint = self.evaluate()
        softness = 1e-3 * gap / float(np.mean(self._system.mass[:-1]))
        for _ in range(MAX_ITERATIONS):
            if gap <= tol:
                break
            position, orientation = self.position.copy(), self.orientation.copy()
            step = self._solve(softness, self._target - self._value)
            share = 1.0
            for _ in range(MAX_HALVINGS):
                self._move(position, orientation, share * step)
                found, worst = self.evaluate()
                if found < gap:
                    break
                share *= 0.5
            else:
                self._move(position, orientation, 0.0 * step)
                self.evaluate()
                break
            # trust the linear model more the better it did; near a solution this is proportional to the gap or faster
            softness *= (0.1 if share == 1.0 else 10.0) * found / gap
            gap, joint = found, worst
        return gap, joint

    def slip(self) -> tuple[float, str]:
        """Largest violation of the constraints by the velocities, m/s or rad/s, and its joint; poses evaluated."""
        rates = constraint_rates(self._system, self._jacobian, self.velocity)
        return worst_joint(self._names, self._active, rates - self._rate)

    def stop(self) -> tuple[float, str]:
        """Project the velocities; (largest violation left, its joint). Corrections of corrections, against rounding."""
        left = self.slip()
        for _ in range(MAX_CORRECTIONS):
            before = self.velocity.copy()
            self._project()
            found = self.slip()
            if not found[0] < left[0]:
                self.velocity[:] = before
                break
            left = found
        return left

    def state(self) -> State:
        """The state at the present poses and velocities."""
        system, start = self._system, self._start
        coordinates, rates = start.coordinates.copy(), start.rates.copy()
        velocity, angular = self.velocity[:, :3].copy(), self.velocity[:, 3:].copy()
        joint_coordinates(system, self.position, self.orientation, coordinates, coordinates)
        joint_rates(system, self.position, self.orientation, velocity, angular, rates)
        product_rates(system, coordinates, self.position, self.orientation, velocity, angular, rates)
        return State(
            self.position[:-1], self.orientation[:-1], velocity[:-1], angular[:-1], coordinates, rates, start.time
        )

    def rank(self) -> tuple[int, int]:
        """(rows, redundant rows) at the poses.

        The rank depends neither on masses nor on units: with unit masses and lengths in units of the mechanism's own
        all pivots are of order one, and a redundant row stands out even where real bodies are thin or heavy.
        """
        system = self._system
        self.evaluate()
        self._jacobian[:, :3, 3:] /= _length(system)
        inertia = np.zeros_like(system.inertia)
        inertia[:] = np.eye(3)
        unit = system._replace(mass=np.ones_like(system.mass), inertia=inertia)
        fill_saddle(unit, self._graph, self._jacobian, 0.0, self._values)
        self._factor()
        return int(self._active.sum()), int(self._deficiency.sum())

    def _project(self) -> None:
        """Add the smallest change of velocities, in the metric of the masses, that takes the violation away."""
        rates = constraint_rates(self._system, self._jacobian, self.velocity)
        self.velocity[:-1] += self._solve(0.0, self._rate - rates)

    def _solve(self, softness: float, rows: Floats) -> Floats:
        """(n, 6) M⁻¹ Gᵀ μ with G M⁻¹ Gᵀ μ + softness μ = rows (m, 6)."""
        fill_saddle(self._system, self._graph, self._jacobian, softness, self._values)
        self._rhs[:] = 0.0
        self._put_rows(rows)
        self._factor()
        solve(self._graph.pattern, self._values, self._rhs)
        return self._rhs[: 6 * (len(self.position) - 1)].reshape(-1, 6).copy()

    def _put_rows(self, rows: Floats) -> None:
        graph = self._graph
        for j in range(len(rows)):
            first = graph.joint_unknown[j]
            self._rhs[first : first + graph.n_rows[j]] = rows[j, self._active[j] > 0]

    def _factor(self) -> None:
        graph = self._graph
        factor_revealing_rank(graph.pattern, self._values, graph.closing, RANK, self._scratch, self._deficiency)

    def _move(self, position: Floats, orientation: Floats, step: Floats) -> None:
        move_poses(position, orientation, step, self.position, self.orientation)


@kernel
def move_poses(position, orientation, step, moved_position, moved_orientation):
    """x + δx and q · exp(η) for every body with a row (δx, η) in ``step``."""
    for i in range(step.shape[0]):
        set_row3(moved_position, i, add(row3(position, i), part3(step, i, 0)))
        set_row4(moved_orientation, i, normalize(multiply(row4(orientation, i), exp(part3(step, i, 3)))))


def _length(system: System) -> float:
    """The mean distance of joints from the centres of mass of the bodies that they touch, m; 1 where there is none."""
    world = system.mass.size - 1
    parents, children = system.joint_parent < world, system.joint_child < world
    arms = np.linalg.norm(np.vstack([system.parent_point[parents], system.child_point[children]]), axis=1)
    arms = arms[arms > 0.0]
    return float(arms.mean()) if arms.size else 1.0


def _held_components(model: Model, hold: Sequence[str]) -> Integers:
    """(m, 6) 1 for the free components of joints to hold."""
    held = np.zeros((len(model.joints), 6), dtype=np.int64)
    for name in (hold,) if isinstance(hold, str) else hold:
        j = model.joint_index(name)
        joint = model.joints[name]
        if not joint.kind.coordinate_names:
            raise ModelError(f'hold: expected joints with coordinates, found "{name}", a {joint.kind.name}')
        held[j, list(joint.components)] = 1
    return held
