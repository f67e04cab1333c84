"""The command as people use it: what it leaves behind, what it says, and how it exits."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from dalembert.cli import DONE, FAILED, WRONG, app, run

COMMANDS = [command.callback.__name__ for command in app.registered_commands if command.callback is not None]


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]):
    assert run(["--help"]) == DONE
    shown = capsys.readouterr().out
    for command in COMMANDS:
        assert command in shown
    assert run([]) == DONE
    assert capsys.readouterr().out == shown


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]):
    assert run([command, "--help"]) == DONE
    assert "Usage: dalembert " + command in capsys.readouterr().out


def test_version(capsys: pytest.CaptureFixture[str]):
    import dalembert

    assert run(["--version"]) == DONE
    assert capsys.readouterr().out.strip() == dalembert.__version__


def test_simulate_reports_saves_and_draws(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    saved, drawn = tmp_path / "deep" / "run.npz", tmp_path / "run.png"
    arguments = ["simulate", "n_four_bar", "-t", "1", "--dt", "0.01", "--save", str(saved), "--plot", str(drawn)]
    assert run(arguments) == DONE
    shown = capsys.readouterr().out
    assert re.search(r"MaximalVI, 100 steps of 0\.01 s to t = 1 s", shown)
    assert "constraints" in shown
    assert drawn.read_bytes().startswith(b"\x89PNG")
    with np.load(saved, allow_pickle=False) as file:
        assert file["time"].shape == (101,)
    for ending, start_of_file in (
        ("svg", b"<?xml"),
        ("png", b"\x89PNG"),
        ("gif", b"GIF89a"),
        ("html", b"<!doctype html>"),
    ):
        picture = tmp_path / f"again.{ending}"
        assert run(["render", str(saved), str(picture), "--stop", "0.4"]) == DONE
        assert picture.read_bytes().startswith(start_of_file)
    capsys.readouterr()
    assert run(["render", str(saved), str(tmp_path / "late.svg"), "--at", "0.5"]) == WRONG
    assert "expected an ending of .png for the picture of one instant" in capsys.readouterr().err
    assert run(["render", str(saved), str(tmp_path / "late.png"), "--start", "5"]) == WRONG
    assert capsys.readouterr().err == "error: nothing was recorded from 5 s: the run covers 0 to 1 s\n"


def test_options_reach_the_integrator_and_the_mechanism(capsys: pytest.CaptureFixture[str]):
    arguments = ["simulate", "pendulum", "--set", "n=2", "-t", "0.1", "-i", "maximal-vi", "-o", "tol=1e-12", "-q"]
    assert run(arguments) == DONE
    assert "10 steps" in capsys.readouterr().out


def test_check_counts_degrees_of_freedom_and_redundant_rows(capsys: pytest.CaptureFixture[str]):
    """Bricard's mechanism: six revolute joints, one degree of freedom, one redundant row (oracle A04)."""
    assert run(["check", "bricard"]) == DONE
    shown = capsys.readouterr().out
    assert re.search(r"degrees of freedom\s+1\b", shown)
    assert re.search(r"redundant constraint rows\s+1\b", shown)
    assert re.search(r"joints that close loops\s+1\b", shown)


def test_integrators_are_listed(capsys: pytest.CaptureFixture[str]):
    from dalembert.integrators import INTEGRATORS

    assert run(["integrators"]) == DONE
    shown = capsys.readouterr().out
    for kind in INTEGRATORS:
        assert kind.name in shown


def test_bench_times_a_mechanism(capsys: pytest.CaptureFixture[str]):
    assert run(["bench", "pendulum", "--set", "n=3", "--steps", "20"]) == DONE
    shown = capsys.readouterr().out
    found = re.search(r"pendulum n=3\s+3\s+([\d.e+]+)\s+([\d.e+]+)\s+([\d.]+)\s+([\d.e+]+)", shown)
    assert found
    per_step, per_body, iterations, real_time = map(float, found.groups())
    # what is printed has three digits
    assert abs(per_step / per_body - 3.0) < 0.05
    assert abs(per_step * real_time - 1e4) < 200.0
    assert 1.0 <= iterations < 10.0


def test_reproduce_lists_the_studies(capsys: pytest.CaptureFixture[str]):
    from dalembert.studies import STUDIES

    assert run(["reproduce"]) == DONE
    shown = capsys.readouterr().out
    for name in STUDIES:
        assert name in shown
    assert run(["reproduce", "2023-99"]) == WRONG
    assert capsys.readouterr().err.startswith('error: study "2023-99"')


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["frobnicate"], "no such command 'frobnicate'"),
        (["simulate"], "missing argument 'mechanism'"),
        (["simulate", "pendulum", "--dt", "soon"], "invalid value for '--dt'"),
        (["simulate", "pendulum", "--steps", "5"], "no such option: --steps"),
        (["simulate", "pendulum", "-i", "magic"], "no integrator 'magic'"),
        (["simulate", "pendulum", "-o", "tool=1"], "no setting 'tool' (did you mean 'tol'?)"),
        (["simulate", "pendulum", "-o", "tol=2"], "tol: expected a number"),
        (["simulate", "pendulum", "--dt", "-1"], "dt: expected a positive number of seconds"),
        (["simulate", "pendulum", "-t", "0.015"], "expected a whole number of steps"),
        (["render", "nowhere.npz", "a.png"], "error: nowhere.npz: no such file or directory"),
        (["view", "nowhere.npz"], "error: nowhere.npz: no such file or directory"),
        (["view", "pendulun"], "did you mean 'pendulum'?"),
        (["render", "nowhere.npz", "a.tiff"], "expected an ending of .png"),
        (["check", "penduluum"], "no mechanism 'penduluum' (did you mean 'pendulum'?)"),
    ],
)
def test_wrong_input_is_one_line_and_exit_2(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]):
    assert run(arguments) == WRONG
    shown = capsys.readouterr()
    assert shown.err.startswith("error: ")
    assert said in shown.err
    assert shown.err.count("\n") == 1


def test_fault_in_a_file_names_file_and_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "robot.py"
    path.write_text(
        "import dalembert as da\n"
        "def model():\n"
        "    b = da.ModelBuilder()\n"
        "    b.add_body('thigh', mass=-1.0, inertia=(0.1, 0.1, 0.1))\n"
        "    return b.build()\n",
        encoding="utf-8",
    )
    assert run(["check", str(path)]) == WRONG
    line = capsys.readouterr().err
    assert re.match(re.escape(str(path)) + r':[45]: error: body "thigh", mass: expected .* found -1\.0\n$', line)


def test_failed_simulation_exits_1(capsys: pytest.CaptureFixture[str]):
    """A box that would turn by more than half a revolution in one step."""
    assert run(["simulate", "tumbling_box", "--dt", "2", "-t", "10", "-q"]) == FAILED
    shown = capsys.readouterr()
    assert shown.err.startswith("error: step 1")
    assert shown.err.count("\n") == 1


def test_demo_leaves_runs_and_pictures(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert run(["demo", "--out", str(tmp_path), "--quiet"]) == DONE
    shown = capsys.readouterr().out
    assert shown.count("to t = 10 s") == 2
    for name in ("four_bar_chain", "pendulum_chain"):
        assert (tmp_path / f"{name}.npz").is_file()
        for picture in ("accuracy", "motion"):
            assert (tmp_path / f"{name}_{picture}.png").stat().st_size > 10_000


def test_every_ability_of_an_integrator_is_listed() -> None:
    from dalembert.cli.integrators import FEATURES
    from dalembert.integrators import INTEGRATORS

    assert set().union(*(kind.supports for kind in INTEGRATORS)) == set(FEATURES)
