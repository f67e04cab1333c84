"""Bodies, joints and shapes: the description of a mechanism by names and, below it, as flat arrays."""
