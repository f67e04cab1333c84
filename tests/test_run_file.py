"""Saved runs: what is loaded says and does what the run did, and files that are not sound are refused with a reason."""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dalembert as da
from dalembert.run_file import VERSION
from dalembert.zoo import ZOO

LOADABLE = [name for name in ZOO if name not in ("pendulum_chain", "andrews_squeezer")]


def short_run(name: str, **options: Any) -> da.Trajectory:
    entry = ZOO[name]
    model = entry.build()
    arguments: dict[str, Any] = {"duration": 0.02, "dt": 0.002, "every": 2, "integrator": da.MaximalVI()}
    return da.simulate(model, entry.start(model), wrenches=entry.wrenches, **(arguments | options))


def same_record(a: da.Trajectory, b: da.Trajectory) -> None:
    for name, column in a.record._asdict().items():
        assert np.array_equal(column, getattr(b.record, name), equal_nan=True), name


@pytest.mark.parametrize("name", LOADABLE)
def test_a_loaded_run_says_what_the_run_said(name: str, tmp_path: Path) -> None:
    run = short_run(name)
    loaded = da.load_run(run.save(tmp_path / "run.npz"))
    same_record(run, loaded)
    assert np.array_equal(loaded.time, run.time)
    assert np.array_equal(loaded.energy, run.energy)
    assert np.array_equal(loaded.qdot, run.qdot)
    assert loaded.report() == run.report()
    assert (loaded.dt, loaded.every, loaded.parameters) == (run.dt, run.every, run.parameters)
    for joint in run.model.joints.values():
        if joint.kind.coordinate_names:
            assert np.array_equal(loaded.joint(joint.name).reaction_force, run.joint(joint.name).reaction_force)
        assert loaded.model.joints[joint.name].kind.name == joint.kind.name
        assert loaded.model.joints[joint.name].coordinates == joint.coordinates
        assert np.array_equal(loaded.model.joints[joint.name].limits, joint.limits)


def shaped_model() -> da.Model:
    """Every shape, a material, a gear, springs, a rod, a screw and limits."""
    builder = da.ModelBuilder(gravity=(0, 0, -9.81))
    corners = [(0, 0, 0), (0.2, 0, 0), (0, 0.2, 0), (0, 0, 0.2)]
    tilted = da.Part(da.Box(0.1, 0.1, 0.3), position=(0, 0.1, 0), orientation=(0, 1, 0, 0), material="steel")
    shapes = {
        "sphere": da.Sphere(0.1),
        "capsule": da.Capsule(0.05, 0.4),
        "ellipsoid": da.Ellipsoid(0.1, 0.2, 0.3),
        "mesh": da.ConvexMesh(corners),
        "parts": [da.Cylinder(0.05, 0.4), tilted],
    }
    for k, (name, shape) in enumerate(shapes.items()):
        builder.add_body(name, shape=shape, material="wood", position=(k, 0, 0))
    hinge = da.Revolute(axis=(0, 1, 0))
    builder.add_joint("a", hinge, parent="world", child="sphere", anchor=(0, 0, 1), limits=(-1, None), friction=0.5)
    builder.add_joint("b", hinge, parent="world", child="capsule", anchor=(1, 0, 1), stiffness=2.0)
    builder.add_joint("gear", da.Gear(ratio=2.0), parent="a", child="b")
    builder.add_joint("c", da.Screw(axis=(0, 0, 1), pitch=0.1), parent="capsule", child="ellipsoid", anchor=(2, 0, 0))
    builder.add_joint("d", da.Universal(), parent="ellipsoid", child="mesh", anchor=(3, 0, 0))
    builder.add_joint("rod", da.Distance(), parent="world", child="parts", anchor=((4, 0, 1), (4, 0, 0)))
    builder.add_spring("spring", "mesh", "parts", points=((3, 0, 0), (4, 0, 0)), stiffness=10.0)
    builder.add_spring("soft", "mesh", "world", points=((3, 0, 0), (3, 1, 0)), stiffness=1.0, rest_length=0.0)
    return builder.build()


