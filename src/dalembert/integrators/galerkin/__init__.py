"""Higher-order variational integrators in minimal coordinates: polynomials of degree s over a step, O(s³ n)."""
