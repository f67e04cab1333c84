"""Newton's method with the dense Jacobian, the yardstick of the linear-time directions.

[Lee 2016] algorithms 1 and 4: column j of ∂f/∂q⁺ is a recursion of its own. A unit change of one coordinate moves the
bodies outward of its joint by the screw at the end of the interval; the matrix of each turns that twist into a change
of its residual wrench, and these are summed inward and taken along the screws of the knot. O(n²) for the matrix, O(n³)
to solve.
"""

from dalembert._jit import kernel
from dalembert.integrators.maximal.tree_block import store_block
from dalembert.integrators.maximal.tree_forces import add_coordinate_stiffness, scalar_dofs
from dalembert.integrators.maximal.tree_motion import put3
from dalembert.integrators.maximal.tree_plan import (
    AXIS_END,
    BLOCK,
    DOFS,
    FIRST,
    FREE_TURN,
    GROWTH,
    INVERSE,
    NEWTON,
    PARENT,
    REACH,
    REACH_END,
    RIGHT,
    SPRUNG,
    TURNING,
    TWIST,
    WRENCH,
)
from dalembert.integrators.minimal.drnea import along_screw, residual
from dalembert.integrators.minimal.elimination import end_matrix
from dalembert.integrators.minimal.increments import add_screw
from dalembert.linalg import dense
from dalembert.spatial.vector import add, cross, dot, part3


@kernel
def newton_increment(slot, row, dof, h, root):
    """NEWTON ← −(∂f/∂q⁺)⁻¹ f after `move`."""
    residual(slot, row, dof, root.side)
    fill_jacobian(slot, row, dof, h, root.jacobian)
    dense.factor(root.jacobian)
    dense.solve(root.jacobian, root.side)
    for v in range(dof.shape[0]):
        dof[v, NEWTON] = -root.side[v]


@kernel
def fill_jacobian(slot, row, dof, h, jacobian):
    """∂f/∂q⁺ (ν, ν) at the poses at hand, by columns."""
    n = slot.shape[0] - 1
    for i in range(n):
        store_block(row, i, end_matrix(row, i, h))
    for i in range(n):
        for k in range(slot[i, DOFS]):
            _fill_column(slot, row, dof, i, k, jacobian)
        if slot[i, SPRUNG]:
            _add_stiffness(slot, row, dof, i, jacobian)
    # the rows of the blocks are the elimination's memory, which starts from zero
    for i in range(n):
        for c in range(36):
            row[i, BLOCK + c] = 0.0


@kernel
def _fill_column(slot, row, dof, first, k, jacobian):
    """One column: TWIST outward of slot ``first``, WRENCH inward. Slots outward of one follow it in the numbering."""
    n = slot.shape[0] - 1
    column = slot[first, FIRST] + k
    zero = (0.0, 0.0, 0.0)
    for i in range(n):
        put3(row, i, TWIST, zero)
        put3(row, i, TWIST + 3, zero)
        up = slot[i, PARENT]
        linear, angular = zero, zero
        if i == first:
            linear, angular = add_screw(slot, row, dof, i, k, AXIS_END, RIGHT, 1.0, zero, zero)
        elif i > first and up != n:
            angular = part3(row, up, TWIST + 3)
            linear = add(part3(row, up, TWIST), cross(angular, part3(row, i, REACH_END)))
        put3(row, i, TWIST, linear)
        put3(row, i, TWIST + 3, angular)
        for r in range(6):
            row[i, WRENCH + r] = dot(part3(row, i, BLOCK + 6 * r), linear) + dot(
                part3(row, i, BLOCK + 6 * r + 3), angular
            )
    for i in range(n - 1, -1, -1):
        up = slot[i, PARENT]
        force, torque = part3(row, i, WRENCH), part3(row, i, WRENCH + 3)
        for l in range(slot[i, DOFS]):
            jacobian[slot[i, FIRST] + l, column] = along_screw(slot, row, dof, i, l, force, torque)
        if up != n:
            put3(row, up, WRENCH, add(part3(row, up, WRENCH), force))
            put3(row, up, WRENCH + 3, add(part3(row, up, WRENCH + 3), add(torque, cross(part3(row, i, REACH), force))))


@kernel
def _add_stiffness(slot, row, dof, i, jacobian):
    first, dofs = slot[i, FIRST], slot[i, DOFS]
    if slot[i, TURNING] != FREE_TURN:
        for k in range(scalar_dofs(slot, i)):
            jacobian[first + k, first + k] += dof[first + k, GROWTH]
        return
    for k in range(dofs):
        for l in range(dofs):
            dof[first + k, INVERSE + l] = 0.0
    add_coordinate_stiffness(slot, row, dof, i)
    for k in range(dofs):
        for l in range(dofs):
            jacobian[first + k, first + l] += dof[first + k, INVERSE + l]
