"""When an interior-point method aims where: the barrier parameter and the length of a step. [Mehrotra 1992]"""

from math import inf, sqrt

from dalembert._jit import kernel

CLOSE = 0.99
"""Part of the way to the boundary of the cones that a step may take far from the solution."""


@kernel
def centering(mean, predicted):
    """The next barrier parameter: the cube of what the predictor achieves, [Nocedal & Wright 2006] eq. (14.34)."""
    ratio = predicted / mean if mean > 0.0 else 0.0
    return ratio * ratio * ratio * mean


@kernel
def step_length(boundary, mean):
    """How much of a step to take when ``boundary`` of it leads out of the cones."""
    if boundary == inf:
        return 1.0
    # closer near the solution, or equations would be left open there by a fixed part of every step
    return min(1.0, max(CLOSE, 1.0 - sqrt(mean)) * boundary)
