"""One trial of a step of the Galerkin integrator, as arrays: what its tests compare."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from naive.galerkin_action import Array, scalar_pairs

import dalembert as da
from dalembert.integrators.galerkin.eliminate import eliminate
from dalembert.integrators.galerkin.memory import Knot, Outside, Path, Solver, make_knot, make_path, make_solver
from dalembert.integrators.galerkin.motion import follow
from dalembert.integrators.galerkin.plan import BALL, COORDINATE, FIRST, MOTION, REVERSED, Plan, make_plan
from dalembert.integrators.galerkin.residual import evaluate
from dalembert.integrators.galerkin.rule import Rule, make_rule
from dalembert.integrators.galerkin.substitute import substitute
from dalembert.spatial.quaternion import conjugate, rotate


class Trial(NamedTuple):
    model: da.Model
    q: Array
    plan: Plan
    rule: Rule
    knot: Knot
    outside: Outside
    path: Path
    solver: Solver
    declared: Array
    """(n_v, n_v) from the integrator's increments to those of the joints as declared: −Q(P) for reversed balls."""
    h: float

    def rows(self, delta: Array) -> Array:
        """(s, n_v) the equations at increments ``delta``."""
        self.path.delta[:] = delta
        gravity = tuple(self.model.system.gravity)
        follow(self.plan, self.rule, self.knot, self.h, self.path)
        evaluate(self.plan, self.rule, self.knot, self.outside, gravity, self.h, self.path)
        return self.path.residual.copy()

    def direction(self, delta: Array) -> Array:
        """(s, n_v) the Newton increment there, by the recursion."""
        residual = self.rows(delta)
        gravity = tuple(self.model.system.gravity)
        args = (self.plan, self.rule, self.knot, self.outside, gravity, self.h, self.path, self.solver)
        assert eliminate(*args) == -1
        substitute(self.plan, self.rule, self.h, residual, self.solver)
        return self.solver.x.copy()


def make_trial(model: da.Model, state: da.State, stages: int, quadrature: str, h: float) -> Trial:
    """A knot at ``state`` with no momentum."""
    system = model.system
    plan = make_plan(system)
    rule = make_rule(stages, quadrature, plan.balls > 0)
    knot = make_knot(plan, rule)
    declared = np.eye(system.n_v)
    for c, v in scalar_pairs(system):
        knot.start[v] = state.coordinates[c]
    for i in np.flatnonzero(plan.node[:-1, MOTION] == BALL):
        c, v = plan.node[i, COORDINATE], plan.node[i, FIRST]
        turn: Any = tuple(state.coordinates[c : c + 4])
        if plan.node[i, REVERSED]:
            turn = conjugate(turn)
            declared[v : v + 3, v : v + 3] = -np.array([rotate(turn, tuple(e)) for e in np.eye(3)]).T
        knot.turn[i] = turn
    outside = Outside(np.zeros(system.n_v), np.zeros((len(rule.weight), model.n_bodies + 1, 6)))
    q = state.coordinates[: system.n_q].copy()
    path, solver = make_path(plan, rule), make_solver(plan, rule)
    return Trial(model, q, plan, rule, knot, outside, path, solver, declared, h)


def derivatives(function: Any, at: Array, step: float = 2e-3) -> Array:
    """(…, outputs, inputs) of a smooth function by differences of eighth order."""
    columns = []
    for k in range(at.size):
        total = 0.0
        for m, c in ((1, 4 / 5), (2, -1 / 5), (3, 4 / 105), (4, -1 / 280)):
            e = np.zeros(at.size)
            e[k] = m * step
            e = e.reshape(at.shape)
            total = total + c * (function(at + e) - function(at - e)) / step
        columns.append(np.ravel(total))
    return np.array(columns).T