def test_shapes_materials_and_all_that_is_no_joint_come_back(tmp_path: Path) -> None:
    model = shaped_model()
    run = da.simulate(model, duration=0.02, dt=0.002, integrator=da.MaximalVI())
    loaded = da.load_run(run.save(tmp_path / "run.npz"))
    same_record(run, loaded)
    assert np.array_equal(run.energy, loaded.energy)
    for name, body in model.bodies.items():
        found = loaded.model.bodies[name]
        assert found.material == body.material
        assert (found.mass, found.index) == (body.mass, body.index)
        assert np.array_equal(found.inertia, body.inertia)
        assert np.array_equal(found.position, body.position)
        for ours, theirs in zip(body.parts, found.parts, strict=True):
            assert type(ours.shape) is type(theirs.shape)
            assert np.array_equal(ours.position, theirs.position)
            assert np.array_equal(ours.orientation, theirs.orientation)
            again = theirs.shape.mass_properties(1.0)
            assert all(np.array_equal(x, y) for x, y in zip(ours.shape.mass_properties(1.0), again, strict=True))
    for name, joint in model.joints.items():
        found = loaded.model.joints[name]
        assert np.array_equal(found.limits, joint.limits)
        assert np.array_equal(found.friction, joint.friction)
        assert (found.bodies, found.components, found.in_tree) == (joint.bodies, joint.components, joint.in_tree)
    for name, array in model.system._asdict().items():
        assert np.array_equal(getattr(loaded.model.system, name), array), name
    # the loaded model is a model: it makes states and runs
    assert np.array_equal(loaded.model.state().coordinates, model.state().coordinates)


MECHANISMS = ("double_pendulum", "spinning_top", "random_tree", "n_four_bar", "bricard", "slider_crank", "minitaur")


@pytest.mark.parametrize("every", [1, 4])
@pytest.mark.parametrize("name", MECHANISMS)
def test_a_loaded_run_is_resumed_with_the_same_bits(name: str, every: int, tmp_path: Path) -> None:
    entry = ZOO[name]
    model = entry.build()
    options: dict[str, Any] = {"dt": 0.002, "every": every, "integrator": da.MaximalVI()}
    whole = da.simulate(model, entry.start(model), duration=0.08, **options)
    first = da.simulate(model, entry.start(model), duration=0.04, **options)
    loaded = da.load_run(first.save(tmp_path / "half.npz"))
    rest = da.simulate(loaded.model, loaded.final_state, duration=0.04, **options)
    middle = len(first) - 1
    assert np.array_equal(rest.time, whole.time[middle:])
    for column in ("position", "orientation", "velocity", "angular_velocity", "coordinates", "multiplier"):
        assert np.array_equal(getattr(rest.record, column), getattr(whole.record, column)[middle:]), column
    assert np.array_equal(rest.iterations[1:], whole.iterations[middle + 1 :])
    for part in ("position", "orientation", "velocity", "angular_velocity", "coordinates", "rates"):
        assert np.array_equal(getattr(rest.final_state, part), getattr(whole.final_state, part)), part


def pulled(bodies: tuple[str, ...] = ("link2",)) -> da.Model:
    """A double pendulum with a potential and a constraint of the user's."""
    builder = da.ModelBuilder(gravity=(0, 0, -9.81))
    for k in (1, 2):
        builder.add_body(f"link{k}", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -k + 0.5))
    ball = da.Spherical()
    builder.add_joint("top", ball, parent="world", child="link1", anchor=(0, 0, 0))
    builder.add_joint("low", ball, parent="link1", child="link2", anchor=(0, 0, -1))
    builder.add_joint("wall", da.CustomConstraint(lambda x, q: [x[0, 1]], bodies=bodies))
    builder.add_potential("well", bodies, lambda x, q: 3.0 * x[0, 0] + x[0, 0] ** 2)
    return builder.build()


