"""Models as JSON: the same bits come back, and damage is refused."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import numpy as np
import pytest
from model.faulty import sound

import dalembert as da
from dalembert.formats.json_model import model_text, read_model
from dalembert.zoo import ZOO, random_loops, random_tree


def same_bits(one: da.Model, other: da.Model) -> None:
    for name, value in one.system._asdict().items():
        found = getattr(other.system, name)
        if isinstance(value, np.ndarray):
            assert value.dtype == found.dtype and value.tobytes() == found.tobytes(), name
        else:
            assert value == found, name
    for field in ("position", "orientation"):
        for name, body in one.bodies.items():
            assert getattr(body, field).tobytes() == getattr(other.bodies[name], field).tobytes()
    for name, joint in one.joints.items():
        assert joint.limits.tobytes() == other.joints[name].limits.tobytes()
        assert joint.friction.tobytes() == other.joints[name].friction.tobytes()
    assert model_text(one) == model_text(other)


def again(model: da.Model, folder: Path) -> da.Model:
    return da.load(da.save_model(model, folder / "model.json"))


@pytest.mark.parametrize("name", [name for name in ZOO if not name.startswith("custom")])
def test_models_of_the_zoo_come_back_with_the_same_bits(name: str, tmp_path: Path):
    model = ZOO[name].build()
    if model.potentials or any(joint.kind.name == "CustomConstraint" for joint in model.joints.values()):
        pytest.skip("it has parts written in Python")
    same_bits(model, again(model, tmp_path))


@pytest.mark.parametrize("seed", range(4))
def test_random_models_come_back_with_the_same_bits(seed: int, tmp_path: Path):
    for model in (random_tree(12, seed), random_loops(8, seed=seed)):
        same_bits(model, again(model, tmp_path))


def test_everything_a_model_can_hold_comes_back(tmp_path: Path):
    builder = sound()
    builder.add_body("ball", shape=da.Sphere(0.1), material="steel", position=(1, 2, 3))
    builder.add_joint(
        "free", da.Floating(), parent="world", child="ball", limits=[(-1, None), None, (0, 2), None, None, None]
    )
    builder.add_joint("gear", da.Gear(2.0), parent="shoulder", child="elbow")
    builder.add_spring("spring", "ball", "lower", local_points=((0, 0, 0), (0, 0, 0.5)), stiffness=3.0)
    builder.add_frame("tip", "lower", position=(0, 0, -2))
    builder.add_ground(friction=0.5)
    builder.add_contact("ball")
    model = builder.build()
    other = again(model, tmp_path)
    same_bits(model, other)
    assert list(other.contacts) == ["ground", "ball"]
    assert other.frames["tip"].body == "lower"
    assert other.bodies["ball"].material == da.MATERIALS["steel"]


def test_parts_written_in_python_are_refused_by_name(tmp_path: Path):
    builder = sound()
    builder.add_potential("field", ["lower"], lambda x, q: float(x[0, 2]))
    builder.add_joint("rule", da.CustomConstraint(lambda x, q: x[0, :1], ["lower"]))
    with pytest.raises(da.ModelError, match=r'written in Python.*potential "field", joint "rule"'):
        da.save_model(builder.build(), tmp_path / "model.json")
    assert not list(tmp_path.iterdir())


def test_other_endings_are_refused(tmp_path: Path):
    with pytest.raises(da.ModelError, match=r"expected a file that ends in \.json"):
        da.save_model(sound().build(), tmp_path / "model.pkl")


DAMAGE = {
    "cut short": (lambda text: text[: len(text) // 2], r":\d+: error: expected JSON"),
    "not JSON": (lambda text: "{\n  x\n}", ":2: error: expected JSON"),
    "other JSON": (lambda text: "[1, 2]", "expected a model saved by dalembert"),
    "newer": (lambda text: text.replace('"version": 1', '"version": 2'), "update dalembert"),
    "no version": (lambda text: text.replace('"version": 1', '"version": null'), "version: expected a whole number"),
    "NaN": (lambda text: text.replace("-9.81", "NaN"), "expected finite numbers, found NaN"),
    "text for a number": (lambda text: text.replace("-9.81", '"x"'), "system.gravity: expected numbers"),
    "another class": (lambda text: text.replace('"class": "Revolute"', '"class": "Popen"'), "called 'Popen'"),
    "another kind": (lambda text: text.replace('"class": "Revolute"', '"class": "Universal"'), "damaged"),
    "too many fields": (lambda text: text.replace('"class": "Revolute",', '"class": "Revolute", "x": 1,'), "damaged"),
    "an array of another shape": (lambda text: text.replace('"shape": [3, 3, 3]', '"shape": [3, 9]'), "system.inertia"),
    "negative mass": (lambda text: text.replace('"values": [1.0, 1.0, 0.0]', '"values": [-1.0, 1.0, 0.0]'), "mass"),
    "an index out of range": (
        lambda text: text.replace('"system.tree_body": {"shape": [2], "type": "int64", "values": [0, 1]}', TREE),
        "expected indices within the model",
    ),
    "missing array": (lambda text: text.replace('"system.mass"', '"system.mas"'), "system.mass: expected an array"),
    "deep": (lambda text: "[" * 100_000, "expected JSON"),
    "pickle": (lambda text: pickle.dumps([text]).decode("latin-1"), "expected JSON"),
}
TREE = '"system.tree_body": {"shape": [2], "type": "int64", "values": [0, 7]}'


@pytest.mark.parametrize("name", DAMAGE)
def test_damage_is_refused(name: str, tmp_path: Path):
    change, said = DAMAGE[name]
    text = model_text(sound().build())
    damaged = change(text)
    assert damaged != text
    path = tmp_path / "model.json"
    path.write_text(damaged, encoding="utf-8")
    with pytest.raises(da.ModelFileError, match=said):
        read_model(path)


def test_the_file_is_json_that_others_can_read(tmp_path: Path):
    content = json.loads(da.save_model(sound().build(), tmp_path / "model.json").read_text(encoding="utf-8"))
    assert content["format"] == "dalembert model"
    assert [body["name"] for body in content["model"]["bodies"]] == ["upper", "lower"]
