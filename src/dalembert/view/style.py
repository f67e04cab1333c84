"""The look of every picture: one style file, figures without global state, and long curves drawn by their envelope."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dalembert.errors import DalembertError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BLUE, VERMILION, GREEN, GREY = "#0072B2", "#D55E00", "#009E73", "#777777"
_STYLE = Path(__file__).with_name("dalembert.mplstyle")


@contextmanager
def house_style() -> Iterator[None]:
    """Matplotlib's settings for the pictures drawn inside the block; the user's own are left as they were."""
    try:
        from matplotlib import rc_context, rc_params_from_file
    except ImportError as error:
        raise DalembertError(
            "pictures need matplotlib, which is not installed: pip install 'dalembert[plot]'"
        ) from error
    with rc_context(rc_params_from_file(_STYLE, use_default_template=True)):
        yield


def new_figure(width: float, height: float) -> Figure:
    """An empty figure of ``width`` × ``height`` inches that no window and no global list knows of."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height))


def write(figure: Figure, path: str | PathLike[str]) -> Path:
    """Save the figure; the ending of ``path`` chooses the format. Missing folders are made."""
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    # without a date the same run gives the same file
    metadata = {"Date": None} if target.suffix == ".svg" else None
    with house_style():
        figure.savefig(target, metadata=metadata)
    return target


def envelope(x: ArrayLike, y: ArrayLike, points: int = 4000) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The curve (x, y) with at most about ``points`` points: the lowest and the highest of each stretch, in order.

    A picture of a million steps shows the same extremes as the full curve, at a thousandth of its size.
    """
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    stretch = -(-2 * len(x) // points)
    if stretch <= 2:
        return x, y
    count = len(x) // stretch
    parts = y[: count * stretch].reshape(count, stretch)
    first = np.arange(count) * stretch
    rest = np.arange(count * stretch, len(x))
    index = np.unique(np.concatenate([[0], first + parts.argmin(axis=1), first + parts.argmax(axis=1), rest]))
    return x[index], y[index]


def scientific(value: float, *, signed: bool = False) -> str:
    """The number with two digits as it is printed in books: 3.9×10⁻¹⁵, and plainly where that is short."""
    if value == 0.0:
        return "0"
    if 0.01 <= abs(value) < 100.0:
        return (f"{value:+.2g}" if signed else f"{value:.2g}").replace("-", "−")
    digits, exponent = f"{value:+.1e}".split("e") if signed else f"{value:.1e}".split("e")
    raised = str(int(exponent)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"{digits}×10{raised}".replace("-", "−")
