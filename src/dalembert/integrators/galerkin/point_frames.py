"""Frames, sines and constants in lanes."""

from dalembert._jit import inlined
from dalembert.integrators.galerkin.points import BODY_INERTIA, FRAME_X
from dalembert.spatial.vector import axpy, part3, scale


@inlined
def cosine_and_sine(x):
    """Of |x| ≤ 2, by Taylor's series at x/2, whose even and odd terms are summed apart."""
    t = 0.5 * x
    u = t * t
    w = u * u
    even = 1.0 + w * (1.0 / 120.0 + w * (1.0 / 362880.0 + w * (1.0 / 6227020800.0 + w * (1.0 / 355687428096000.0))))
    odd = -1.0 / 6.0 + w * (-1.0 / 5040.0 + w * (-1.0 / 39916800.0 + w * (-1.0 / 1307674368000.0)))
    s = t * (even + u * odd)
    even = 1.0 + w * (1.0 / 24.0 + w * (1.0 / 40320.0 + w * (1.0 / 479001600.0 + w * (1.0 / 20922789888000.0))))
    odd = -0.5 + w * (-1.0 / 720.0 + w * (-1.0 / 3628800.0 + w * (-1.0 / 87178291200.0)))
    c = even + u * odd
    return 1.0 - 2.0 * s * s, 2.0 * s * c


@inlined
def frame_of(row, i):
    """The axes of link i as lanes."""
    return part3(row, i, FRAME_X), part3(row, i, FRAME_X + 3), part3(row, i, FRAME_X + 6)


@inlined
def local(frame, u):
    """A vector in a frame, in the world."""
    return axpy(u[0], frame[0], axpy(u[1], frame[1], scale(u[2], frame[2])))


@inlined
def spread(u, zero):
    """A vector of numbers in all lanes."""
    return (u[0] + zero, u[1] + zero, u[2] + zero)


@inlined
def inertia_of(fixed, i):
    """(xx, yy, zz, yz, xz, xy) in the link's frame."""
    j = BODY_INERTIA
    return (fixed[i, j], fixed[i, j + 1], fixed[i, j + 2], fixed[i, j + 3], fixed[i, j + 4], fixed[i, j + 5])
