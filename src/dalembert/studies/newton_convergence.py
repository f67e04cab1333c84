"""Newton's method within one step."""

from __future__ import annotations

import numpy as np

import dalembert as da
from dalembert.studies.report import Claim, Report
from dalembert.view.style import house_style, new_figure
from dalembert.zoo import pendulum

STEP = 0.01
LINKS = ((1, "o-", "#0072B2"), (10, "s-", "#D55E00"), (100, "^-", "#009E73"))


def run(fast: bool) -> Report:
    """Errors after each iteration, from one step solved to ever tighter tolerances."""
    curves = {n: _errors(n) for n, _, _ in LINKS}
    orders, iterations = [], []
    for error in curves.values():
        # e₂ ∝ e₁ᵖ and e₁ ∝ e₀ᵖ with the same factor, for the last three errors above round-off
        clean = [e for e in error if e > 1e-14]
        orders.append(float(np.log(clean[-1] / clean[-2]) / np.log(clean[-2] / clean[-3])))
        iterations.append(sum(e > 1e-10 for e in error))
    claims = (
        Claim("order of convergence over the last iterations, lowest of three chains", min(orders), low=1.8),
        Claim("iterations to an error below 1e-10, most of three chains", max(iterations), high=6),
        Claim("iterations at 100 links less those at 1 link", iterations[-1] - iterations[0], high=2),
    )
    with house_style():
        figure = new_figure(5.0, 3.2)
        axes = figure.add_subplot()
        for n, line, colour in LINKS:
            label = f"{n} link" + "s" * (n > 1)
            axes.semilogy(np.maximum(curves[n], 1e-17), line, color=colour, label=label)
        axes.set(xlabel="iteration", ylabel="error of the positions (m)", title="Newton's method in one step")
        axes.legend()
    return Report(
        title="Quadratic convergence",
        source="[Brüdigam 2020] figure 4(d)",
        setting=f"Pendulums of 1, 10 and 100 links, bent and moving, one step of {STEP} s from a cold start.",
        claims=claims,
        figure=figure,
    )


def _errors(n: int) -> list[float]:
    """Errors of the positions after 0, 1, 2, … iterations against the solution at the tightest tolerance.

    A step stops at the first iterate that is predicted to meet the tolerance; a sweep over tolerances meets them all.
    """
    model = pendulum(n)
    random = np.random.default_rng(n)
    state = model.state(
        positions={f"joint{i}": random.uniform(-0.3, 0.3) for i in range(1, n + 1)},
        velocities={f"joint{i}": random.uniform(-0.3, 0.3) for i in range(1, n + 1)},
    )
    # Newton's method starts from the velocities at the beginning of the step
    found: dict[int, np.ndarray] = {0: state.position + STEP * state.velocity}
    for tol in np.geomspace(9e-3, 1e-14, 60):
        run = da.simulate(model, state, duration=STEP, dt=STEP, integrator=da.MaximalVI(tol=float(tol)))
        found[int(run.iterations[1])] = run.position[1]
    solution = found.pop(max(found))
    return [float(np.abs(found[k] - solution).max()) for k in sorted(found)]
