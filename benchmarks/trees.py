"""Branched trees beside MuJoCo's Euler: microseconds per step of the variational integrator's tree solver.

    python benchmarks/trees.py [--steps 100]

A humanoid and a quadruped in the air, and a random tree of 50 bodies with hinges, balls and sliders on a free base.
The same bodies, the same start, steps of 0.01 s, tolerance 1e-10, one thread, no friction, no contact. Both engines
take the same steps in one run, in turn, without compilation and without recording; each time is the best of several
runs. *Apart* is the largest distance between the two engines' centres of mass at the end: that of an explicit
first-order step from an implicit second-order one.
"""

from __future__ import annotations

import argparse
import time
from typing import Any
from xml.etree import ElementTree

import mujoco as _mujoco
import numpy as np

import dalembert as da
from dalembert.integrators.maximal.tree_stepper import TreeStepper
from dalembert.spatial.quaternion import multiply, relative, rotate, rotate_back
from dalembert.zoo.legged import humanoid, humanoid_start, quadruped, quadruped_start
from dalembert.zoo.random_mechanisms import random_state, random_tree

# its stubs lack most names
mujoco: Any = _mujoco
STEP = 0.01
KINDS = {0: "none", 1: "hinge", 3: "ball", 6: "free"}
"""Free components of a joint → what MuJoCo calls it; one that is a translation is a slide."""


