"""The public face: lazy names that all resolve, and an import that loads nothing heavy."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import dalembert as da
from dalembert.errors import AssemblyError, DalembertError, ModelError, SimulationError


@pytest.mark.parametrize("name", da.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(da, name) is getattr(da, name)
    assert name in dir(da)


def test_type_checkers_see_the_names_that_users_get() -> None:
    """The names imported for type checkers, those loaded at run time, and ``__all__`` are the same."""
    tree = ast.parse(Path(da.__file__).read_text(encoding="utf-8"))
    guarded = next(node for node in tree.body if isinstance(node, ast.If))
    seen = {}
    for node in guarded.body:
        assert isinstance(node, ast.ImportFrom)
        seen |= {alias.name: node.module for alias in node.names}
    loaded = {name: home for home, names in da._HOMES.items() for name in names}
    assert seen == loaded | {"zoo": "dalembert"}
    assert set(da.__all__) == set(seen) | {"__version__"}


def test_the_reference_has_every_public_name() -> None:
    """By itself, among the members of a module, or as a part of the errors, which are listed whole."""
    page = (Path(__file__).parents[2] / "docs" / "api.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"dalembert\.(\w+)$", page, re.M))
    for members in re.findall(r":members: (.+)", page):
        listed |= {name.strip() for name in members.split(",")}
    listed |= set(da._HOMES["dalembert.errors"])
    assert set(da.__all__) - listed - {"__version__"} == set()


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Revolut'"):
        getattr(da, "Revolut")  # noqa: B009


DESCRIBE = """
import sys
import dalembert as da
b = da.ModelBuilder()
da.Revolute(axis=(0, 0, 1)), da.Box(1, 1, 1), da.ConvexMesh, da.ModelError, da.Frame
b.add_body("x", shape=da.Sphere(1.0), material="steel")
b.add_joint("j", da.Floating(), parent="world", child="x")
print(*sorted(set(sys.modules) & {"numba", "scipy", "matplotlib"}))
"""


def test_describing_a_mechanism_loads_neither_numba_nor_scipy() -> None:
    done = subprocess.run([sys.executable, "-c", DESCRIBE], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_all_errors_have_one_base() -> None:
    for kind in (ModelError, AssemblyError, SimulationError):
        assert issubclass(kind, DalembertError)


def test_a_simulation_error_says_where_why_and_what_was_worst() -> None:
    error = SimulationError("Newton stalled", time=0.25, step=25, worst='joint "elbow"', remedies=("halve dt",))
    assert str(error) == 'step 25, t = 0.25 s: Newton stalled; worst: joint "elbow"; halve dt'
    assert (error.time, error.step, error.reason, error.worst) == (0.25, 25, "Newton stalled", 'joint "elbow"')
    assert error.trajectory is None


def test_an_assembly_error_carries_its_residual() -> None:
    error = AssemblyError("the loop does not close", residual=0.1, worst='joint "pin"')
    assert (str(error), error.residual, error.worst) == ("the loop does not close", 0.1, 'joint "pin"')
