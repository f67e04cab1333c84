"""Rigid contact beside MuJoCo and Drake: microseconds per step, how deep bodies overlap, how far they creep.

    python benchmarks/contact.py [--scenes cube chain quadruped pile] [--spheres 20] [--bodies 20] [--repeats 3]

A cube of 0.5 m dropped from 0.4 m; a chain of spheres on ball joints that falls onto the ground; a quadruped that
stands, springs and dampers in its joints; a pile of boxes, balls and capsules. The same bodies, the same start, the
same step (0.01 s; 0.002 s for the quadruped), friction 0.5 (0.8), one thread; the engines take turns.

* *µs/step*: processor time of the whole run, the best of some, nothing recorded, without compilation.
* *depth*: how deep a body is in the ground or in another at any step, m, by our distances of the shapes at the poses
  that the engine gives.
* *creep*: the largest displacement of a body in the last second, m. At rest there is none to have.

MuJoCo runs with its default contact, and with one as stiff as its step allows (solref of two steps, elliptic cones,
impratio 10). Drake runs its discrete step with SAP and point contact of 1e10 N/m, which it regularises as near rigid;
boxes on the ground have balls of 1 mm at their corners, as Drake takes one point for a box on a plane, and in the pile
they are boxes.

Without MuJoCo or Drake their rows are left out: ``pip install mujoco``, ``pip install drake``.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from time import process_time
from typing import Any, NamedTuple

import numpy as np

import dalembert as da
from dalembert.zoo.contact_scenes import dropped_cube, pile, sphere_chain
from dalembert.zoo.walker import walker, walker_start

STIFF = {"cone": "elliptic", "impratio": "10"}


class Scene(NamedTuple):
    """What is simulated."""

    model: da.Model
    state: da.State
    step: float
    duration: float
    corners: bool
    """Whether Drake's boxes are balls at their corners."""


def scenes(spheres: int, bodies: int) -> dict[str, Callable[[], Scene]]:
    """The scenes by name, made when asked for."""

    def of(model: da.Model, step: float = 0.01, duration: float = 3.0, corners: bool = True) -> Scene:
        return Scene(model, model.state(), step, duration, corners)

    def standing() -> Scene:
        model = walker(stiffness=200.0, damping=4.0)
        return Scene(model, walker_start(model), 0.002, 2.0, True)

    return {
        "cube": lambda: of(dropped_cube()),
        "chain": lambda: of(sphere_chain(spheres), duration=5.0),
        "quadruped": standing,
        "pile": lambda: of(pile(bodies), duration=5.0, corners=False),
    }


