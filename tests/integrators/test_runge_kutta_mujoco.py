"""Trajectories of random trees beside MuJoCo's fourth-order Runge–Kutta method at the same small step."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import dalembert as da
from dalembert.spatial.quaternion import rotate_back

mujoco = pytest.importorskip("mujoco")

KINDS = {"hinge": da.Revolute, "slide": da.Prismatic, "ball": da.Spherical, "free": da.Floating}


class Twins:
    """One random tree for both engines, bodies hung on earlier bodies, with velocities on every joint."""

    def __init__(self, seed: int, n: int = 6) -> None:
        rng = np.random.default_rng(seed)
        turns = [Rotation.from_quat(q) for q in rng.normal(size=(n, 4))]
        centres = np.cumsum(rng.normal(size=(n, 3)) * 0.4, axis=0)
        builder = da.ModelBuilder(gravity=(0.5, -0.2, -9.0))
        lines: list[list[str]] = [[] for _ in range(n)]
        children: list[list[int]] = [[] for _ in range(n)]
        roots, velocities, speeds = [], {}, {}
        for i in range(n):
            parent = int(rng.integers(-1, i)) if i else -1
            kind = str(rng.choice(["hinge", "slide", "ball"] if parent >= 0 else list(KINDS)))
            mass, inertia = rng.uniform(0.5, 2.0), rng.uniform(0.2, 0.3, 3)
            axis, anchor = rng.normal(size=3), centres[i] + rng.normal(size=3) * 0.3
            axis /= np.linalg.norm(axis)
            quaternion = np.roll(turns[i].as_quat(), 1)
            builder.add_body(f"b{i}", mass=mass, inertia=inertia, position=centres[i], orientation=quaternion)
            joint = KINDS[kind](axis=axis) if kind in ("hinge", "slide") else KINDS[kind]()
            place = {} if kind == "free" else {"anchor": anchor}
            name = "world" if parent < 0 else f"b{parent}"
            builder.add_joint(f"j{i}", joint, parent=name, child=f"b{i}", **place)
            base = Rotation.identity() if parent < 0 else turns[parent]
            origin = np.zeros(3) if parent < 0 else centres[parent]
            local = base.inv() * turns[i]
            offset, at = base.inv().apply(centres[i] - origin), turns[i].inv().apply(anchor - centres[i])
            lines[i].append(f'<body name="b{i}" pos="{row(offset)}" quat="{row(np.roll(local.as_quat(), 1))}">')
            lines[i].append(f'<inertial pos="0 0 0" mass="{mass!r}" diaginertia="{row(inertia)}"/>')
            if kind == "free":
                lines[i].append(f'<freejoint name="j{i}"/>')
            else:
                along = turns[i].inv().apply(axis)
                lines[i].append(f'<joint name="j{i}" type="{kind}" pos="{row(at)}" axis="{row(along)}"/>')
            (roots if parent < 0 else children[parent]).append(i)
            size = {"hinge": 1, "slide": 1, "ball": 3, "free": 6}[kind]
            speeds[f"j{i}"] = rng.normal(size=size)
        self.model = builder.build()
        system = self.model.system
        for name, speed in speeds.items():
            j = self.model.joint_index(name)
            turning = speed.copy()
            if speed.size >= 3:
                # MuJoCo turns in the axes of the body, we in those of the joint's frame on it
                turning[-3:] = rotate_back(tuple(system.child_frame[j].tolist()), tuple(speed[-3:].tolist()))
            velocities[name] = turning if turning.size > 1 else float(turning[0])
        self.state = self.model.state(velocities=velocities)

        def nested(i: int) -> str:
            return "\n".join([*lines[i], *(nested(k) for k in children[i]), "</body>"])

        xml = f"""<mujoco><compiler autolimits="true" boundmass="0"/>
            <option integrator="RK4" timestep="0.001" gravity="0.5 -0.2 -9.0"><flag contact="disable"/></option>
            <worldbody>{"".join(nested(i) for i in roots)}</worldbody></mujoco>"""
        self.other = mujoco.MjModel.from_xml_string(xml)
        self.data = mujoco.MjData(self.other)
        for name, speed in speeds.items():
            first = self.other.joint(name).dofadr[0]
            self.data.qvel[first : first + speed.size] = speed


def row(values: np.ndarray) -> str:
    return " ".join(repr(float(value)) for value in values)


@pytest.mark.parametrize("seed", range(6))
def test_random_trees_move_as_in_mujoco(seed: int) -> None:
    twins = Twins(seed)
    run = da.simulate(twins.model, twins.state, duration=0.5, dt=0.001, integrator=da.RungeKutta("rk4"), every=500)
    for _ in range(500):
        mujoco.mj_step(twins.other, twins.data)
    mujoco.mj_kinematics(twins.other, twins.data)
    for i in range(len(run.model.bodies)):
        at = twins.data.body(f"b{i}")
        assert np.abs(run.body(f"b{i}").position[-1] - at.xpos).max() < 1e-9
        sign = np.sign(run.body(f"b{i}").orientation[-1] @ at.xquat)
        assert np.abs(sign * run.body(f"b{i}").orientation[-1] - at.xquat).max() < 1e-9
