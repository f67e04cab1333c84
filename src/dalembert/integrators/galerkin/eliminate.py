"""The Newton direction in O(s³ n): unknowns are eliminated node by node from the leaves inwards.

[Fan 2018] algorithm B.2, written for joints of several degrees of freedom, any quadrature and dense blocks. Bars are
variations in the axes of a moving frame (section C.2 there). With z the variations (η; δ̄v) of a node's frame at all
quadrature points and x those of its own unknowns, from eqs. (C.3) and (C.19),

    z = z_parent + B x,     B: η^a = φ_aγ S,     δ̄v^a = (b_aγ/h) S + φ_aγ Ṡ,

where Ṡ is the whole rate of S, whether or not S is constant in the parent's frame. All that hangs on the node answers
with y = (δ̄Γ; δ̄μ) = K z + k, in the node's frame; in the parent's frame that is (C.22, C.23)

    y = K z_parent + H x + k,    H = K B − A,    A: φ_aγ ad*_S Γ^a and φ_aγ ad*_S μ^a.

The equations of the node are, with R the rows [φ_aα S at Γ^a; w_a b_aα S + w_a h φ_aα Ṡ at μ^a] of `residual`,

    R y + E z_parent + Λ₀ x = −r,    E: −w_a h φ_aα ad*_S μ^a at v^a,    Λ₀: the node's own terms,

so x = X z_parent − Λ⁻¹ (r + R k) with Λ = R H + Λ₀, X = −Λ⁻¹ (R K + E); and K + H X goes to the parent. In the paper D,
G, Π, Ψ are the four parts of K, and H, Φ those of H. Everything is about one point of the world, the reference point of
the first node at the first quadrature point: it is at rest while the unknowns vary.
"""

from dalembert._jit import kernel
from dalembert.integrators.galerkin.chart import bend, bend_rate, inverse_coefficients
from dalembert.integrators.galerkin.memory import (
    ARM_NOW,
    IMPULSE,
    INERTIA_NOW,
    MOMENTUM,
    POINT,
    SCREW,
    SCREW_RATE,
    STILL,
)
from dalembert.integrators.galerkin.own_terms import P_V, P_X, R_V, R_X, Z_V, Z_X, own_blocks
from dalembert.integrators.galerkin.plan import (
    BALL,
    BODY,
    BUFFER,
    DOFS,
    FIRST,
    FRESH,
    HANDED,
    MASS,
    MOTION,
    PARENT,
)
from dalembert.linalg.pivots import REGULAR, invert_with_exchanges
from dalembert.spatial.vector import add, axpy, cross, part3, scale, set_part3, sub, unit


@kernel
def eliminate(plan, rule, knot, outside, gravity, h, path, solver):
    """Factor the Newton matrix of a trial that `evaluate` has been through; the node whose pivot is singular, or −1."""
    nodes = plan.node.shape[0] - 1
    z = 6 * (rule.n_turned + rule.weight.size)
    for i in range(nodes - 1, -1, -1):
        matrix = solver.buffer[plan.node[i, BUFFER]]
        if plan.node[i, FRESH]:
            for r in range(matrix.shape[0]):
                for c in range(z):
                    matrix[r, c] = 0.0
        if plan.node[i, BODY] >= 0:
            _add_body(plan, rule, outside, gravity, h, path, i, matrix)
        if plan.node[i, DOFS] > 0:
            _about_common_point(plan, rule, path, solver, i)
            _columns(plan, rule, h, path, solver, i, matrix, z)
            own_blocks(plan, rule, knot, path, outside.joint_force, h, i, solver.block)
            _rows(plan, rule, h, path, solver, i, matrix, z)
            if plan.node[i, MOTION] == BALL:
                _balance_row(plan, rule, h, path, solver, i, matrix, z)
            if not _solve_pivot(plan, solver, i, matrix, z):
                return i
        parent = plan.node[i, PARENT]
        if parent < nodes:
            if plan.node[i, DOFS] > 0:
                _condense(plan, solver, i, matrix, z)
            if not plan.node[i, HANDED]:
                _add_to(matrix, solver.buffer[plan.node[parent, BUFFER]], z)
    return -1


