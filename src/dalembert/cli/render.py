"""``dalembert render``: pictures and films of a saved run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dalembert.cli.source import InputError, load_source

if TYPE_CHECKING:
    from dalembert.trajectory import Trajectory

FILMS = (".gif", ".mp4")
PICTURES = (".png", ".svg", ".pdf")
REPLAY = ".html"


def render(
    saved: Annotated[Path, typer.Argument(metavar="run", help="A run that was saved, .npz.")],
    picture: Annotated[
        Path, typer.Argument(help="A picture, .png, .svg, .pdf, a film, .mp4, .gif, or a replay, .html.")
    ],
    at: Annotated[float | None, typer.Option("--at", help="Draw this second alone, as solids (.png).")] = None,
    start: Annotated[float | None, typer.Option("--start", help="First second to show.")] = None,
    stop: Annotated[float | None, typer.Option("--stop", help="Last second to show.")] = None,
    speed: Annotated[float, typer.Option("--speed", help="Of a film: times as fast as life.")] = 1.0,
    mechanism: Annotated[
        str | None, typer.Option("--mechanism", help="As for simulate; for models with functions of the user's own.")
    ] = None,
) -> None:
    """Draw a saved run: the whole motion in one picture, one instant as solids, a film, or a page that replays it."""
    from dalembert.cli.output import console
    from dalembert.run_file import load_run

    endings = (*PICTURES, *FILMS, REPLAY)
    if picture.suffix not in endings:
        raise InputError(f"{picture}: expected an ending of {', '.join(endings)}")
    if at is not None and picture.suffix != ".png":
        raise InputError(f"{picture}: expected an ending of .png for the picture of one instant")
    run = load_run(saved, load_source(mechanism).model if mechanism else None)
    try:
        with console.status(f"drawing {picture}"):
            _draw(run, picture, at, start, stop, speed)
    except ValueError as error:
        raise InputError(str(error)) from error
    console.print(f"drew {picture}", markup=False)


def _draw(
    run: Trajectory, picture: Path, at: float | None, start: float | None, stop: float | None, speed: float
) -> None:
    if picture.suffix == REPLAY:
        from dalembert.view.replay import export_html

        export_html(run, picture)
    elif picture.suffix == ".mp4":
        from dalembert.view.still import film

        film(run, picture, start=start, stop=stop, speed=speed)
    elif picture.suffix == ".gif":
        from dalembert.view.animation import animate

        animate(run, picture, start=start, stop=stop, speed=speed)
    elif at is not None:
        from dalembert.view.still import picture as still

        still(run, picture, time=at)
    else:
        from dalembert.view.motion import plot_motion
        from dalembert.view.style import write

        write(plot_motion(run, start=start, stop=stop), picture)
