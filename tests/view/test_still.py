"""Solid pictures and films are drawn without a display."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import dalembert as da
from dalembert import zoo
from dalembert.view.scene import PALETTE
from dalembert.view.still import film, picture

pytest.importorskip("pyvista", reason="the extra 'view' is not installed")


@pytest.fixture(scope="module")
def run() -> da.Trajectory:
    model = zoo.minitaur_leg()
    return da.simulate(model, duration=0.5, dt=0.01, integrator=da.MaximalVI())


def hues(image: np.ndarray) -> set[int]:
    """Which colours of the palette are seen, by the direction of the colour once grey is taken off."""
    flat = image.reshape(-1, 3).astype(float)
    flat = flat - flat.mean(axis=1, keepdims=True)
    flat = flat[np.linalg.norm(flat, axis=1) > 25.0]
    seen = set()
    for k, color in enumerate(PALETTE[:7]):
        pure = np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)], float)
        pure -= pure.mean()
        along = flat @ pure / np.linalg.norm(pure) / np.linalg.norm(flat, axis=1)
        if (along > 0.97).sum() > 30:
            seen.add(k)
    return seen


def test_a_picture_shows_every_body(run: da.Trajectory, tmp_path: Path) -> None:
    from PIL import Image

    path = picture(run, tmp_path / "new" / "leg.png", time=0.2, size=(480, 300))
    image = np.asarray(Image.open(path).convert("RGB"))
    assert image.shape == (300, 480, 3)
    assert set(range(run.model.n_bodies)) <= hues(image)


def test_a_film_has_the_frames_of_its_length(run: da.Trajectory, tmp_path: Path) -> None:
    """Half a second at half the speed and ten frames a second: eleven frames, which differ."""
    from imageio_ffmpeg import read_frames

    path = film(run, tmp_path / "leg.mp4", speed=0.5, frames_per_second=10, size=(320, 200))
    frames = read_frames(str(path))
    meta = next(frames)
    assert meta["size"] == (320, 200)
    pictures = [np.frombuffer(frame, np.uint8).astype(int) for frame in frames]
    assert len(pictures) == 11
    assert np.abs(pictures[0] - pictures[-1]).max() > 60


def test_a_film_at_no_speed_is_refused(run: da.Trajectory, tmp_path: Path) -> None:
    with pytest.raises(da.DalembertError, match="positive speed"):
        film(run, tmp_path / "leg.mp4", speed=0.0)
