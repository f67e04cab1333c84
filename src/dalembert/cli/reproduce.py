"""``dalembert reproduce``: the figures and claims of the papers, measured again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from dalembert.studies import Report


def reproduce(
    names: Annotated[list[str] | None, typer.Argument(help="Studies or figures, or all; none: list them.")] = None,
    out: Annotated[Path, typer.Option("--out", help="Folder for the page and its figures.")] = Path("out/studies"),
    fast: Annotated[bool, typer.Option("--fast", help="Shorter runs, the same claims.")] = False,
) -> None:
    """Reproduce figures of the papers, check their claims, and write one page with both."""
    from dalembert import studies
    from dalembert.cli.output import console, print_table

    if not names:
        rows = [(name, ", ".join(figures)) for name, figures in studies.STUDIES.items()]
        print_table("Studies", ("name", "figures: year of the paper, number"), rows)
        return
    reports = studies.reproduce(names, out, fast, each=_print)
    claims = [claim for report in reports for claim in report.claims]
    held = sum(claim.holds for claim in claims)
    console.print(f"{held} of {len(claims)} claims hold; {out / 'index.html'}", markup=False, soft_wrap=True)


def _print(report: Report) -> None:
    from dalembert.cli.output import console, print_table

    rows = [
        (claim.text, claim.value, claim.bound, "holds" if claim.holds else "does not hold") for claim in report.claims
    ]
    print_table(f"{report.title} ({report.source}), {report.seconds:.0f} s", ("claim", "measured", "bound", ""), rows)
    console.print()