@kernel
def _origin(path):
    return part3(path.node[0], 0, POINT)


@kernel
def _add_body(plan, rule, outside, gravity, h, path, i, matrix):
    """K += the body's spatial inertia in δ̄μ = M δ̄v, and in δ̄Γ the force f = (f×η; c×(f×η)) that keeps its direction."""
    here, mass, body = path.node[i], plan.fixed[i, MASS], plan.node[i, BODY]
    for a in range(rule.weight.size):
        c = add(sub(part3(here, a, POINT), _origin(path)), part3(here, a, ARM_NOW))
        row, column = 6 * (rule.n_pushed + a), 6 * (rule.n_turned + a)
        square = c[0] * c[0] + c[1] * c[1] + c[2] * c[2]
        for k in range(3):
            e = unit(k)
            matrix[row + k, column + k] += mass
            # m e×c from turning, m c×e about the point
            swept = scale(mass, cross(e, c))
            for l in range(3):
                matrix[row + l, column + 3 + k] += swept[l]
                matrix[row + 3 + k, column + l] += swept[l]
                matrix[row + 3 + k, column + 3 + l] -= mass * c[k] * c[l]
            matrix[row + 3 + k, column + 3 + k] += mass * square + here[a, INERTIA_NOW + k]
        yz, xz, xy = here[a, INERTIA_NOW + 3], here[a, INERTIA_NOW + 4], here[a, INERTIA_NOW + 5]
        matrix[row + 4, column + 5] += yz
        matrix[row + 5, column + 4] += yz
        matrix[row + 3, column + 5] += xz
        matrix[row + 5, column + 3] += xz
        matrix[row + 3, column + 4] += xy
        matrix[row + 4, column + 3] += xy
        if rule.turned[a] >= 0 and rule.pushed[a] >= 0:
            row, column = 6 * rule.pushed[a], 6 * rule.turned[a]
            force = scale(rule.weight[a] * h, axpy(mass, gravity, part3(outside.wrench[a], body, 0)))
            for k in range(3):
                pull = cross(force, unit(k))
                twist = cross(c, pull)
                for l in range(3):
                    matrix[row + l, column + 3 + k] += pull[l]
                    matrix[row + 3 + l, column + 3 + k] += twist[l]


@kernel
def _about_common_point(plan, rule, path, solver, i):
    """Screws and their rates about the common point: (b; a) → (b + r×a; a)."""
    first, here = plan.node[i, FIRST], path.node[i]
    kinds = 4 if plan.node[i, MOTION] == BALL else 2
    for v in range(first, first + plan.node[i, DOFS]):
        for a in range(rule.weight.size):
            arm = sub(part3(here, a, POINT), _origin(path))
            for k in range(kinds):
                at = SCREW_RATE * k
                angular = part3(path.dof[v], a, SCREW + at + 3 if k < 2 else STILL + at - 2 * SCREW_RATE + 3)
                linear = part3(path.dof[v], a, SCREW + at if k < 2 else STILL + at - 2 * SCREW_RATE)
                set_part3(solver.screw[v], a, at, add(linear, cross(arm, angular)))
                set_part3(solver.screw[v], a, at + 3, angular)


@kernel
def _turned_with(path, solver, i, v, a, screw, first):
    """ad*_S of momentum or impulse, (p×a; p×b + L×a), about the common point."""
    here = path.node[i]
    p = part3(here, a, first)
    angular = add(part3(here, a, first + 3), cross(sub(part3(here, a, POINT), _origin(path)), p))
    b, turn = part3(solver.screw[v], a, screw), part3(solver.screw[v], a, screw + 3)
    return cross(p, turn), add(cross(p, b), cross(angular, turn))


