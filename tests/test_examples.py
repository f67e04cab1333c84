"""The examples run as they stand, and say what they promise."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import pytest

FOLDER = Path(__file__).resolve().parents[1] / "examples"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_example_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.chdir(tmp_path)
    names = runpy.run_path(str(path))
    assert capsys.readouterr().out
    run = names["run"]
    assert len(run) > 1
    assert run.constraint_error.max() < 1e-8
    assert np.isfinite(run.energy).all()


def test_driven_linkage_reaches_its_speed():
    """One degree of freedom, three redundant rows, and a crank that turns as the motor wants."""
    names = runpy.run_path(str(FOLDER / "driven_linkage.py"))
    assert (names["assembly"].dof, names["assembly"].redundant) == (1, 3)
    speed = names["run"].joint("motor").velocity
    # a motor without an integral part stays behind by (torque of gravity and inertia)/GAIN, a few N m over 50
    assert abs(speed[250:] - names["TARGET"]).max() < 0.2
