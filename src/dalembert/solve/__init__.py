"""Convergence only: cones and barriers of the interior-point methods. Nothing here knows bodies."""
