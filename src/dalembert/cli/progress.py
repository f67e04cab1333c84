"""A progress bar over the steps of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from dalembert.cli.output import console


@contextmanager
def step_bar(name: str) -> Iterator[Callable[[int, int], None]]:
    """A bar that is there inside the block; call what it gives with the steps done and the steps in all.

    Until the first steps are done it says what the wait is for: the first run after an installation compiles.
    """
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=30),
        MofNCompleteColumn(),
        TextColumn("steps"),
        TimeRemainingColumn(compact=True),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(f"{name}: getting ready (the first run compiles)", total=None)

        def update(done: int, total: int) -> None:
            progress.update(task, description=name, completed=done, total=total)

        yield update
