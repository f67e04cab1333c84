"""``dalembert render``: pictures and films of a saved run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dalembert.cli.source import InputError, load_source

FILMS = (".gif", ".mp4")
PICTURES = (".png", ".svg", ".pdf")


def render(
    saved: Annotated[Path, typer.Argument(metavar="run", help="A run that was saved, .npz.")],
    picture: Annotated[Path, typer.Argument(help="A picture, .png, .svg, .pdf, or a film, .gif, .mp4.")],
    start: Annotated[float | None, typer.Option("--start", help="First second to show.")] = None,
    stop: Annotated[float | None, typer.Option("--stop", help="Last second to show.")] = None,
    speed: Annotated[float, typer.Option("--speed", help="Of a film: times as fast as life.")] = 1.0,
    mechanism: Annotated[
        str | None, typer.Option("--mechanism", help="As for simulate; for models with functions of the user's own.")
    ] = None,
) -> None:
    """Draw the motion of a saved run as one picture, or as a film."""
    from dalembert.cli.output import console
    from dalembert.run_file import load_run
    from dalembert.view.animation import animate
    from dalembert.view.motion import plot_motion
    from dalembert.view.style import write

    if picture.suffix not in FILMS + PICTURES:
        raise InputError(f"{picture}: expected an ending of {', '.join(PICTURES + FILMS)}")
    run = load_run(saved, load_source(mechanism).model if mechanism else None)
    try:
        if picture.suffix in FILMS:
            with console.status(f"drawing {picture}"):
                animate(run, picture, start=start, stop=stop, speed=speed)
        else:
            write(plot_motion(run, start=start, stop=stop), picture)
    except ValueError as error:
        raise InputError(str(error)) from error
    console.print(f"drew {picture}", markup=False)
