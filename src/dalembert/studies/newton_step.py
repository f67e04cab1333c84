"""The linear system of one Newton step: sparse against dense."""

from __future__ import annotations

import numpy as np

from dalembert.linalg.graphs import chain
from dalembert.studies.linear_systems import solver_times
from dalembert.studies.measure import exponent
from dalembert.studies.report import Claim, Report
from dalembert.view.style import BLUE, VERMILION, house_style, new_figure


def run(fast: bool) -> Report:
    """Chains of links (6 rows) and revolute joints (5 rows) of growing length."""
    links = [1, 2, 5, 10, 20, 50, 100] if fast else [1, 2, 5, 10, 20, 50, 100, 200]
    times = [solver_times([5, 6] * n, chain(2 * n), with_dense=True, repeats=3 if fast else 10) for n in links]
    # sizes at which the microseconds of a call from Python no longer show
    many = [300, 1000] if fast else [300, 1000, 3000]
    long = [solver_times([5, 6] * n, chain(2 * n), with_dense=False, repeats=5).sparse for n in many]
    sparse, dense = np.array([t.sparse for t in times]), np.array([t.dense for t in times])
    claims = (
        Claim("power of the number of links, sparse", exponent(many, long), high=1.1),
        Claim("power of the number of links, dense, last two sizes", exponent(links[-2:], dense[-2:]), low=2.5),
        Claim(f"dense over sparse time at {links[-1]} links", float(dense[-1] / sparse[-1]), low=100.0),
        Claim("largest difference of the solutions", max(t.difference for t in times), high=1e-12),
    )
    with house_style():
        figure = new_figure(5.0, 3.2)
        axes = figure.add_subplot()
        axes.loglog(links, 1e3 * dense, "o-", color=VERMILION, label="dense LDU")
        axes.loglog(
            [*links, *many], 1e3 * np.array([*sparse, *long]), "o-", color=BLUE, label="sparse LDU on the graph"
        )
        axes.set(xlabel="links", ylabel="time (ms)", title="Factor and solve one Newton step")
        axes.legend()
    return Report(
        title="Linear time of a Newton step",
        source="[Brüdigam 2020] figure 4(c)",
        setting="Matrices with the pattern of a revolute chain, one factorisation and solution, best of several.",
        claims=claims,
        figure=figure,
    )
