"""``dalembert demo``: a mechanism full of loops and a long chain, simulated, judged and drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dalembert.cli.simulate import run_with_bar
from dalembert.cli.source import load_source

DURATION = 10.0
PICTURE_SECONDS = 1.5
# mechanism of the zoo, its size, step in seconds, and what it is
MECHANISMS = (
    ("four_bar_chain", "segments=5", 0.01, "A chain of five closed segments of four links, hanging from one pin"),
    ("pendulum_chain", "n=100", 0.002, "A rope of 100 links with ball joints, swinging round the vertical"),
)


def demo(
    out: Annotated[Path, typer.Option("--out", help="Folder for runs and pictures.")] = Path("out/demo"),
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress bars.")] = False,
) -> None:
    """Simulate two mechanisms for 10 s, print how accurate the runs were, and leave runs and pictures."""
    from dalembert.cli.output import console
    from dalembert.integrators.maximal.method import MaximalVI
    from dalembert.view.motion import plot_motion
    from dalembert.view.plots import plot_accuracy
    from dalembert.view.style import write

    out.mkdir(parents=True, exist_ok=True)
    for name, setting, dt, text in MECHANISMS:
        run = run_with_bar(load_source(name, [setting]), MaximalVI(), duration=DURATION, dt=dt, quiet=quiet)
        console.print(text, style="bold", markup=False)
        console.print(run.report(), markup=False, soft_wrap=True)
        run.save(out / f"{name}.npz")
        write(plot_accuracy(run), out / f"{name}_accuracy.png")
        write(plot_motion(run, stop=PICTURE_SECONDS), out / f"{name}_motion.png")
        console.print()
    console.print(f"Runs and pictures are in {out}:", markup=False)
    for path in sorted(out.iterdir()):
        console.print(f"  {path.name}", markup=False)
