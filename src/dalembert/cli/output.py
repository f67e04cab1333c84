"""What every command prints through: one console, plain tables."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

console = Console(highlight=False)
MAX_ROWS = 40


def print_table(
    title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: Sequence[str] = ()
) -> None:
    """A table without frames; columns in ``numbers`` stand to the right; long tables are cut in the middle."""
    table = Table(title=title, title_justify="left", title_style="bold", box=None, header_style="dim", pad_edge=False)
    for column in columns:
        table.add_column(column, justify="right" if column in numbers else "left")
    head = rows if len(rows) <= MAX_ROWS else rows[: MAX_ROWS - 5]
    for row in head:
        table.add_row(*(Text(cell) for cell in row))
    if len(rows) > MAX_ROWS:
        table.add_row(Text(f"… {len(rows) - MAX_ROWS + 1} more"), *[""] * (len(columns) - 1))
        for row in rows[-4:]:
            table.add_row(*(Text(cell) for cell in row))
    console.print(table)
