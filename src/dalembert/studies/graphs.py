"""Ladder, net and crystal graphs: the sparse solver against the dense one and SuperLU."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dalembert.linalg.graphs import crystal, ladder, net
from dalembert.studies.linear_systems import SolverTimes, solver_times
from dalembert.studies.measure import exponent, worst_ratio
from dalembert.studies.report import Claim, Report
from dalembert.view.style import BLUE, GREY, VERMILION, house_style, new_figure

LARGEST_DENSE = 400
"""Nodes (six rows each) up to which the dense solver is run: it takes seconds there."""


def run(fast: bool) -> Report:
    """Three families of graphs with six rows a node."""
    families: tuple[tuple[str, Callable[[int], Any], Callable[[int], int], list[int]], ...] = (
        ("ladder", ladder, lambda n: n, [10, 20, 50, 100] if fast else [10, 20, 50, 100, 200, 400, 1000]),
        ("net", net, lambda n: n * n, [3, 5, 10, 14] if fast else [3, 5, 7, 10, 14, 20, 30]),
        ("crystal", crystal, lambda n: n**3, [2, 3, 4] if fast else [2, 3, 4, 5, 6, 7]),
    )
    claims: list[Claim] = []
    with house_style():
        figure = new_figure(9.0, 3.2)
        axes = figure.subplots(1, 3, sharey=True)
        for panel, (name, make, nodes, sizes) in zip(axes, families, strict=True):
            counts = [nodes(k) for k in sizes]
            times = [
                solver_times([6] * n, make(k), with_dense=n <= LARGEST_DENSE, repeats=3 if fast else 5)
                for k, n in zip(sizes, counts, strict=True)
            ]
            claims += _claims(name, counts, times)
            for attribute, colour, label in (
                ("dense", VERMILION, "dense LDU"),
                ("superlu", GREY, "SuperLU"),
                ("sparse", BLUE, "sparse LDU"),
            ):
                panel.loglog(counts, [1e3 * getattr(t, attribute) for t in times], "o-", color=colour, label=label)
            panel.set(xlabel="nodes", title=name.capitalize())
        axes[0].set(ylabel="time (ms)")
        axes[0].legend()
    return Report(
        title="Graphs with loops",
        source="[Brüdigam 2023] figure 9(b–d)",
        setting="Random unsymmetric matrices, six rows a node; one factorisation and solution, best of several.",
        claims=tuple(claims),
        figure=figure,
    )


def _claims(name: str, counts: list[int], times: list[SolverTimes]) -> list[Claim]:
    both = [t for t in times if np.isfinite(t.dense)]
    largest = [n for n, t in zip(counts, times, strict=True) if np.isfinite(t.dense)][-1]
    sparse = [t.sparse for t in times]
    claims = [
        Claim(
            f"{name}: SuperLU's time over ours, worst size", worst_ratio([t.superlu for t in times], sparse), low=1.0
        ),
        Claim(
            f"{name}: dense over sparse time at {largest} nodes",
            both[-1].dense / both[-1].sparse,
            low=2.0 if name == "crystal" else 100.0,
        ),
        Claim(f"{name}: largest difference of the solutions", max(t.difference for t in times), high=1e-12),
    ]
    if name == "ladder":
        claims.append(Claim("ladder: power of the number of nodes", exponent(counts[-3:], sparse[-3:]), high=1.1))
    return claims