@kernel
def _columns(plan, rule, h, path, solver, i, matrix, z):
    """H = K B − A, beside K."""
    first, dofs, s = plan.node[i, FIRST], plan.node[i, DOFS], path.delta.shape[0]
    for r in range(matrix.shape[0]):
        for c in range(z, z + s * dofs):
            matrix[r, c] = 0.0
        for k in range(dofs):
            for a in range(rule.weight.size):
                screw, at = solver.screw[first + k, a], 6 * (rule.n_turned + a)
                by_rate, by_value = 0.0, 0.0
                for c in range(6):
                    by_rate += matrix[r, at + c] * screw[c]
                if rule.turned[a] >= 0:
                    turned = 6 * rule.turned[a]
                    for c in range(6):
                        by_value += matrix[r, at + c] * screw[6 + c] + matrix[r, turned + c] * screw[c]
                by_rate /= h
                for g in range(s):
                    matrix[r, z + g * dofs + k] += rule.slope[a, g + 1] * by_rate + rule.phi[a, g + 1] * by_value
    for k in range(dofs):
        for a in range(rule.weight.size):
            if rule.turned[a] < 0:
                continue
            force, torque = _turned_with(path, solver, i, first + k, a, 0, MOMENTUM)
            _subtract(matrix, 6 * (rule.n_pushed + a), z + k, dofs, rule.phi[a], force, torque)
            if rule.pushed[a] >= 0:
                force, torque = _turned_with(path, solver, i, first + k, a, 0, IMPULSE)
                _subtract(matrix, 6 * rule.pushed[a], z + k, dofs, rule.phi[a], force, torque)


@kernel
def _subtract(matrix, row, column, dofs, phi, force, torque):
    """Subtract φ_γ times a wrench from six rows of the columns of one degree of freedom."""
    for g in range(phi.size - 1):
        for c in range(3):
            matrix[row + c, column + g * dofs] -= phi[g + 1] * force[c]
            matrix[row + 3 + c, column + g * dofs] -= phi[g + 1] * torque[c]


@kernel
def _combine(matrix, first, screw, at, width, out):
    """``out`` ← Σ screw_c · row (first + c) of the matrix."""
    s0, s1, s2, s3, s4, s5 = screw[at], screw[at + 1], screw[at + 2], screw[at + 3], screw[at + 4], screw[at + 5]
    r0, r1, r2 = matrix[first], matrix[first + 1], matrix[first + 2]
    r3, r4, r5 = matrix[first + 3], matrix[first + 4], matrix[first + 5]
    for c in range(width):
        out[c] = s0 * r0[c] + s1 * r1[c] + s2 * r2[c] + s3 * r3[c] + s4 * r4[c] + s5 * r5[c]


@kernel
def _add_scaled(factor, source, width, out):
    for c in range(width):
        out[c] += factor * source[c]


@kernel
def _rows(plan, rule, h, path, solver, i, matrix, z):
    """[R K + E, R H + Λ₀] into ``solver.row``; of a ball those of the control points 1 … s, the last one at the end."""
    first, dofs, s = plan.node[i, FIRST], plan.node[i, DOFS], path.delta.shape[0]
    ball = plan.node[i, MOTION] == BALL
    width, rows, line = z + s * dofs, s * dofs, solver.row
    for r in range(rows + 3):
        for c in range(width):
            line[r, c] = 0.0
    for a in range(rule.weight.size):
        share = rule.weight[a] * h
        for k in range(dofs):
            screw = solver.screw[first + k, a]
            by_momentum, by_push = solver.scratch[0], solver.scratch[1]
            _combine(matrix, 6 * (rule.n_pushed + a), screw, 0, width, by_momentum)
            _combine(matrix, 6 * (rule.n_pushed + a), screw, 6, width, by_push)
            for c in range(width):
                by_push[c] *= share
            if rule.pushed[a] >= 0:
                for q in range(6):
                    _add_scaled(screw[q], matrix[6 * rule.pushed[a] + q], width, by_push)
            at = 6 * (rule.n_turned + a)
            force, torque = _turned_with(path, solver, i, first + k, a, 0, MOMENTUM)
            for c in range(3):
                by_push[at + c] -= share * force[c]
                by_push[at + 3 + c] -= share * torque[c]
            # the node's own terms: R with φ_aα w_a h, P with w_a b_aα
            for g in range(s):
                for l in range(dofs):
                    x, v = rule.phi[a, g + 1], rule.slope[a, g + 1] / h
                    block = solver.block[a]
                    by_push[z + g * dofs + l] += share * (x * block[R_X, k, l] + v * block[R_V, k, l])
                    by_momentum[z + g * dofs + l] += x * block[P_X, k, l] + v * block[P_V, k, l]
            for g in range(1 if ball else 0, s + 1 if ball else s):
                row = rows + k if g == s else g * dofs + k
                _add_scaled(rule.weight[a] * rule.slope[a, g], by_momentum, width, line[row])
                if rule.phi[a, g] != 0.0:
                    _add_scaled(rule.phi[a, g], by_push, width, line[row])


