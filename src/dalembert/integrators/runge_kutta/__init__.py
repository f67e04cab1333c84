"""Runge–Kutta methods on the continuous equations in minimal coordinates: the usual comparison."""