def wind(time: float, state: da.State) -> dict[str, Any]:
    return {"link1": ((0.1 * time, 0.0, 0.0), (0.0, 0.3 * np.cos(7.0 * time), 0.0))}


def test_functions_of_users_need_the_model_and_resume_with_the_same_bits(tmp_path: Path) -> None:
    model = pulled()
    options: dict[str, Any] = {"dt": 0.01, "every": 3, "integrator": da.MaximalVI(), "wrenches": wind}
    whole = da.simulate(model, duration=0.24, **options)
    first = da.simulate(model, duration=0.12, **options)
    path = first.save(tmp_path / "run.npz")
    with pytest.raises(da.ModelError, match=r'potential "well", joint "wall".*load_run\(path, model=model\)'):
        da.load_run(path)
    loaded = da.load_run(path, model=pulled())
    assert np.array_equal(loaded.energy, first.energy)
    rest = da.simulate(loaded.model, loaded.final_state, duration=0.12, **options)
    assert np.array_equal(rest.time, whole.time[4:])
    for column in ("position", "orientation", "velocity", "angular_velocity", "multiplier"):
        assert np.array_equal(getattr(rest.record, column), getattr(whole.record, column)[4:]), column


def test_another_model_is_refused(tmp_path: Path) -> None:
    path = short_run("double_pendulum").save(tmp_path / "run.npz")
    assert da.load_run(path, model=ZOO["double_pendulum"].build()).model.n_bodies == 2
    with pytest.raises(da.ModelError, match=r'whose bodies are "link1", "link2", found one whose bodies are "link1"$'):
        da.load_run(path, model=ZOO["pendulum"].build())
    with pytest.raises(da.ModelError, match=r"differs in system\.mass"):
        da.load_run(path, model=ZOO["double_pendulum"].build(mass=2.0))


