"""Newton's method with line search on one stage.

The merit that a step must lower is Σ r²/M (r = t² g, M the diagonal of the mass matrix) plus the squares of the
constraints in the mean mass: what is left to move, as an energy. A step that is taken in full when it is already small
needs no test: its successor would be its square. A force that switches on (a contact with a damper, a friction that
starts to slip) can raise the merit along every direction that leads to the solution; where halving finds no descent,
the step is therefore taken in full, a few times.
"""

from dalembert._jit import kernel
from dalembert.integrators.implicit.saddle import factor_saddle, solve_saddle
from dalembert.integrators.implicit.stage import follow, form_hessian, form_rows
from dalembert.mechanics.reduced_equations import differentiate_equations, evaluate_equations, largest_gap

CONVERGED = 0
NO_CONVERGENCE = 1
NO_DESCENT = 2
SINGULAR = 3
NOT_FINITE = 4
MAX_HALVINGS = 12
MAX_LEAPS = 6
"""Steps in full where there is no descent."""
ROUNDING = 1e3
"""Steps up to this many tolerances long are taken even if rounding hides what they gain."""


@kernel
def solve_stage(system, stage, loads, t, tolerance, max_iterations):
    """Find the displacement of the stage; (status, iterations, row of the worst residual).

    Starts from coasting on: ξ = b + t c. Converged when a step changes rates by less than ``tolerance`` (relative to
    1 + the largest rate) and the loops are closed to it.
    """
    for k in range(system.n_v):
        stage.tried[k] = stage.offset[k] + t * stage.carried[k]
        stage.step[k] = 0.0
    for i in range(stage.kept.size):
        stage.kept[i], stage.change[i] = stage.multiplier[i], 0.0
    status, iteration, halvings, leaps, leaping = NO_CONVERGENCE, 0, 0, 0, False
    share, merit, length, closed = 1.0, float("inf"), float("inf"), False
    # every call takes the whole mechanism along and costs time to compile: each stands here once
    while True:
        found = _try(system, stage, loads, share, t)
        if length <= tolerance and closed:
            status = CONVERGED
            break
        if iteration == 0 and not found < float("inf"):
            status = NOT_FINITE
            break
        gained = found <= (1.0 - 1e-4 * share) * merit
        rounded = halvings == 0 and length <= ROUNDING * tolerance and found < float("inf")
        leaps_on = leaping and found < float("inf")
        if iteration > 0 and not (gained or rounded or leaps_on):
            if halvings == MAX_HALVINGS:
                if leaps == MAX_LEAPS or leaping:
                    status = NO_DESCENT
                    break
                leaps, leaping, share = leaps + 1, True, 1.0
                continue
            halvings += 1
            share *= 0.5
            continue
        if iteration == max_iterations:
            break
        iteration += 1
        length, closed, merit = _aim(system, stage, loads, t, tolerance, iteration == 1)
        if not length < float("inf"):
            status = SINGULAR
            break
        share, halvings, leaping = 1.0, 0, False
    return status, iteration, _worst(stage.residual)


@kernel
def _aim(system, stage, loads, t, tolerance, first):
    """Newton's step from where the equations stand; (its length in rates, relative to 1 + the largest rate; whether the
    loops are closed; the merit here). The length is infinite if there is no step."""
    loops = stage.equations.loops
    differentiate_equations(system, stage.equations, loads, stage.q)
    form_hessian(system, stage, t)
    form_rows(system, stage)
    if first:
        for k in range(system.n_v):
            stage.weight[k] = 1.0 / stage.equations.derivatives.mass[k, k]
    gap, _ = largest_gap(loops)
    regular, rank = factor_saddle(stage, gap)
    if not regular:
        return float("inf"), False, 0.0
    length, speed = 0.0, 1.0
    for k in range(system.n_v):
        stage.step[k] = -stage.residual[k]
        stage.tried[k] = stage.displacement[k]
    for i in range(stage.kept.size):
        stage.change[i] = -loops.value[loops.row_joint[i], loops.row_component[i]]
        stage.kept[i] = stage.multiplier[i]
    solve_saddle(stage, rank, stage.step, stage.change)
    for k in range(system.n_v):
        length = max(length, abs(stage.step[k]) / t)
        speed = max(speed, 1.0 + abs(stage.v[k]))
    return length / speed, gap <= tolerance, _merit(stage, loops)


@kernel
def _try(system, stage, loads, share, t):
    """The merit of a share of Newton's step."""
    for k in range(stage.step.size):
        stage.displacement[k] = stage.tried[k] + share * stage.step[k]
    for i in range(stage.change.size):
        stage.multiplier[i] = stage.kept[i] + share * stage.change[i] / (t * t)
    follow(system, stage, t)
    evaluate_equations(
        system, stage.equations, loads, stage.q, stage.v, stage.acceleration, stage.multiplier, stage.residual
    )
    for k in range(stage.residual.size):
        stage.residual[k] *= t * t
    return _merit(stage, stage.equations.loops)


@kernel
def _merit(stage, loops):
    total, mass = 0.0, 0.0
    for k in range(stage.residual.size):
        total += stage.residual[k] * stage.residual[k] * stage.weight[k]
        mass += 1.0 / stage.weight[k] if stage.weight[k] > 0.0 else 0.0
    for i in range(loops.row_joint.size):
        gap = loops.value[loops.row_joint[i], loops.row_component[i]]
        total += mass / stage.residual.size * gap * gap
    return total


@kernel
def _worst(residual):
    """The rate whose equation is violated most."""
    worst, row = -1.0, -1
    for k in range(residual.size):
        size = abs(residual[k])
        if size != size:
            return k
        if size > worst:
            worst, row = size, k
    return row
