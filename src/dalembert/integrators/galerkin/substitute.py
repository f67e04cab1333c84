"""Newton increments for a right-hand side, with an elimination that is kept: O(s² n).

[Fan 2018] algorithm B.1: the terms l, ζ, ξ, y of the backward pass, then lines 14 to 25.
"""

from math import isfinite

from dalembert._jit import kernel
from dalembert.integrators.galerkin.plan import BALL, DOFS, FIRST, MOTION, PARENT


@kernel
def substitute(plan, rule, h, residual, solver):
    """``solver.x`` ← the increments that the rows ``residual`` (s, ν) call for."""
    nodes, y, z = plan.node.shape[0] - 1, solver.y, solver.z
    for i in range(nodes + 1):
        for c in range(y.shape[1]):
            y[i, c] = 0.0
        for c in range(z.shape[1]):
            z[i, c] = 0.0
    for i in range(nodes - 1, -1, -1):
        if plan.node[i, DOFS] > 0:
            _inward(plan, rule, h, residual, solver, i)
        parent = plan.node[i, PARENT]
        for c in range(y.shape[1]):
            y[parent, c] += y[i, c]
    for i in range(nodes):
        _outward(plan, rule, h, solver, i)


@kernel
def _dot(screw, at, values, first):
    total = 0.0
    for c in range(6):
        total += screw[at + c] * values[first + c]
    return total


@kernel
def _inward(plan, rule, h, residual, solver, i):
    """x = −Λ⁻¹ (r + R y), y += H x."""
    first, dofs, s = plan.node[i, FIRST], plan.node[i, DOFS], solver.x.shape[0]
    y, side, m, ball = solver.y[i], solver.side, s * dofs, plan.node[i, MOTION] == BALL
    for k in range(dofs):
        side[m + k] = 0.0
        for g in range(s):
            side[g * dofs + k] = residual[g, first + k]
        for a in range(rule.weight.size):
            screw, share = solver.screw[first + k, a], rule.weight[a] * h
            momentum = 6 * (rule.n_pushed + a)
            by_momentum = _dot(screw, 0, y, momentum)
            push = share * _dot(screw, 6, y, momentum)
            if rule.pushed[a] >= 0:
                push += _dot(screw, 0, y, 6 * rule.pushed[a])
            for g in range(1 if ball else 0, s + 1 if ball else s):
                row = m + k if g == s else g * dofs + k
                side[row] += rule.weight[a] * rule.slope[a, g] * by_momentum + rule.phi[a, g] * push
            if ball:
                side[k] += share * _dot(screw, 18, y, momentum) + _dot(screw, 12, y, 6 * rule.pushed[a])
    if ball:
        for k in range(3):
            for l in range(3):
                side[k] -= solver.back[first + k, l] * side[m + l]
    pivot = solver.pivot[i]
    for g in range(s):
        for k in range(dofs):
            value = 0.0
            for r in range(m):
                value -= pivot[(g * dofs + k) * m + r] * side[r]
            solver.x[g, first + k] = value
            left = solver.left[first + k, g]
            for c in range(y.size):
                y[c] += left[c] * value


@kernel
def _outward(plan, rule, h, solver, i):
    """x += X z of the parent; z = z of the parent + B x."""
    first, dofs, s = plan.node[i, FIRST], plan.node[i, DOFS], solver.x.shape[0]
    above, z = solver.z[plan.node[i, PARENT]], solver.z[i]
    for c in range(z.size):
        z[c] = above[c]
    for v in range(first, first + dofs):
        for g in range(s):
            right, value = solver.right[v, g], solver.x[g, v]
            for c in range(z.size):
                value += right[c] * above[c]
            solver.x[g, v] = value
        for a in range(rule.weight.size):
            screw, at = solver.screw[v, a], 6 * (rule.n_turned + a)
            by_value, by_rate = 0.0, 0.0
            for g in range(s):
                by_value += rule.phi[a, g + 1] * solver.x[g, v]
                by_rate += rule.slope[a, g + 1] * solver.x[g, v]
            by_rate /= h
            for c in range(6):
                z[at + c] += screw[c] * by_rate + screw[6 + c] * by_value
            if rule.turned[a] >= 0:
                turned = 6 * rule.turned[a]
                for c in range(6):
                    z[turned + c] += screw[c] * by_value


@kernel
def largest(plan, increments, length):
    """The largest increment, in radians or in parts of ``length``."""
    worst = 0.0
    for i in range(plan.node.shape[0] - 1):
        for v in range(plan.node[i, FIRST], plan.node[i, FIRST] + plan.node[i, DOFS]):
            scale = 1.0 / length if plan.node[i, MOTION] == 1 else 1.0
            for g in range(increments.shape[0]):
                size = scale * abs(increments[g, v])
                # a comparison with what is no number is false: hand it on
                if not isfinite(size):
                    return size
                worst = max(worst, size)
    return worst
