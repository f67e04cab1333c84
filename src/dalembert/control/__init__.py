"""Controllers that `simulate` calls: joints held or moved along a path, and linear-quadratic regulators."""
