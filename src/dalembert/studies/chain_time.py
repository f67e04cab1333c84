"""Computation time of n-link pendulums."""

from __future__ import annotations

from functools import partial

import dalembert as da
from dalembert.studies.measure import worst_ratio
from dalembert.studies.report import Claim, Report
from dalembert.studies.times import scaling
from dalembert.view.style import BLUE, GREEN, VERMILION, house_style, new_figure
from dalembert.zoo import pendulum, pendulum_start


def run(fast: bool) -> Report:
    """Revolute and ball joints; the papers' graph LDU, the recursion in the null space, and explicit Runge–Kutta."""
    # 200 links of 1 m are about what a step of 0.01 s can resolve: the shaking of the top ones has ω² = 12 g n / l
    sizes = [1, 2, 5, 10, 20, 50, 100, 200]
    few = sizes[: 4 if fast else 6]
    repeats = 2 if fast else 5
    joints = {"revolute": None, "ball": da.Spherical()}
    methods = (
        ("Runge–Kutta 4, minimal coordinates", VERMILION, few, da.RungeKutta("rk4")),
        ("variational, graph LDU", BLUE, sizes, da.MaximalVI(linear_solver="graph")),
        ("variational, null space of the joints", GREEN, sizes, da.MaximalVI(linear_solver="tree")),
    )
    data = {
        (method, joint): scaling(counts, partial(_start, kind), integrator, repeats if counts is sizes else 1)
        for method, _, counts, integrator in methods
        for joint, kind in joints.items()
    }
    graph, tree = methods[1][0], methods[2][0]
    claims = (
        *(
            Claim(f"{method}, {joint} joints: power of the number of links", data[method, joint].power(), high=1.1)
            for method in (graph, tree)
            for joint in joints
        ),
        Claim(
            "graph LDU: revolute over ball joints, time, worst of ten links and more",
            worst_ratio(data[graph, "revolute"].seconds[3:], data[graph, "ball"].seconds[3:]),
            low=1.0,
        ),
        Claim(
            "revolute joints: graph LDU over null space, time, worst of ten links and more",
            worst_ratio(data[graph, "revolute"].seconds[3:], data[tree, "revolute"].seconds[3:]),
            low=1.5,
        ),
        Claim("sizes that failed", sum(d.failed for d in data.values()), high=0),
    )
    with house_style():
        figure = new_figure(8.5, 3.4)
        axes = figure.add_subplot()
        for method, colour, _, _ in methods:
            for joint, line in (("revolute", "o--"), ("ball", "s-")):
                d = data[method, joint]
                axes.loglog(d.sizes, d.seconds, line, color=colour, label=f"{method}, {joint} joints", markersize=4)
        axes.set(xlabel="links", ylabel="time of 1000 steps (s)", title="n-link pendulum")
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return Report(
        title="Linear time: pendulums",
        source="[Brüdigam 2020] figure 5(a), [Brüdigam 2023] figure 8(a)",
        setting="Chains of links of 1 m and 1 kg, step 0.01 s, 1000 steps, tolerance 1e-10, best of several runs. "
        "Not above 200 links: the top ones shake at ω² = 12 g n/l, which a step below 2/ω resolves; 300 links run at "
        "this step, 400 do not, 1000 do at 0.005 s.",
        claims=claims,
        figure=figure,
    )


def _start(joint: da.JointKind | None, n: int) -> tuple[da.Model, da.State]:
    model = pendulum(n, joint)
    return model, pendulum_start(model, 0.5)
