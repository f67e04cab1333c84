"""The house itself: what an import costs, what is shipped, and which way imports go."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib import metadata, resources
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)


def test_import_is_light_and_quick():
    """`import dalembert` loads none of the heavy packages and takes less than 0.3 s beyond the bare interpreter."""
    program = (
        "import sys, time, json\n"
        "start = time.perf_counter()\n"
        "import dalembert\n"
        "print(json.dumps([time.perf_counter() - start, sorted(sys.modules)]))\n"
    )
    # the best of three: the first may find cold files, and a busy machine can only make it slower
    seconds, loaded = min(json.loads(run(sys.executable, "-c", program).stdout) for _ in range(3))
    assert not {"numba", "scipy", "matplotlib", "typer", "rich", "tqdm"} & set(loaded)
    assert seconds < 0.3


def test_help_does_not_compile_or_plot():
    """`dalembert --help` answers without numba, scipy or matplotlib."""
    program = (
        "import sys\n"
        "from dalembert.cli import main\n"
        "sys.argv = ['dalembert', '--help']\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code\n"
        "print(sorted({'numba', 'scipy', 'matplotlib'} & set(sys.modules)))\n"
    )
    answer = run(sys.executable, "-c", program)
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout.splitlines()[-1] == "[]"


def test_the_package_runs_as_the_command():
    """`python -m dalembert` is `dalembert`, for environments whose scripts are not on the path."""
    answer = run(sys.executable, "-m", "dalembert", "--version")
    assert answer.returncode == 0, answer.stderr
    assert metadata.version("dalembert") in answer.stdout


def test_version_is_the_installed_one():
    import dalembert

    assert dalembert.__version__ == metadata.version("dalembert")


def test_public_names_resolve():
    """Every name that the package offers can be had, and `dir` lists it."""
    import dalembert

    assert dalembert.__all__
    for name in dalembert.__all__:
        assert getattr(dalembert, name) is not None
        assert name in dir(dalembert)
    with pytest.raises(AttributeError, match="no attribute 'Revolut'"):
        _ = dalembert.Revolut


def test_a_module_never_hides_the_function_of_its_name():
    """`dalembert.simulate` is the function, whether or not the module of that name was imported first."""
    program = "import dalembert.simulate, dalembert\nprint(type(dalembert.simulate).__name__)\n"
    assert run(sys.executable, "-c", program).stdout.split() == ["function"]


def test_types_and_style_are_shipped():
    package = resources.files("dalembert")
    assert (package / "py.typed").is_file()
    assert (package / "view" / "dalembert.mplstyle").is_file()


def test_imports_go_down_only():
    """The import rules of the house, as import-linter checks them."""
    answer = run(str(Path(sys.executable).parent / "lint-imports"), "--no-cache")
    assert answer.returncode == 0, answer.stdout + answer.stderr


def test_no_path_of_any_machine():
    """Sources, tests and documents name no folder of the machine they were written on."""
    listed = run("git", "ls-files", "-z")
    if listed.returncode:
        pytest.skip("not a git checkout")
    machine = re.compile(r"(?<![\w./~-])/(?:home|root|Users|work|mnt|opt|srv)/[\w.]+")
    found = []
    for name in filter(None, listed.stdout.split("\0")):
        path = ROOT / name
        if path == Path(__file__).resolve() or not path.is_file() or path.suffix in {".png", ".npz", ".svg"}:
            continue
        text = path.read_text(encoding="utf-8")
        found += [f"{name}: {match.group()}" for match in machine.finditer(text)]
    assert not found


def test_every_pinned_version_is_exact_and_needs_no_address():
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert len(pins) > 20
    for pin in pins:
        assert re.fullmatch(r"[A-Za-z0-9._-]+==[0-9][0-9A-Za-z.+!]*", pin), pin


def test_licence():
    assert "Apache License" in (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert metadata.metadata("dalembert")["License-Expression"] == "Apache-2.0"
