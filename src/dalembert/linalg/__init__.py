"""Block-sparse linear systems on a graph: symbolic once, numeric many times, the caller owns the memory."""
