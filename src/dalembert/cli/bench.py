"""``dalembert bench``: what a step costs on this machine. The comparisons with other engines are in ``benchmarks/``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from dalembert.cli.source import Source, load_source

if TYPE_CHECKING:
    from dalembert.integrators.base import Integrator
    from dalembert.trajectory import Trajectory

SUITE = (
    ("pendulum", ("n=1",)),
    ("pendulum", ("n=10",)),
    ("pendulum", ("n=100",)),
    ("pendulum", ("n=100", "joint=Spherical")),
    ("four_bar_chain", ("segments=1",)),
    ("four_bar_chain", ("segments=10",)),
    ("bricard", ()),
    ("minitaur", ()),
)


def bench(
    mechanism: Annotated[str | None, typer.Argument(help="As for simulate; none: a choice from the zoo.")] = None,
    setting: Annotated[list[str] | None, typer.Option("--set", help="Of the mechanism, name=value.")] = None,
    dt: Annotated[float, typer.Option("--dt", help="Step in seconds.")] = 0.01,
    steps: Annotated[int, typer.Option("--steps", help="Steps of each run.")] = 200,
    integrator: Annotated[str, typer.Option("--integrator", "-i", help="See `dalembert integrators`.")] = "MaximalVI",
    option: Annotated[list[str] | None, typer.Option("--option", "-o", help="Of the integrator, name=value.")] = None,
) -> None:
    """Time the steps of one mechanism, or of some of the zoo: the best of three runs, one thread, nothing compiled."""
    from dalembert.cli.integrators import make_integrator
    from dalembert.cli.output import console, print_table

    method = make_integrator(integrator, option or [])
    chosen = SUITE if mechanism is None else ((mechanism, tuple(setting or ())),)
    rows = []
    for name, settings in chosen:
        with console.status(f"{name} {' '.join(settings)}"):
            source = load_source(name, settings)
            rows.append((" ".join((name, *settings)), *_time(source, method, dt, steps)))
    columns = ("mechanism", "bodies", "µs/step", "µs/step/body", "iterations", "× real time")
    print_table(f"{method.name}, {steps} steps of {dt:g} s", columns, rows, numbers=columns[1:])


def _time(source: Source, method: Integrator, dt: float, steps: int) -> tuple[str, ...]:
    from dalembert.simulate import simulate

    def once(count: int) -> Trajectory:
        return simulate(
            source.model,
            source.state,
            duration=count * dt,
            dt=dt,
            integrator=method,
            wrenches=source.wrenches,
            every=count,
        )

    # the first run compiles
    once(1)
    runs = [once(steps) for _ in range(3)]
    seconds = min(run.wall_time for run in runs) / steps
    bodies = source.model.n_bodies
    iterations = runs[0].iterations[1:].sum() / steps
    micro = 1e6 * seconds
    return str(bodies), f"{micro:.3g}", f"{micro / bodies:.3g}", f"{iterations:.2f}", f"{dt / seconds:.3g}"