@kernel
def _balance_row(plan, rule, h, path, solver, i, matrix, z):
    """The first rows of a ball: those of the knot's own turn, less J_l(ξ^s)⁻ᵀ times those of the end."""
    first, s = plan.node[i, FIRST], path.delta.shape[0]
    width, rows, line, total = z + 3 * s, 3 * s, solver.row, solver.scratch[0]
    for a in range(rule.weight.size):
        share, at = rule.weight[a] * h, 6 * (rule.n_turned + a)
        for k in range(3):
            screw = solver.screw[first + k, a]
            _combine(matrix, 6 * (rule.n_pushed + a), screw, 18, width, total)
            _add_scaled(share, total, width, line[k])
            _combine(matrix, 6 * rule.pushed[a], screw, 12, width, total)
            _add_scaled(1.0, total, width, line[k])
            force, torque = _turned_with(path, solver, i, first + k, a, 12, MOMENTUM)
            for c in range(3):
                line[k, at + c] -= share * force[c]
                line[k, at + 3 + c] -= share * torque[c]
            for g in range(s):
                for l in range(3):
                    x, v = rule.phi[a, g + 1], rule.slope[a, g + 1] / h
                    line[k, z + 3 * g + l] += share * (x * solver.block[a, Z_X, k, l] + v * solver.block[a, Z_V, k, l])
    xi = (path.delta[s - 1, first], path.delta[s - 1, first + 1], path.delta[s - 1, first + 2])
    end = (path.ending[first], path.ending[first + 1], path.ending[first + 2])
    c3, d3 = inverse_coefficients(xi)
    for l in range(3):
        back = bend(xi, unit(l), 0.5, c3)
        moved = bend_rate(xi, end, 0.5, c3, 0.0, d3, unit(l))
        for k in range(3):
            solver.back[first + k, l] = back[k]
            _add_scaled(-back[k], line[rows + l], width, line[k])
            line[k, z + 3 * (s - 1) + l] -= moved[k]


@kernel
def _solve_pivot(plan, solver, i, matrix, z):
    """Λ⁻¹, X and H of node i into ``solver``; whether Λ is regular."""
    first, dofs, s = plan.node[i, FIRST], plan.node[i, DOFS], solver.x.shape[0]
    m, pivot, line = s * dofs, solver.pivot[i], solver.row
    for r in range(m):
        for c in range(m):
            pivot[r * m + c] = line[r, z + c]
    if invert_with_exchanges(pivot, 0, m, solver.work) != REGULAR:
        return False
    for g in range(s):
        for k in range(dofs):
            out = solver.right[first + k, g]
            for c in range(z):
                out[c] = 0.0
            for r in range(m):
                _add_scaled(-pivot[(g * dofs + k) * m + r], line[r], z, out)
            column = z + g * dofs + k
            for r in range(matrix.shape[0]):
                solver.left[first + k, g, r] = matrix[r, column]
    return True


@kernel
def _condense(plan, solver, i, matrix, z):
    """K ← K + H X."""
    first, dofs, s = plan.node[i, FIRST], plan.node[i, DOFS], solver.x.shape[0]
    for r in range(matrix.shape[0]):
        row = matrix[r]
        for v in range(first, first + dofs):
            for g in range(s):
                _add_scaled(solver.left[v, g, r], solver.right[v, g], z, row)


@kernel
def _add_to(matrix, total, z):
    for r in range(matrix.shape[0]):
        for c in range(z):
            total[r, c] += matrix[r, c]
