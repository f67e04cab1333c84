"""Pictures of a short run: what is drawn, and that a picture can be saved in every format."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("matplotlib")

from dalembert.integrators import MaximalVI
from dalembert.simulate import simulate
from dalembert.trajectory import Trajectory
from dalembert.view.motion import plot_motion
from dalembert.view.plots import overview, plot_accuracy, plot_energy, plot_loop_error
from dalembert.zoo import double_pendulum, pendulum_start


@pytest.fixture(scope="module")
def run() -> Trajectory:
    model = double_pendulum()
    return simulate(model, pendulum_start(model), duration=1.0, dt=0.01, integrator=MaximalVI())


def test_energy_curves_are_the_runs(run: Trajectory):
    upper, lower = plot_energy(run).axes
    drawn = {line.get_label(): np.asarray(line.get_ydata()) for line in upper.lines}
    np.testing.assert_array_equal(drawn["kinetic"], run.kinetic)
    np.testing.assert_array_equal(drawn["potential"], run.potential)
    np.testing.assert_array_equal(drawn["total"], run.energy)
    np.testing.assert_array_equal(lower.lines[0].get_ydata(), run.energy - run.energy[0])
    assert lower.get_xlabel() == "time (s)"
    assert upper.get_ylabel() == "energy (J)"


def test_loop_error_is_drawn_to_its_maximum(run: Trajectory):
    (axes,) = plot_loop_error(run).axes
    assert axes.get_yscale() == "log"
    assert np.max(np.asarray(axes.lines[0].get_ydata())) == max(run.constraint_error.max(), 1e-17)
    assert axes.get_ylim()[1] > run.constraint_error.max()


def test_motion_has_one_picture_for_each_time(run: Trajectory):
    (axes,) = plot_motion(run, stop=0.5, pictures=5).axes
    assert len(axes.collections) == 5
    assert axes.get_title(loc="left") == "Motion from 0 s to 0.5 s"
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("x (m)", "z (m)")


def test_motion_refuses_times_that_were_not_recorded(run: Trajectory):
    with pytest.raises(ValueError, match="the run covers 0 to 1 s"):
        plot_motion(run, start=2.0)


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_overview_in_every_format(run: Trajectory, ending: str, tmp_path: Path):
    path = overview(run, tmp_path / f"run.{ending}")
    assert path.stat().st_size > 10_000
    assert run.plot(tmp_path / f"again.{ending}").is_file()


def test_a_single_instant_can_be_drawn():
    """A run of no steps: nothing moves, and nothing fails."""
    model = double_pendulum()
    still = simulate(model, duration=0.0, dt=0.01, integrator=MaximalVI())
    assert len(plot_accuracy(still).axes) == 3
    assert len(plot_motion(still).axes[0].collections) == 1
