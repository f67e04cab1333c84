"""The command ``dalembert``. Each command is one file of this folder and loads what it needs when it runs."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from dalembert.cli import bench, check, demo, integrators, render, reproduce, simulate, view
from dalembert.cli.source import InputError
from dalembert.errors import DalembertError, ModelError, ModelFileError, SimulationError

DONE, FAILED, WRONG = 0, 1, 2

app = typer.Typer(
    name="dalembert",
    help="Simulate mechanisms of rigid bodies: loops close exactly, and every run reports how accurate it was.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)
for command in (
    demo.demo,
    simulate.simulate,
    view.view,
    render.render,
    check.check,
    integrators.integrators,
    reproduce.reproduce,
    bench.bench,
):
    app.command()(command)

# typer's own complaints about the command line share this base, whichever click it is built on
UsageError: Any = typer.BadParameter.__base__


@app.callback(invoke_without_command=True)
def options(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and leave.")] = False,
) -> None:
    if version:
        import dalembert

        print(dalembert.__version__)
    elif context.invoked_subcommand is None:
        print(context.get_help())
    else:
        return
    raise typer.Exit(DONE)


def main() -> None:
    """Run the command line: exit 0 when done, 1 when the simulation failed, 2 when the input is wrong."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """The exit code of a command line; errors are one line each on standard error."""
    try:
        code = app(arguments, prog_name="dalembert", standalone_mode=False)
        return code if isinstance(code, int) else DONE
    except InputError as error:
        return _complain("\n".join(error.lines), WRONG)
    except ModelFileError as error:
        return _complain("\n".join(error.findings), WRONG)
    except ModelError as error:
        return _complain("\n".join(f"error: {finding}" for finding in error.findings), WRONG)
    except SimulationError as error:
        return _complain(f"error: {error}", FAILED)
    except DalembertError as error:
        return _complain(f"error: {error}", WRONG)
    except (typer.Abort, KeyboardInterrupt):
        return _complain("error: interrupted", FAILED)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _complain(f"error: {where}{(error.strerror or str(error)).lower()}", WRONG)
    except UsageError as error:
        text = error.format_message().removesuffix(".")
        return _complain(f"error: {text[:1].lower()}{text[1:]}; see dalembert --help", WRONG)


def _complain(text: str, code: int) -> int:
    print(text, file=sys.stderr)
    return code
