"""From knot to knot: where a step starts to look, and what it leaves."""

from dalembert._jit import kernel
from dalembert.integrators.galerkin.chart import bend, inverse_coefficients, turn_coefficients
from dalembert.integrators.galerkin.plan import BALL, DOFS, FIRST, MOTION
from dalembert.spatial.quaternion import exp, log, multiply, normalize, relative, rotate_back, row4, set_row4

GOING_ON = 2
"""A step starts from the polynomials of the last one, continued."""
COASTING = 1
"""It starts at the rates of the last one's end."""
RESTING = 0
"""It starts at the knot."""


@kernel
def start_increments(plan, rule, h, knot, path, start):
    """Increments to begin with, in one of the three ways above."""
    s = path.delta.shape[0]
    for g in range(s):
        for v in range(path.delta.shape[1]):
            value = 0.0
            if start == COASTING:
                value = h * rule.control[g + 1] * knot.ending[v]
            elif start == GOING_ON:
                for k in range(s):
                    value += rule.ahead[g, k + 1] * knot.past[k, v]
            path.delta[g, v] = value
    if start != GOING_ON:
        return
    for i in range(plan.node.shape[0] - 1):
        if plan.node[i, MOTION] == BALL:
            # from the chart about the last knot to the one about this: exp(ξ') = exp(−ξ^s) exp(ξ^s + what comes)
            v = plan.node[i, FIRST]
            end = (knot.past[s - 1, v], knot.past[s - 1, v + 1], knot.past[s - 1, v + 2])
            back = exp(end)
            for g in range(s):
                on = (end[0] + path.delta[g, v], end[1] + path.delta[g, v + 1], end[2] + path.delta[g, v + 2])
                xi = log(relative(back, exp(on)))
                path.delta[g, v], path.delta[g, v + 1], path.delta[g, v + 2] = xi


@kernel
def move_on(plan, rule, h, knot, path):
    """To the end of the solved step.

    What is left of the equations is handed on with the momentum, so that rounding errors and those of Newton's method
    do not add up in momenta that are conserved: the sum over the control points is the balance over the step.
    """
    s = path.delta.shape[0]
    for v in range(knot.start.size):
        rate = 0.0
        for g in range(s):
            knot.past[g, v] = path.delta[g, v]
            rate += rule.final[g + 1] * path.delta[g, v]
        knot.ending[v] = rate / h
    for i in range(plan.node.shape[0] - 1):
        first = plan.node[i, FIRST]
        if plan.node[i, MOTION] == BALL:
            _move_ball(knot, path, i, first)
            continue
        for v in range(first, first + plan.node[i, DOFS]):
            knot.start[v] += path.delta[s - 1, v]
            knot.momentum[v] = path.ending[v]
            for g in range(s):
                knot.momentum[v] += path.residual[g, v]
    knot.age[0] = 1


@kernel
def _move_ball(knot, path, i, v):
    s = path.delta.shape[0]
    xi = (path.delta[s - 1, v], path.delta[s - 1, v + 1], path.delta[s - 1, v + 2])
    turn = exp(xi)
    set_row4(knot.turn, i, normalize(multiply(row4(knot.turn, i), turn)))
    c3, _ = inverse_coefficients(xi)
    p = bend(xi, (path.ending[v], path.ending[v + 1], path.ending[v + 2]), -0.5, c3)
    left = rotate_back(turn, (path.residual[0, v], path.residual[0, v + 1], path.residual[0, v + 2]))
    c1, c2, _, _, _, _ = turn_coefficients(xi)
    w = bend(xi, (knot.ending[v], knot.ending[v + 1], knot.ending[v + 2]), -c1, c2)
    for k in range(3):
        knot.momentum[v + k] = p[k] + left[k]
        knot.ending[v + k] = w[k]
