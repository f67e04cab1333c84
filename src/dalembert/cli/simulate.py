"""``dalembert simulate``: run one mechanism and report how accurate the run was."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dalembert.cli.source import Source, load_source

if TYPE_CHECKING:
    from dalembert.integrators.base import Integrator
    from dalembert.trajectory import Trajectory


def simulate(
    mechanism: Annotated[
        str, typer.Argument(help="A mechanism of the zoo, a model file, module:function, or file.py[:function].")
    ],
    duration: Annotated[float, typer.Option("--duration", "-t", help="Seconds to simulate.")] = 10.0,
    dt: Annotated[float, typer.Option("--dt", help="Step in seconds.")] = 0.01,
    integrator: Annotated[str, typer.Option("--integrator", "-i", help="See `dalembert integrators`.")] = "MaximalVI",
    option: Annotated[list[str] | None, typer.Option("--option", "-o", help="Of the integrator, name=value.")] = None,
    setting: Annotated[list[str] | None, typer.Option("--set", help="Of the mechanism, name=value.")] = None,
    every: Annotated[int, typer.Option("--every", help="Record every n-th step.")] = 1,
    save: Annotated[Path | None, typer.Option("--save", help="Write the run to this .npz file.")] = None,
    plot: Annotated[Path | None, typer.Option("--plot", help="Draw motion and accuracy into this picture.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar.")] = False,
) -> None:
    """Simulate a mechanism and print the accuracy report."""
    from dalembert.cli.integrators import make_integrator
    from dalembert.cli.output import console

    method = make_integrator(integrator, option or [])
    source = load_source(mechanism, setting or [])
    run = run_with_bar(source, method, duration=duration, dt=dt, every=every, quiet=quiet)
    console.print(run.report(), markup=False, soft_wrap=True)
    if save is not None:
        save.parent.mkdir(parents=True, exist_ok=True)
        run.save(save)
        console.print(f"saved {save}", markup=False)
    if plot is not None:
        from dalembert.view.plots import overview

        overview(run, plot)
        console.print(f"drew {plot}", markup=False)


def run_with_bar(
    source: Source, method: Integrator, *, duration: float, dt: float, every: int = 1, quiet: bool = False
) -> Trajectory:
    """Simulate with a progress bar."""
    from dalembert.cli.progress import step_bar
    from dalembert.simulate import simulate as simulation

    arguments: dict[str, Any] = {"dt": dt, "integrator": method, "wrenches": source.wrenches}

    def run(**more: Any) -> Trajectory:
        # one step first, so that the time in the report is not that of the compiler
        simulation(source.model, source.state, duration=dt, **arguments)
        return simulation(source.model, source.state, duration=duration, every=every, **arguments, **more)

    if quiet:
        return run()
    with step_bar(source.name) as bar:
        return run(progress=bar)
