"""Vectors in space as tuples of three numbers, and 3×3 matrices applied to them.

Tuples live in registers: a kernel built from these functions allocates nothing.
"""

from math import sqrt

from dalembert._jit import kernel

Vector = tuple[float, float, float]


@kernel
def row3(a, i):
    """Row ``i`` of an (n, 3) array as a vector."""
    return (a[i, 0], a[i, 1], a[i, 2])


@kernel
def part3(a, i, first):
    """Three numbers of row ``i`` of an array from column ``first`` on."""
    return (a[i, first], a[i, first + 1], a[i, first + 2])


@kernel
def set_part3(a, i, first, u):
    """Write the vector ``u`` into row ``i`` of an array from column ``first`` on."""
    a[i, first] = u[0]
    a[i, first + 1] = u[1]
    a[i, first + 2] = u[2]


@kernel
def set_row3(a, i, u):
    """Write the vector ``u`` into row ``i`` of an (n, 3) array."""
    a[i, 0] = u[0]
    a[i, 1] = u[1]
    a[i, 2] = u[2]


@kernel
def add_row3(a, i, u):
    """Add the vector ``u`` to row ``i`` of an (n, 3) array."""
    a[i, 0] += u[0]
    a[i, 1] += u[1]
    a[i, 2] += u[2]


@kernel
def add(u, v):
    """u + v."""
    return (u[0] + v[0], u[1] + v[1], u[2] + v[2])


@kernel
def sub(u, v):
    """u − v."""
    return (u[0] - v[0], u[1] - v[1], u[2] - v[2])


@kernel
def scale(s, u):
    """s u."""
    return (s * u[0], s * u[1], s * u[2])


@kernel
def axpy(s, u, v):
    """s u + v."""
    return (s * u[0] + v[0], s * u[1] + v[1], s * u[2] + v[2])


@kernel
def dot(u, v):
    """u · v."""
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]


@kernel
def cross(u, v):
    """u × v."""
    return (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])


@kernel
def norm(u):
    """|u|."""
    return sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2])


@kernel
def mat_vec(m, i, u):
    """``m[i] @ u`` for an (n, 3, 3) array ``m``."""
    return (
        m[i, 0, 0] * u[0] + m[i, 0, 1] * u[1] + m[i, 0, 2] * u[2],
        m[i, 1, 0] * u[0] + m[i, 1, 1] * u[1] + m[i, 1, 2] * u[2],
        m[i, 2, 0] * u[0] + m[i, 2, 1] * u[1] + m[i, 2, 2] * u[2],
    )


@kernel
def components(axes, u):
    """u · e for each of three axes e: from global components to local ones when the axes are those of a frame."""
    return (dot(axes[0], u), dot(axes[1], u), dot(axes[2], u))


@kernel
def combine(axes, u):
    """Σ uᵢ eᵢ over three axes e: from local components to global ones when the axes are those of a frame."""
    return (
        axes[0][0] * u[0] + axes[1][0] * u[1] + axes[2][0] * u[2],
        axes[0][1] * u[0] + axes[1][1] * u[1] + axes[2][1] * u[2],
        axes[0][2] * u[0] + axes[1][2] * u[1] + axes[2][2] * u[2],
    )


@kernel
def axis(axes, k):
    """The k-th of three axes."""
    return axes[0] if k == 0 else (axes[1] if k == 1 else axes[2])


@kernel
def unit(k):
    """The k-th unit vector."""
    return (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)