def main() -> None:
    """Print one line for each mechanism."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=100)
    options = parser.parse_args()
    tree = random_tree(50, seed=1, kinds=("Revolute", "Spherical", "Prismatic"), floating_base=True)
    rows = {
        "humanoid": (humanoid(), humanoid_start),
        "quadruped": (quadruped(), quadruped_start),
        "random tree": (tree, lambda model: random_state(model, seed=1)),
    }
    print(f"{'mechanism':<14}{'bodies':>8}{'freedoms':>10}{'µs/step':>10}{'MuJoCo':>10}{'ratio':>8}{'apart':>10}")
    for name, (model, start) in rows.items():
        ours, theirs, apart = measure(model, start(model), options.steps)
        freedoms = int(model.system.n_rates[model.system.tree_joint].sum())
        row = f"{name:<14}{model.n_bodies:>8}{freedoms:>10}{ours:>10.2f}{theirs:>10.2f}{ours / theirs:>8.3f}"
        print(f"{row}{apart:>10.1e}", flush=True)


def measure(model: da.Model, state: da.State, steps: int) -> tuple[float, float, float]:
    """(µs per step, MuJoCo's, largest distance between centres of mass at the end)."""
    stepper = da.MaximalVI(tol=1e-10, linear_solver="tree").start(model, state, STEP)
    assert isinstance(stepper, TreeStepper)
    before = [array.copy() for array in stepper.knot]
    engine = mujoco.MjModel.from_xml_string(in_mujoco(model))
    data = mujoco.MjData(engine)
    stepper.advance(1)
    ours, theirs = np.inf, np.inf
    for _ in range(20):
        for array, old in zip(stepper.knot, before, strict=True):
            array[...] = old
        began = time.perf_counter()
        stepper.advance(steps)
        ours = min(ours, time.perf_counter() - began)
        set_state(engine, data, model, state)
        began = time.perf_counter()
        mujoco.mj_step(engine, data, steps)
        theirs = min(theirs, time.perf_counter() - began)
    mujoco.mj_kinematics(engine, data)
    order = [engine.body(name).id for name in model.bodies]
    apart = np.linalg.norm(data.xipos[order] - stepper.state().position, axis=1).max()
    return 1e6 * ours / steps, 1e6 * theirs / steps, float(apart)


def in_mujoco(model: da.Model) -> str:
    """The tree as MJCF; the frame of each body stands in its centre of mass, in the body's own axes."""
    system, names = model.system, list(model.bodies)
    root = ElementTree.Element("mujoco")
    ElementTree.SubElement(root, "compiler", angle="radian", inertiafromgeom="false")
    gravity = text(system.gravity)
    option = ElementTree.SubElement(root, "option", timestep=str(STEP), integrator="Euler", gravity=gravity)
    ElementTree.SubElement(option, "flag", contact="disable", constraint="disable")
    elements = {model.n_bodies: ElementTree.SubElement(root, "worldbody")}
    for tree, joint in enumerate(system.tree_joint):
        body, parent = int(system.tree_body[tree]), int(system.tree_parent[tree])
        record, place = model.bodies[names[body]], reference(model, body, parent)
        pos, quat = text(place[0]), text(place[1])
        element = ElementTree.SubElement(elements[parent], "body", name=names[body], pos=pos, quat=quat)
        inertia = record.inertia[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
        full = text(inertia)
        ElementTree.SubElement(element, "inertial", pos="0 0 0", mass=repr(float(record.mass)), fullinertia=full)
        elements[body] = element
        free = np.flatnonzero(system.locked[joint] == 0)
        kind = KINDS[len(free)] if len(free) != 1 or free[0] > 2 else "slide"
        if kind == "none":
            continue
        crossed = system.tree_reversed[tree]
        frame = (system.parent_frame if crossed else system.child_frame)[joint]
        axis = rotate(tuple(frame), tuple(np.eye(3)[free[0] % 3])) if len(free) == 1 else (0.0, 0.0, 1.0)
        point = (0.0, 0.0, 0.0) if kind == "free" else (system.parent_point if crossed else system.child_point)[joint]
        joint_element = ElementTree.SubElement(element, "joint", type=kind)
        if kind != "free":
            joint_element.set("pos", text(point))
            joint_element.set("axis", text(axis))
    return ElementTree.tostring(root, encoding="unicode")


def reference(model: da.Model, body: int, parent: int) -> tuple[Any, Any]:
    """Position and orientation of a body in its parent's frame, in the reference configuration."""
    names = list(model.bodies)
    record = model.bodies[names[body]]
    if parent == model.n_bodies:
        return record.position, tuple(record.orientation)
    base = model.bodies[names[parent]]
    turn = tuple(base.orientation)
    return rotate_back(turn, tuple(record.position - base.position)), relative(turn, tuple(record.orientation))


def set_state(engine: Any, data: Any, model: da.Model, state: da.State) -> None:
    """The same start, from the poses and velocities of the bodies and the coordinates of single freedoms."""
    system, names = model.system, list(model.bodies)
    mujoco.mj_resetData(engine, data)
    for tree, joint in enumerate(system.tree_joint):
        body, parent = int(system.tree_body[tree]), int(system.tree_parent[tree])
        number = engine.body(names[body]).jntadr[0]
        if number < 0:
            continue
        at, rate = engine.jnt_qposadr[number], engine.jnt_dofadr[number]
        own, spin = tuple(state.orientation[body]), tuple(state.angular_velocity[body])
        kind = engine.jnt_type[number]
        if kind == mujoco.mjtJoint.mjJNT_FREE:
            data.qpos[at : at + 3], data.qpos[at + 3 : at + 7] = state.position[body], own
            data.qvel[rate : rate + 3], data.qvel[rate + 3 : rate + 6] = state.velocity[body], spin
        elif kind == mujoco.mjtJoint.mjJNT_BALL:
            world = parent == model.n_bodies
            base = (1.0, 0.0, 0.0, 0.0) if world else tuple(state.orientation[parent])
            base_spin = (0.0, 0.0, 0.0) if world else tuple(state.angular_velocity[parent])
            data.qpos[at : at + 4] = relative(multiply(base, reference(model, body, parent)[1]), own)
            data.qvel[rate : rate + 3] = np.subtract(spin, rotate_back(relative(base, own), base_spin))
        else:
            sign = -1.0 if system.tree_reversed[tree] else 1.0
            data.qpos[at] = sign * state.coordinates[system.q_start[joint]]
            data.qvel[rate] = sign * state.rates[system.v_start[joint]]


def text(numbers: Any) -> str:
    """Numbers as MJCF writes them."""
    return " ".join(repr(float(number)) for number in numbers)


if __name__ == "__main__":
    main()
