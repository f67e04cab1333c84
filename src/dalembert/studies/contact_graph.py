"""The graph of a walking mechanism: contacts with the ground are leaves, so eliminating them first fills nothing in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from dalembert.linalg.pattern import BlockPattern, later_neighbours
from dalembert.studies.linear_systems import solver_times
from dalembert.studies.measure import exponent
from dalembert.studies.report import Claim, Report
from dalembert.view.style import BLUE, GREEN, GREY, VERMILION, house_style, new_figure

BODY, JOINT, CONTACT = 0, 1, 2
COLOUR = {BODY: BLUE, JOINT: VERMILION, CONTACT: GREEN}
ROWS = {BODY: 6, JOINT: 5, CONTACT: 6}
"""Unknowns of a node: a contact has its impulses of normal and friction, slacks and slips."""


class Walker(NamedTuple):
    """Nodes and edges of legs in a row, each of two links with a foot."""

    kind: list[int]
    edges: list[tuple[int, int]]
    place: list[tuple[float, float]]
    """Where the nodes are drawn."""


def run(fast: bool) -> Report:
    """The four links, three joints and two contacts of figure 4, and walkers with more and more legs."""
    small = walker(2)
    ours, order = _fill(small, None)
    listed, _ = _fill(small, list(range(len(small.kind))))
    legs = [2, 8, 32, 128] if fast else [2, 8, 32, 128, 512]
    work = []
    for n in legs:
        many = walker(n)
        layout = BlockPattern([ROWS[kind] for kind in many.kind], many.edges)
        work.append(layout.flops)
        ours = max(ours, layout.fill)
    sizes = [ROWS[kind] for kind in small.kind]
    difference = solver_times(sizes, small.edges, with_dense=True, repeats=1).difference
    claims = (
        Claim("blocks filled in when leaves go first, any number of legs", ours, high=0),
        Claim("blocks filled in when bodies go first", listed, low=1),
        Claim(
            "power of the number of legs in the operations of a solution",
            exponent(legs[-3:], work[-3:]),
            low=0.95,
            high=1.05,
        ),
        Claim("largest difference from the solution of the dense matrix", difference, high=1e-12),
    )
    with house_style():
        figure = new_figure(9.0, 3.2)
        left, middle, right = figure.subplots(1, 3)
        _draw_graph(left, small)
        _draw_matrix(middle, small, list(range(len(small.kind))), "Bodies first: fill-in")
        _draw_matrix(right, small, order, "Leaves first: none")
    return Report(
        title="Contacts are leaves",
        source="[Brüdigam 2023] figure 4",
        setting="A walking mechanism of four links, three joints and two contacts with the ground, and walkers of up "
        f"to {legs[-1]} legs. A step of `MaximalVI` goes further: contacts go into the blocks of their bodies.",
        claims=claims,
        figure=figure,
    )


def walker(legs: int) -> Walker:
    """Legs side by side: foot, shin, knee, thigh; neighbouring thighs are joined at hips. Bodies come first."""
    kind, edges, place = [BODY] * (2 * legs), [], []
    for leg in range(legs):
        place += [(2.0 * leg, 1.0), (2.0 * leg + 0.3, 3.0)]
    for leg in range(legs):
        shin, thigh = 2 * leg, 2 * leg + 1
        edges += [(len(kind), shin), (len(kind), thigh)]
        kind.append(JOINT)
        place.append((2.0 * leg + 0.15, 2.0))
        if leg:
            edges += [(len(kind), thigh - 2), (len(kind), thigh)]
            kind.append(JOINT)
            place.append((2.0 * leg - 0.7, 4.0))
        edges.append((len(kind), shin))
        kind.append(CONTACT)
        place.append((2.0 * leg - 0.15, 0.0))
    return Walker(kind, edges, place)


def _fill(graph: Walker, order: Sequence[int] | None) -> tuple[int, list[int]]:
    """(block pairs that the elimination adds, the order)."""
    sizes = [ROWS[kind] for kind in graph.kind]
    layout = BlockPattern(sizes, graph.edges, order="auto" if order is None else order)
    return layout.fill, layout.pattern.order.tolist()


def _draw_graph(axes: Axes, graph: Walker) -> None:
    for one, other in graph.edges:
        (x, y), (u, v) = graph.place[one], graph.place[other]
        axes.plot([x, u], [y, v], color=GREY, zorder=1)
    for kind, label in ((BODY, "link"), (JOINT, "joint"), (CONTACT, "contact")):
        places = np.array([place for place, own in zip(graph.place, graph.kind, strict=True) if own == kind])
        axes.scatter(places[:, 0], places[:, 1], s=130, color=COLOUR[kind], label=label, zorder=2)
    for node, (x, y) in enumerate(graph.place):
        axes.annotate(str(node + 1), (x, y), color="white", ha="center", va="center", fontsize=7, zorder=3)
    axes.set(title="A walking mechanism", xlim=(-1.0, 3.6), ylim=(-0.6, 4.6))
    axes.legend(loc="lower right")
    axes.axis("off")


def _draw_matrix(axes: Axes, graph: Walker, order: Sequence[int], title: str) -> None:
    """Blocks of the matrix after its decomposition; those that the elimination adds are dots."""
    n = len(order)
    position = {node: k for k, node in enumerate(order)}
    adjacency: list[set[int]] = [set() for _ in range(n)]
    for one, other in graph.edges:
        adjacency[one].add(other)
        adjacency[other].add(one)
    for k, later in enumerate(later_neighbours(adjacency, order)):
        node = order[k]
        axes.add_patch(Rectangle((k, k), 1.0, 1.0, color=COLOUR[graph.kind[node]]))
        for other in later:
            for row, column in ((k, position[other]), (position[other], k)):
                if other in adjacency[node]:
                    axes.add_patch(Rectangle((column, row), 1.0, 1.0, facecolor=GREY, alpha=0.6))
                else:
                    axes.plot(column + 0.5, row + 0.5, "o", color="black", markersize=4)
    ticks = np.arange(n) + 0.5
    axes.set(xlim=(0, n), ylim=(n, 0), title=title, aspect="equal")
    axes.set_xticks(ticks, [str(node + 1) for node in order], fontsize=7)
    axes.set_yticks(ticks, [str(node + 1) for node in order], fontsize=7)
    axes.grid(False)
