"""Saved runs: what is loaded says and does what the run did."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dalembert as da
from dalembert.model_file import describe_model, rebuild_model
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


def shaped_model(**options: Any) -> da.Model:
    """Every shape, a material, a gear, springs, a rod and a screw; options go to the first hinge."""
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
    builder.add_joint("a", hinge, parent="world", child="sphere", anchor=(0, 0, 1), **options)
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
        assert (found.bodies, found.components, found.in_tree) == (joint.bodies, joint.components, joint.in_tree)
    for name, array in model.system._asdict().items():
        assert np.array_equal(getattr(loaded.model.system, name), array), name
    # the loaded model is a model: it makes states and runs
    assert np.array_equal(loaded.model.state().coordinates, model.state().coordinates)


def test_limits_and_friction_come_back() -> None:
    model = shaped_model(limits=(-1, None), friction=0.5)
    description, arrays = describe_model(model)
    found = rebuild_model(json.loads(json.dumps(description)), arrays, None)
    assert found.joints["a"].limits[5].tolist() == [-1.0, np.inf]
    for name, joint in model.joints.items():
        assert np.array_equal(found.joints[name].limits, joint.limits)
        assert np.array_equal(found.joints[name].friction, joint.friction)


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
