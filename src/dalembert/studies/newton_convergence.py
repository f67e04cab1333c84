"""Newton's method within one step."""

from __future__ import annotations

import numpy as np

import dalembert as da
from dalembert.studies.report import Claim, Report
from dalembert.view.style import house_style, new_figure
from dalembert.zoo import pendulum

CHAINS = (
    (1, 0.1, 8.0, "o-", "#0072B2"),
    (10, 0.03, 2.0, "s-", "#D55E00"),
    (100, 0.01, 0.3, "^-", "#009E73"),
)
"""Links, step (s) and largest rate of a joint (rad/s), coarse enough for several iterations; the look of the curve."""


def run(fast: bool) -> Report:
    """Errors after each iteration, from one step solved to ever tighter tolerances."""
    curves = {n: _errors(n, step, speed) for n, step, speed, _, _ in CHAINS}
    gains, iterations = [], []
    for errors in curves.values():
        # from errors that are small against the links of 1 m to those above round-off
        gains += [
            float(np.log(errors[k]) / np.log(errors[k - 1]))
            for k in errors
            if k - 1 in errors and errors[k - 1] < 1e-2 and errors[k] > 1e-13
        ]
        iterations.append(min(k for k in errors if errors[k] < 1e-10))
    long = [curves[100][k] for k in range(3)]
    order = float(np.log(long[2] / long[1]) / np.log(long[1] / long[0]))
    claims = (
        Claim("100 links: order of convergence over the first two iterations", order, low=1.9, high=2.1),
        Claim("digits after an iteration over digits before it, fewest of three chains", min(gains), low=1.6),
        Claim("iterations to an error below 1e-10 m, most of three chains", max(iterations), high=6),
        Claim("iterations at 100 links less those at 1 link", iterations[-1] - iterations[0], high=2),
    )
    with house_style():
        figure = new_figure(5.0, 3.2)
        axes = figure.add_subplot()
        for n, _, _, line, colour in CHAINS:
            label = f"{n} link" + "s" * (n > 1)
            axes.semilogy(list(curves[n]), np.maximum(list(curves[n].values()), 1e-16), line, color=colour, label=label)
        axes.set(xlabel="iteration", ylabel="error of the positions (m)", title="Newton's method in one step")
        axes.legend()
    return Report(
        title="Quadratic convergence",
        source="[Brüdigam 2020] figure 4(d)",
        setting="Pendulums of 1, 10 and 100 links, bent and moving; a step of 0.1, 0.03 and 0.01 s; graph LDU.",
        claims=claims,
        figure=figure,
    )


def _errors(n: int, step: float, speed: float) -> dict[int, float]:
    """Errors of the positions after 0, 1, 2, … iterations against the solution at the tightest tolerance.

    A step stops at the first iterate that is predicted to meet the tolerance; a sweep over tolerances meets all but the
    roughest.
    """
    model = pendulum(n)
    random = np.random.default_rng(n)
    state = model.state(
        positions={f"joint{i}": random.uniform(-0.3, 0.3) for i in range(1, n + 1)},
        velocities={f"joint{i}": random.uniform(-speed, speed) for i in range(1, n + 1)},
    )

    def solve(tol: float) -> tuple[int, np.ndarray]:
        run = da.simulate(model, state, duration=step, dt=step, integrator=da.MaximalVI(tol=tol, linear_solver="graph"))
        return int(run.iterations[1]), run.position[1]

    # Newton's method starts from the velocities at the beginning of the step
    found = {0: state.position + step * state.velocity}
    found.update(solve(float(tol)) for tol in np.geomspace(9e-3, 1e-12, 60))
    _, solution = solve(1e-13)
    return {k: float(np.abs(position - solution).max()) for k, position in sorted(found.items())}
