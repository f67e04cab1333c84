"""The sweeps of `tree_solve` over trees with loops: they halt at every slot with ties, where these are seen to."""

from dalembert._jit import kernel
from dalembert.integrators.maximal.tree_loop_solve import (
    answer_ties,
    close_links,
    load_sides,
    load_strands,
    pass_sides,
    pass_ties,
    reduce_links,
    spread_links,
)
from dalembert.integrators.maximal.tree_solve import gather, reduce, spread


@kernel
def gather_all(slot, row, dof, loops, h):
    """`gather` from the leaves to the root; the slot whose pivot is not finite, or −1."""
    n = slot.shape[0] - 1
    if loops is None:
        return gather(slot, row, dof, h, n - 1, False, False)[1]
    load_strands(loops)
    i, worst = gather(slot, row, dof, h, n - 1, False, False)
    while i >= 0:
        if not close_links(row, loops, i):
            return i
        onward, found = gather(slot, row, dof, h, i, True, False)
        pass_ties(slot, row, dof, loops, i)
        i, worst = onward, max(worst, found)
    if not close_links(row, loops, n):
        return 0
    return worst


@kernel
def reduce_all(slot, row, dof, loops):
    """`reduce` from the leaves to the root."""
    n = slot.shape[0] - 1
    if loops is None:
        reduce(slot, row, dof, n - 1, False)
        return
    load_sides(loops)
    i = reduce(slot, row, dof, n - 1, False)
    while i >= 0:
        reduce_links(row, loops, i)
        onward = reduce(slot, row, dof, i, True)
        pass_sides(slot, dof, loops, i)
        i = onward
    reduce_links(row, loops, n)


@kernel
def spread_all(slot, row, dof, loops, length):
    """`spread` from the root to the leaves; the largest size of an increment in scaled units."""
    n = slot.shape[0] - 1
    if loops is None:
        return spread(slot, row, dof, length, 0, False, 0.0)[1]
    spread_links(row, loops, n)
    i, largest = spread(slot, row, dof, length, 0, False, 0.0)
    while i < n:
        answer_ties(slot, dof, loops, i)
        onward, largest = spread(slot, row, dof, length, i, True, largest)
        spread_links(row, loops, i)
        i = onward
    return largest
