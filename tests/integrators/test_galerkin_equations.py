"""The equations of the Galerkin integrator against the action that they come from, and the Newton direction in O(n)
against dense linear algebra, on random trees of all joint kinds."""

from typing import Any

import numpy as np
import pytest
from integrators.galerkin_trial import derivatives, make_trial
from naive.galerkin_action import Array, action, free_turns, moved

from dalembert import zoo
from dalembert.integrators.galerkin.plan import BALL, FIRST, MOTION, REVERSED, make_plan
from dalembert.spatial.rotation import log_rate_transposed

PLAIN: dict[str, float] = {}
SPRUNG = {"stiffness": 3.0, "armature": 0.3}
DAMPED = {**SPRUNG, "damping": 0.4}
RULES = ((1, "lobatto"), (2, "lobatto"), (3, "lobatto"), (2, "gauss"))


@pytest.mark.parametrize(("stages", "quadrature"), RULES)
@pytest.mark.parametrize(("seed", "options"), [(0, PLAIN), (1, SPRUNG)], ids=["plain", "sprung"])
def test_equations_are_derivatives_of_the_action(
    stages: int, quadrature: str, seed: int, options: dict[str, Any]
) -> None:
    """∂S by every control point, and for the knot by the start at a fixed end; differences are good to 1e-11."""
    model = zoo.random_tree(14, seed, **options)
    system = model.system
    trial = make_trial(model, zoo.random_state(model, seed), stages, quadrature, 0.1)
    delta = 0.1 * np.random.default_rng(seed).normal(size=(stages, system.n_v))
    rows, declared, rest = trial.rows(delta), delta @ trial.declared.T, np.zeros((1, system.n_v))

    def by_control(x: Array) -> float:
        return action(model, trial.rule, 0.1, trial.q, np.vstack([rest, x]))

    def by_knot(x: Array) -> float:
        return action(model, trial.rule, 0.1, moved(system, trial.q, x), np.vstack([rest, declared]))

    slope = derivatives(by_control, declared).reshape(delta.shape)
    own = slope @ trial.declared
    assert np.abs(rows[1:] - own[:-1]).max(initial=0.0) < 4e-11
    assert np.abs(trial.path.ending - own[-1]).max() < 4e-11

    balance = derivatives(by_knot, rest[0])[0] - slope[-1]
    total = rows.sum(axis=0)
    crossed = {v for i, v in _balls(model) if trial.plan.node[i, REVERSED]}
    for _, v in free_turns(system):
        turn: Any = tuple(-declared[-1, v : v + 3])
        balance[v : v + 3] += slope[-1, v : v + 3] - np.array(log_rate_transposed(turn, tuple(slope[-1, v : v + 3])))
        total[v : v + 3] = rows[0, v : v + 3]
    for v in crossed:
        # the declared turn of a crossed joint comes last in its chain: another function of the same action
        balance[v : v + 3] = total[v : v + 3] = 0.0
    assert np.abs(total - balance).max() < 4e-11


def _balls(model: Any) -> list[tuple[int, int]]:
    plan = make_plan(model.system)
    return [(int(i), int(plan.node[i, FIRST])) for i in np.flatnonzero(plan.node[:-1, MOTION] == BALL)]


@pytest.mark.parametrize(("stages", "quadrature"), RULES)
@pytest.mark.parametrize(("seed", "options"), [(0, PLAIN), (1, PLAIN), (0, DAMPED), (1, DAMPED)])
def test_newton_direction_is_that_of_the_dense_matrix(
    stages: int, quadrature: str, seed: int, options: dict[str, Any]
) -> None:
    """The dense matrix by differences of the equations, with wrenches and drives."""
    model = zoo.random_tree(14, seed, **options)
    trial = make_trial(model, zoo.random_state(model, seed), stages, quadrature, 0.1)
    random = np.random.default_rng(seed)
    trial.outside.joint_force[:] = random.normal(size=model.system.n_v)
    trial.outside.wrench[:, :-1] = random.normal(size=6)
    delta = 0.1 * random.normal(size=(stages, model.system.n_v))
    dense = derivatives(trial.rows, delta)
    expected = np.linalg.solve(dense, -trial.rows(delta).ravel())
    assert np.abs(trial.direction(delta).ravel() - expected).max() < 1e-9
