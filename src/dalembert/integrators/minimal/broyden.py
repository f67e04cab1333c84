"""Broyden's method on top of RIQN: the quasi-Newton matrix learns from the steps it has taken, still in linear time.

Broyden's update of the inverse, B⁻¹ ← B⁻¹ + (s − B⁻¹y) sᵀB⁻¹ / (sᵀB⁻¹y), needs no matrix. [Kelley 1995, section 7.3]:
with z = −B₀⁻¹ f the increment that the first matrix gives, and s_j the increments taken so far,

    z ← z + s_{j+1} (s_j·z)/|s_j|²  for j = 0 … l−1,        s_{l+1} = z / (1 − s_l·z/|s_l|²).

B₀⁻¹ = h M(q_k)⁻¹ is RIQN's, where the paper's comparison starts from a dense matrix.
"""

from dalembert._jit import kernel
from dalembert.integrators.maximal.tree_plan import NEWTON


@kernel
def learned(dof, root, count):
    """Turn the increment in NEWTON into Broyden's; ``count`` increments of this step have been taken."""
    dofs = dof.shape[0]
    for j in range(count - 1):
        share = _product(dof, root, j) / root.squares[j]
        for v in range(dofs):
            dof[v, NEWTON] += share * root.steps[j + 1, v]
    if count > 0:
        scale = 1.0 / (1.0 - _product(dof, root, count - 1) / root.squares[count - 1])
        for v in range(dofs):
            dof[v, NEWTON] *= scale
    square = 0.0
    for v in range(dofs):
        root.steps[count, v] = dof[v, NEWTON]
        square += dof[v, NEWTON] ** 2
    root.squares[count] = square


@kernel
def _product(dof, root, j):
    total = 0.0
    for v in range(dof.shape[0]):
        total += root.steps[j, v] * dof[v, NEWTON]
    return total
