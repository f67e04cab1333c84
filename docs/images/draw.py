"""Draws the pictures of the README and the documentation: ``python docs/images/draw.py``."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

import dalembert as da
from dalembert.view.plots import plot_overview
from dalembert.view.style import write
from dalembert.zoo import four_bar_chain

FOLDER = Path(__file__).parent


def main() -> None:
    """Five closed segments of four links, released from the side."""
    model = four_bar_chain(5)
    run = da.simulate(model, duration=10.0, dt=0.01, integrator=da.MaximalVI())
    print(run.report())
    path = write(plot_overview(run, stop=1.5), FOLDER / "four_bar_chain.png")
    # lines on white need few colours: a third of the size
    Image.open(path).convert("RGB").quantize(64).save(path, optimize=True)
    print(path.name, f"{path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