def test_saving_is_all_or_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A crash on the way leaves the old file and no litter."""
    path = tmp_path / "run.npz"
    old, new = short_run("pendulum"), short_run("double_pendulum")
    old.save(path)
    before = path.read_bytes()

    def full(_file: object) -> None:
        raise OSError("no space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="no space"):
            new.save(path)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["run.npz"]
    new.save(path)
    assert da.load_run(path).model.n_bodies == 2
    assert os.listdir(tmp_path) == ["run.npz"]


def rewritten(path: Path, change: Callable[[dict[str, Any], dict[str, np.ndarray]], None]) -> Path:
    """The file with its header and arrays changed."""
    with np.load(path) as file:
        arrays = {name: file[name] for name in file.files}
    header = json.loads(arrays["header"].tobytes().decode())
    change(header, arrays)
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
    other = path.with_name("other.npz")
    with other.open("wb") as out:
        np.savez(out, **arrays)
    return other


def put_header(name: str, value: Any) -> Callable[[dict[str, Any], dict[str, np.ndarray]], None]:
    return lambda header, arrays: header.__setitem__(name, value)


def put_array(name: str, value: Any) -> Callable[[dict[str, Any], dict[str, np.ndarray]], None]:
    return lambda header, arrays: arrays.__setitem__(name, value)


FAULTS = {
    "newer": (put_header("version", VERSION + 1), r"format 2.*formats up to 1; update dalembert"),
    "version": (put_header("version", "one"), r"version: expected a whole number"),
    "other program": (put_header("format", "something"), "not a run saved by dalembert"),
    "NaN": (put_header("dt", float("nan")), "damaged: header: expected finite numbers, found NaN"),
    "infinity": (put_header("wall_time", float("inf")), "damaged: header: expected finite numbers, found Infinity"),
    "huge": (put_header("dt", 10**400), "damaged"),
    "negative": (put_header("dt", -0.1), "damaged: header, dt: expected a positive finite number"),
    "every": (put_header("every", 0), "damaged: header, every: expected a whole number from 1"),
    "missing key": (lambda header, arrays: header.pop("dt"), r"damaged or cut short \(KeyError: 'dt'\)"),
    "missing array": (lambda header, arrays: arrays.pop("record.velocity"), r"record\.velocity: .* found none"),
    "shape": (put_array("record.position", np.zeros((6, 2, 2))), r"record\.position: expected .* \(6, 2, 3\)"),
    "one row": (put_array("record.position", np.zeros((1, 2, 3))), r"record\.position: expected .* \(6, 2, 3\)"),
    "type": (put_array("record.position", np.zeros((6, 2, 3), np.float32)), r"expected 64-bit numbers.*float32"),
    "NaN in a pose": (put_array("final.position", np.full((2, 3), np.nan)), r"final\.position: expected finite"),
    "index": (put_array("system.joint_child", np.array([0, 5])), r"system\.joint_child: expected indices within"),
    "incidence": (put_array("system.incidence_start", np.array([0, 3, 4])), r"system\.incidence_start: expected"),
    "no instants": (put_array("time", np.zeros(0)), "time: expected at least one instant"),
    "kind": (
        lambda header, arrays: header["model"]["joints"][0]["kind"].__setitem__("class", "os"),
        "no joint kind or shape called 'os'",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_wrong_inside_is_said(fault: str, tmp_path: Path) -> None:
    change, message = FAULTS[fault]
    path = rewritten(short_run("double_pendulum").save(tmp_path / "run.npz"), change)
    with pytest.raises(da.ModelError, match=message) as caught:
        da.load_run(path)
    assert str(caught.value).startswith(str(path))


class Pickled:
    """Would run code when unpickled."""

    def __reduce__(self) -> Any:
        return os.abort, ()


def test_pickled_objects_are_never_read(tmp_path: Path) -> None:
    path = short_run("pendulum").save(tmp_path / "run.npz")
    evil = np.array([Pickled()], dtype=object)
    other = tmp_path / "evil.npz"
    with np.load(path) as file:
        arrays = {name: file[name] for name in file.files} | {"record.position": evil}
    np.savez(other, **arrays)  # pyright: ignore[reportArgumentType]
    with pytest.raises(da.ModelError, match="pickled Python objects, which are never read"):
        da.load_run(other)


def test_files_that_are_something_else(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("not a run")
    empty = tmp_path / "empty.npz"
    empty.touch()
    array = tmp_path / "array.npy"
    np.save(array, np.zeros(3))
    others = tmp_path / "others.npz"
    np.savez(others, x=np.zeros(3))
    for path in (text, empty, array, others):
        with pytest.raises(da.ModelError, match="not a run saved by dalembert"):
            da.load_run(path)
    with pytest.raises(FileNotFoundError):
        da.load_run(tmp_path / "nowhere.npz")


@pytest.mark.parametrize("part", [0.1, 0.5, 0.9, 0.999])
def test_a_file_that_was_cut_short(part: float, tmp_path: Path) -> None:
    path = short_run("pendulum").save(tmp_path / "run.npz")
    whole = path.read_bytes()
    path.write_bytes(whole[: int(part * len(whole))])
    with pytest.raises(da.ModelError, match="damaged or cut short"):
        da.load_run(path)


def test_a_flipped_bit_is_noticed(tmp_path: Path) -> None:
    path = short_run("pendulum").save(tmp_path / "run.npz")
    whole = bytearray(path.read_bytes())
    with zipfile.ZipFile(io.BytesIO(bytes(whole))) as archive:
        entry = archive.getinfo("record.position.npy")
    # past the local header of 30 bytes, its name and extra field, and the header of the array
    whole[entry.header_offset + 30 + len(entry.filename) + 20 + 128 + 5] ^= 4
    path.write_bytes(bytes(whole))
    with pytest.raises(da.ModelError, match=r"damaged or cut short.*CRC"):
        da.load_run(path)