def main() -> None:
    """Print a table for each scene."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", nargs="+", default=["cube", "chain", "quadruped", "pile"])
    parser.add_argument("--spheres", type=int, default=20)
    parser.add_argument("--bodies", type=int, default=20)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    engines: dict[str, Callable[[Scene, bool], tuple[float, list[Any]]]] = {"MaximalVI": ours}
    if find_spec("mujoco") is not None:
        engines["MuJoCo"] = lambda scene, watch: mujoco(scene, watch, stiff=False)
        engines["MuJoCo stiff"] = lambda scene, watch: mujoco(scene, watch, stiff=True)
    else:
        print("MuJoCo is not there: pip install mujoco")
    if find_spec("pydrake") is not None:
        engines["Drake SAP"] = drake
    else:
        print("Drake is not there: pip install drake")
    print(f"{'scene':>10} {'engine':<14}{'µs/step':>10}{'ratio':>8}{'depth (m)':>11}{'creep (m)':>11}")
    known = scenes(options.spheres, options.bodies)
    for name in options.scenes:
        for engine, row in measured(known[name](), engines, options.repeats).items():
            if isinstance(row, str):
                print(f"{name:>10} {engine:<14} {row}", flush=True)
                continue
            print(
                f"{name:>10} {engine:<14}{1e6 * row[0]:>10.1f}{row[1]:>8.2f}{row[2]:>11.1e}{row[3]:>11.1e}", flush=True
            )


def measured(scene: Scene, engines: dict[str, Any], repeats: int) -> dict[str, Any]:
    """(seconds a step, ratio to the first, depth, creep) of each engine, or what went wrong."""
    found: dict[str, Any] = {}
    steps = round(scene.duration / scene.step)
    for name, run in engines.items():
        try:
            _, poses = run(scene, True)
            found[name] = [np.inf, 1.0, depth(scene, poses), creep(scene, poses)]
        except da.SimulationError as error:
            found[name] = f"failed: {error}"
    for _ in range(repeats):
        for name, run in engines.items():
            if not isinstance(found[name], str):
                found[name][0] = min(found[name][0], run(scene, False)[0] / steps)
    first = found["MaximalVI"]
    for row in found.values():
        if not isinstance(row, str) and not isinstance(first, str):
            row[1] = row[0] / first[0]
        elif not isinstance(row, str):
            row[1] = np.nan
    return found


def ours(scene: Scene, watch: bool) -> tuple[float, list[Any]]:
    """Seconds, and (positions, orientations) after each step if they are watched."""
    steps = round(scene.duration / scene.step)
    began = process_time()
    every = 1 if watch else steps
    run = da.simulate(
        scene.model, scene.state, duration=scene.duration, dt=scene.step, integrator=da.MaximalVI(), every=every
    )
    return process_time() - began, list(zip(run.position, run.orientation, strict=True))


def mujoco(scene: Scene, watch: bool, stiff: bool) -> tuple[float, list[Any]]:
    """The same by MuJoCo."""
    from dalembert.studies.in_mujoco_contact import contact_mjcf, put_state

    engine: Any = import_module("mujoco")
    solref = f"{2 * scene.step} 1" if stiff else ""
    text = contact_mjcf(scene.model, scene.step, STIFF if stiff else None, solref)
    model: Any = engine.MjModel.from_xml_string(text)
    data: Any = engine.MjData(model)
    put_state(model, data, scene.model, scene.state)
    order = [model.body(name).id for name in scene.model.bodies]
    steps, poses = round(scene.duration / scene.step), []
    began = process_time()
    if not watch:
        engine.mj_step(model, data, steps)
    for _ in range(steps if watch else 0):
        engine.mj_step(model, data)
        engine.mj_kinematics(model, data)
        poses.append((data.xpos[order].copy(), data.xquat[order].copy()))
    return process_time() - began, poses


def drake(scene: Scene, watch: bool) -> tuple[float, list[Any]]:
    """The same by Drake."""
    from dalembert.studies.in_drake_contact import DrakeScene

    run = DrakeScene(scene.model, scene.state, scene.step, scene.corners)
    steps, poses = round(scene.duration / scene.step), []
    began = process_time()
    if not watch:
        run.advance(steps)
    for _ in range(steps if watch else 0):
        run.advance(1)
        places, turns = run.poses()
        poses.append((places, np.array([quaternion(turn) for turn in turns])))
    return process_time() - began, poses


def quaternion(turn: np.ndarray) -> np.ndarray:
    """(4,) of a rotation matrix."""
    from scipy.spatial.transform import Rotation

    x, y, z, w = Rotation.from_matrix(turn).as_quat()
    return np.array([w, x, y, z])


def depth(scene: Scene, poses: list[Any]) -> float:
    """The deepest that anything that may touch was in anything else, at up to 400 of the poses."""
    model, deepest = scene.model, 0.0
    pairs = touching(model)
    for position, orientation in poses[:: max(1, len(poses) // 400)]:
        state = model.state_from_bodies(position, orientation)
        near = {frozenset(point.contacts) for point in model.contacts_at(state, 0.0)}
        for one, other in pairs:
            if frozenset((one, other)) in near:
                deepest = max(deepest, -model.distance(state, one, other))
    return deepest


def touching(model: da.Model) -> list[tuple[str, str]]:
    """Pairs of contacts on different bodies."""
    contacts = list(model.contacts.values())
    return [(a.name, b.name) for k, a in enumerate(contacts) for b in contacts[k + 1 :] if a.body != b.body]


def creep(scene: Scene, poses: list[Any]) -> float:
    """The largest displacement of a body in the last second."""
    places = np.array([position for position, _ in poses])
    last = round(1.0 / scene.step)
    return float(np.linalg.norm(places[-1] - places[-1 - last], axis=1).max())


if __name__ == "__main__":
    main()
