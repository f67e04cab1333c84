"""What the command line accepts as a mechanism, and what it says when it does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from dalembert.cli.source import InputError, load_source, read_settings
from dalembert.model.joints import Revolute, Spherical

GOOD = """
from dalembert.model.builder import ModelBuilder
from dalembert.model.joints import Revolute

def model(length=1.0):
    b = ModelBuilder(gravity=(0, 0, -9.81))
    b.add_body("rod", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -length / 2))
    b.add_joint("pin", Revolute(axis=(0, 1, 0)), parent="world", child="rod", anchor=(0, 0, 0))
    return b.build()

def started():
    m = model()
    return m, m.state(positions={"pin": 0.5})

def heavy():
    b = ModelBuilder()
    b.add_body("rod", mass=-1.0, inertia=(0.1, 0.1, 0.01))
    return b.build()

def typo():
    return modell()

def number():
    return 3
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mechanism.py"
    path.write_text(GOOD, encoding="utf-8")
    return path


def test_zoo_by_name_with_arguments():
    source = load_source("four_bar_chain", ["segments=2"])
    assert source.name == "four_bar_chain"
    assert source.model.n_bodies == 8


def test_zoo_start_is_used():
    source = load_source("n_four_bar")
    assert source.state.velocity[:, 0].max() == 1.0


def test_python_file(file: Path):
    assert load_source(str(file), ["length=2.0"]).model.bodies["rod"].position[2] == -1.0
    assert load_source(f"{file}:started").state.coordinates[0] == 0.5


def test_python_module(file: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(file.parent)
    assert load_source("mechanism:model").model.n_bodies == 1


@pytest.mark.parametrize(
    ("spec", "line", "said"),
    [
        ("heavy", 'b.add_body("rod", mass=-1.0|return b.build()', "mass"),
        ("typo", "return modell()", "NameError: name 'modell' is not defined"),
        ("number", None, "should return a Model, or a Model and a State; it returned int"),
        ("modle", None, "has no function 'modle' (did you mean 'model'?)"),
    ],
)
def test_faults_in_the_users_file_name_the_line(file: Path, spec: str, line: str | None, said: str):
    with pytest.raises(InputError) as caught:
        load_source(f"{file}:{spec}")
    assert said in str(caught.value)
    path, _, number = caught.value.place.partition(":")
    assert path == str(file)
    if line is not None:
        expected = [k for k, text in enumerate(GOOD.splitlines(), 1) if any(part in text for part in line.split("|"))]
        assert int(number) in expected


def test_syntax_error_names_file_and_line(tmp_path: Path):
    path = tmp_path / "broken.py"
    path.write_text("x = 1\ndef model(:\n", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load_source(str(path))
    assert caught.value.place == f"{path}:2"


@pytest.mark.parametrize(
    ("spec", "settings", "said"),
    [
        ("fourbar_chain", [], "no mechanism 'fourbar_chain' (did you mean 'four_bar_chain'?)"),
        ("four_bar_chain", ["segment=2"], "no setting 'segment' (did you mean 'segments'?)"),
        ("four_bar_chain", ["segments"], "expected name=value, found 'segments'"),
        ("nowhere.py", [], "there is no file nowhere.py"),
        ("no_such_module:model", [], "No module named 'no_such_module'"),
    ],
)
def test_refusals(spec: str, settings: list[str], said: str):
    with pytest.raises(InputError) as caught:
        load_source(spec, settings)
    assert said in str(caught.value)


def test_values_of_settings():
    values = read_settings(
        ["a=1", "b=2.5", "c=(1, 2)", "d=rope", "e=Spherical", "f=Revolute(axis=(0, 1, 0))", "g=None"]
    )
    assert values == {
        "a": 1,
        "b": 2.5,
        "c": (1, 2),
        "d": "rope",
        "e": Spherical(),
        "f": Revolute(axis=(0, 1, 0)),
        "g": None,
    }


def test_values_are_never_executed():
    assert read_settings(["a=__import__('os').getcwd()"]) == {"a": "__import__('os').getcwd()"}
    with pytest.raises(InputError, match="cannot make a joint"):
        read_settings(["a=Revolute(axis=open('x'))"])
