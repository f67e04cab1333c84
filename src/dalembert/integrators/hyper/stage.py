"""One implicit stage in hyper-reduced coordinates, solved by Newton's method with line search.

The stage is that of `dalembert.integrators.implicit.stage` for the independent coordinates. A follower k of i moves
with its leader, so that with q_i = … + ξ_i, v_i = (ξ_i − b)/t, v̇_i = (v_i − c)/t

    ∂q_k/∂ξ_i = f′,     ∂v_k/∂ξ_i = f″ v_i + f′/t,     ∂v̇_k/∂ξ_i = f″ v̇_i + f‴ v_i² + 2 f″ v_i/t + f′/t²,

and Newton's matrix of Jᵀ g has the columns of followers added to those of their leaders, then the rows, and g_k f″.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dalembert._jit import kernel
from dalembert.integrators.implicit.newton import (
    CONVERGED,
    MAX_HALVINGS,
    NO_CONVERGENCE,
    NO_DESCENT,
    NOT_FINITE,
    SINGULAR,
)
from dalembert.integrators.implicit.stage import follow, form_hessian
from dalembert.linalg.dense_lu import factor_lu, solve_lu
from dalembert.mechanics.followers import Followers, follower_function, gather_followers, place_followers
from dalembert.mechanics.reduced_equations import differentiate_equations, evaluate_equations
from dalembert.model.system import Floats, Integers


class HyperStage(NamedTuple):
    """Memory of the reduction (m independent rates); made by `hyper_memory`."""

    demand: Floats
    """(n_v,) t² g before it is gathered."""
    residual: Floats
    """(m,) t² Jᵀ g."""
    step: Floats
    """(m,) Newton's step, and where the line search started."""
    tried: Floats
    weight: Floats
    """(m,) 1/M on the diagonal."""
    hessian: Floats
    """(m, m) factored."""
    pivots: Integers


def hyper_memory(followers: Followers) -> HyperStage:
    """Memory for stages with these followers."""
    m, n_v = followers.free.size, followers.leader.size
    return HyperStage(
        demand=np.zeros(n_v),
        residual=np.zeros(m),
        step=np.zeros(m),
        tried=np.zeros(m),
        weight=np.zeros(m),
        hessian=np.zeros((m, m)),
        pivots=np.zeros(m, np.int64),
    )


@kernel
def solve_hyper_stage(system, stage, followers, hyper, loads, t, tolerance, max_iterations):
    """Find the displacement of the stage; (status, iterations, row of the worst residual).

    Starts from coasting on, ξ = b + t c; converged when a step changes rates by less than ``tolerance``, relative to
    1 + the largest rate.
    """
    for a in range(followers.free.size):
        k = followers.free[a]
        hyper.tried[a] = stage.offset[k] + t * stage.carried[k]
        hyper.step[a] = 0.0
    status, iteration, halvings = NO_CONVERGENCE, 0, 0
    share, merit, length = 1.0, float("inf"), float("inf")
    while True:
        found = _try(system, stage, followers, hyper, loads, share, t)
        if length <= tolerance:
            status = CONVERGED
            break
        if iteration == 0 and not found < float("inf"):
            status = NOT_FINITE
            break
        if iteration > 0 and not (found <= (1.0 - 1e-4 * share) * merit or length <= 1e3 * tolerance):
            if halvings == MAX_HALVINGS:
                status = NO_DESCENT
                break
            halvings += 1
            share *= 0.5
            continue
        if iteration == max_iterations:
            break
        iteration += 1
        if not aim(system, stage, followers, hyper, loads, t, iteration == 1):
            status = SINGULAR
            break
        merit, length = _merit(hyper), _length(stage, followers, hyper, t)
        share, halvings = 1.0, 0
    return status, iteration, _worst(followers, hyper)


@kernel
def evaluate_hyper(system, stage, followers, hyper, loads, t):
    """t² Jᵀ g at the stage's displacement of the independent rates."""
    follow(system, stage, t)
    place_followers(followers, stage.q, stage.v, stage.acceleration)
    evaluate_equations(
        system, stage.equations, loads, stage.q, stage.v, stage.acceleration, stage.multiplier, hyper.demand
    )
    for k in range(hyper.demand.size):
        hyper.demand[k] *= t * t
        stage.residual[k] = hyper.demand[k]
    gather_followers(followers, stage.q, stage.residual)
    for a in range(followers.free.size):
        hyper.residual[a] = stage.residual[followers.free[a]]


@kernel
def form_hyper_hessian(system, stage, followers, hyper, loads, t):
    """Newton's matrix where `evaluate_hyper` was last called, in ``hyper.hessian``."""
    differentiate_equations(system, stage.equations, loads, stage.q)
    form_hessian(system, stage, t)
    derivatives, h = stage.equations.derivatives, stage.hessian
    n = followers.leader.size
    for k in range(n):
        i = followers.leader[k]
        if i >= 0:
            _, f1, f2, f3 = follower_function(followers, k, stage.q[followers.place[i]])
            v, a = stage.v[i], stage.acceleration[i]
            rate, faster = f2 * v + f1 / t, f2 * a + f3 * v * v + 2.0 * f2 * v / t + f1 / (t * t)
            for r in range(n):
                moved = derivatives.by_place[r, k] * f1 + derivatives.by_rate[r, k] * rate
                h[r, i] += t * t * (moved + derivatives.mass[r, k] * faster)
            h[i, i] += f2 * hyper.demand[k]
    for k in range(n):
        i = followers.leader[k]
        if i >= 0:
            f1 = follower_function(followers, k, stage.q[followers.place[i]])[1]
            for c in range(n):
                h[i, c] += f1 * h[k, c]
    for a in range(followers.free.size):
        for b in range(followers.free.size):
            hyper.hessian[a, b] = h[followers.free[a], followers.free[b]]


@kernel
def aim(system, stage, followers, hyper, loads, t, first):
    """Newton's step from where the equations stand; whether there is one."""
    form_hyper_hessian(system, stage, followers, hyper, loads, t)
    for a in range(hyper.step.size):
        if first:
            hyper.weight[a] = 1.0 / stage.equations.derivatives.mass[followers.free[a], followers.free[a]]
        hyper.tried[a] = stage.displacement[followers.free[a]]
        hyper.step[a] = -hyper.residual[a]
    if not factor_lu(hyper.hessian, hyper.pivots):
        return False
    solve_lu(hyper.hessian, hyper.pivots, hyper.step)
    return True


@kernel
def _try(system, stage, followers, hyper, loads, share, t):
    """The merit of a share of Newton's step."""
    for a in range(hyper.step.size):
        stage.displacement[followers.free[a]] = hyper.tried[a] + share * hyper.step[a]
    evaluate_hyper(system, stage, followers, hyper, loads, t)
    return _merit(hyper)


@kernel
def _merit(hyper):
    total = 0.0
    for a in range(hyper.residual.size):
        total += hyper.residual[a] * hyper.residual[a] * hyper.weight[a]
    return total


@kernel
def _length(stage, followers, hyper, t):
    length, speed = 0.0, 1.0
    for a in range(hyper.step.size):
        length = max(length, abs(hyper.step[a]) / t)
        speed = max(speed, 1.0 + abs(stage.v[followers.free[a]]))
    return length / speed


@kernel
def _worst(followers, hyper):
    worst, row = -1.0, -1
    for a in range(hyper.residual.size):
        size = abs(hyper.residual[a])
        if size > worst or size != size:
            worst, row = size, followers.free[a]
    return row
