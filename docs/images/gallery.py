"""Draws the pictures of the gallery from the examples: ``python docs/images/gallery.py [NAME ...]``."""

from __future__ import annotations

import os
import runpy
import sys
import tempfile
from pathlib import Path

from PIL import Image

FOLDER = Path(__file__).parent / "gallery"
EXAMPLES = Path(__file__).parents[2] / "examples"
SIZE = (640, 400)
TIMES = {
    "double_pendulum": 1.3,
    "spinning_top": 1.0,
    "balance": 0.1,
    "satellite": 8.0,
    "reaction_forces": 0.35,
    "compiled_controller": 6.6,
    "throwing": 0.5,
    "finding_lengths": 0.4,
}
"""s, the instant that is drawn; one second where nothing is said."""


def main() -> None:
    """One picture for each example, small enough to be kept with the page."""
    FOLDER.mkdir(exist_ok=True)
    os.chdir(tempfile.mkdtemp())
    for name in sys.argv[1:] or sorted(path.stem for path in EXAMPLES.glob("*.py")):
        run = runpy.run_path(str(EXAMPLES / f"{name}.py"))["run"]
        path = run.picture(FOLDER / f"{name}.png", time=TIMES.get(name, 1.0))
        small = Image.open(path).convert("RGB").resize(SIZE, Image.Resampling.LANCZOS)
        small.save(path, optimize=True)
        print(path.name, f"{path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
