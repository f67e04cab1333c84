"""``dalembert view``: a run or a mechanism in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dalembert.cli.source import load_source


def view(
    what: Annotated[str, typer.Argument(help="A saved run, .npz, or a mechanism as for simulate.")],
    port: Annotated[int, typer.Option("--port", help="Of 127.0.0.1.", min=1, max=65535)] = 8080,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page by itself.")] = True,
    mechanism: Annotated[
        str | None, typer.Option("--mechanism", help="Of a run with functions of the user's own.")
    ] = None,
    setting: Annotated[list[str] | None, typer.Option("--set", help="Of the mechanism, name=value.")] = None,
) -> None:
    """Show a saved run, or a mechanism with sliders for its joints, in the browser until Ctrl-C."""
    from dalembert.run_file import load_run
    from dalembert.view.browser import view_model, view_run

    if what.endswith(".npz"):
        run = load_run(Path(what), load_source(mechanism).model if mechanism else None)
        view_run(run, port=port, open_browser=browser)
    else:
        source = load_source(what, setting or [])
        view_model(source.model, source.state, port=port, open_browser=browser)
