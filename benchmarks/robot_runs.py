"""Ten seconds of real robots, passive and led by PD control: energy, gaps in loops, tracking.

    python benchmarks/robot_runs.py [--folder pybullet=PATH ...] [--pictures FOLDER]

The base is held, there is no ground. *Passive*: without damping, friction and limits, let go from a bent posture;
nothing dissipates, so the energy should stay within a band of O(dt²). *Led*: the file's damping, and motors that follow
a slow sine about the posture; stiffness and damping of a motor are those of 2 Hz and critical damping for the inertia
that it moves, so that gravity bends them visibly. The table gives the energy's band and drift over the largest energy
in motion, the largest gap or misfit in any joint (m or rad), the largest error of a motor that is led (rad), and the
time of a step. The packages are those of `robot_files.py`. Cassie is read by `cassie.py`; Minitaur's knees, which its
file leaves open, are joined as its environments do.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass
from math import pi
from pathlib import Path
from typing import Any

import numpy as np
from cassie import cassie
from robot_files import PACKAGES, found

import dalembert as da
from dalembert.formats.pose import in_world
from dalembert.report import energy_drift

STEP = 1e-3
FREQUENCY, AMPLITUDE, PERIOD = 2.0, 0.2, 4.0
"""Of the motors' stiffness (Hz); of the motion that they follow (rad, s)."""
KNOTS = np.linspace(0.0, 0.5 * PERIOD, 65)
"""s; a path through them repeats the motion to a hundredth of a milliradian."""
Folders = dict[str, Path]


@dataclass(frozen=True)
class Robot:
    """A robot, how it is posed, and which joints have motors (all hinges of the tree if none are named)."""

    build: Callable[[Folders, bool], da.Model]
    """Takes the folders, and whether to use the damping of the file."""
    posture: dict[str, float]
    motors: tuple[str, ...] = ()
    hold: tuple[str, ...] = ()
    """Joints that keep their positions while the loops are closed."""


def file(package: str, path: str) -> Callable[[Folders, bool], da.Model]:
    """A URDF file of a package as it is."""

    def build(folders: Folders, damping: bool) -> da.Model:
        folder = folders[package]
        searched = [folder, *folder.parents[1:2], (folder / path).parents[1]]
        return da.read_urdf(folder / path, search_paths=searched).build(
            base="fixed", limits=False, friction=False, damping=damping, meshes=True
        )

    return build


KNEES = {"R": (0.0, 0.005, 0.2), "L": (0.0, 0.01, 0.2)}
"""Where the lower links of a leg of Minitaur meet, in the frame of each."""
CORNERS = ("front_left", "back_left", "front_right", "back_right")


def minitaur(folders: Folders, damping: bool) -> da.Model:
    """Minitaur with the lower links of each leg joined at the toe."""
    urdf = da.read_urdf(folders["pybullet"] / "quadruped/minitaur.urdf")
    builder = urdf.builder(base="fixed", limits=False, friction=False, damping=damping, meshes=True)
    frames = urdf.build(base="fixed").frames
    for corner in CORNERS:
        links = [frames[f"lower_leg_{corner}{side}_link"] for side in KNEES]
        ends = [
            da.Frame(*in_world((link.position, link.orientation), (np.array(at), np.array([1.0, 0, 0, 0]))))
            for link, at in zip(links, KNEES.values(), strict=True)
        ]
        # the links turn about parallel axes, so along these the toe is held already
        builder.add_joint(
            f"toe_{corner}",
            da.CylindricalFree((0, 1, 0)),
            parent=links[0].body,
            child=links[1].body,
            parent_frame=ends[0],
            child_frame=ends[1],
            closes_loop=True,
        )
    return builder.build()


def legs(hip: float, knee: float, names: str, corners: tuple[str, ...]) -> dict[str, float]:
    """Hips and knees of a quadruped; ``names`` are two patterns with a place for the corner."""
    upper, lower = names.split()
    return {p.format(c): v for c in corners for p, v in ((upper, hip), (lower, knee))}


CASSIE = {
    f"{side}-{name}": value
    for side in ("left", "right")
    for name, value in (("foot-op", -1.4), ("tarsus-crank-joint", -1.4), ("crank-rod-joint", 1.4))
}
ROBOTS = {
    "ANYmal B": Robot(
        file("example-robot-data", "anymal_b_simple_description/robots/anymal.urdf"),
        legs(0.4, -0.8, "{}_HFE {}_KFE", ("LF", "RF", "LH", "RH")),
    ),
    "ANYmal C": Robot(
        file("example-robot-data", "anymal_c_simple_description/urdf/anymal.urdf"),
        legs(0.4, -0.8, "{}_HFE {}_KFE", ("LF", "RF", "LH", "RH")),
    ),
    "Talos": Robot(
        file("example-robot-data", "talos_data/robots/talos_reduced.urdf"),
        {f"arm_{s}_4_joint": -1.0 for s in ("left", "right")} | {f"leg_{s}_4_joint": 0.6 for s in ("left", "right")},
    ),
    "Atlas": Robot(
        file("roboschool", "models_robot/atlas_description/urdf/atlas_v4_with_multisense.urdf"),
        {f"{s}_leg_{j}": v for s in "lr" for j, v in (("hpy", -0.4), ("kny", 0.8), ("aky", -0.4))}
        | {"l_arm_shx": -1.0, "r_arm_shx": 1.0, "l_arm_elx": 0.8, "r_arm_elx": -0.8},
    ),
    "Panda": Robot(
        file("example-robot-data", "panda_description/urdf/panda.urdf"),
        {"panda_joint2": 0.3, "panda_joint4": -1.8, "panda_joint6": 1.5},
    ),
    "UR5": Robot(file("example-robot-data", "ur_description/urdf/ur5_robot.urdf"), {"elbow_joint": 0.8}),
    "A1": Robot(
        file("pybullet", "a1/a1.urdf"),
        legs(0.8, -1.6, "{}_upper_joint {}_lower_joint", ("FR", "FL", "RR", "RL")),
    ),
    "Minitaur": Robot(
        minitaur,
        {f"motor_{c}{s}_joint": pi / 2 for c in CORNERS for s in "LR"}
        | {f"knee_{c}{s}_link": -2.1834 for c in CORNERS for s in "LR"},
        motors=tuple(f"motor_{c}{s}_joint" for c in CORNERS for s in "LR"),
        hold=tuple(f"motor_{c}{s}_joint" for c in CORNERS for s in "LR"),
    ),
    "Cassie": Robot(
        lambda folders, damping: cassie(folders["example-robot-data"].parents[1], damping=damping),
        CASSIE,
        motors=tuple(f"{s}-{m}-op" for s in ("left", "right") for m in ("roll", "yaw", "pitch", "knee", "foot")),
        hold=("left-foot-op", "right-foot-op"),
    ),
}


def main() -> None:
    """Print one line for each robot and kind of run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", action="append", default=[], metavar="PACKAGE=PATH")
    parser.add_argument("--pictures", type=Path, help="a folder for a picture of each run")
    parser.add_argument("--duration", type=float, default=10.0)
    parser.add_argument("--robots", nargs="+", default=list(ROBOTS), choices=list(ROBOTS))
    options = parser.parse_args()
    given = dict(entry.split("=", 1) for entry in options.folder)
    places = {package: found(package, inside, given) for package, (inside, _) in PACKAGES.items()}
    folders = {package: place for package, place in places.items() if place is not None}
    columns = "".join(f"{title:>9}" for title in ("band", "drift", "misfit", "error", "µs/step"))
    print(f"{'robot':<10}{'bodies':>7}{'loops':>6} {'run':<8}{columns}")
    for name in options.robots:
        robot = ROBOTS[name]
        for led in (False, True):
            try:
                run, line = one(robot, folders, led, options.duration)
            except KeyError as missing:
                print(f"{name:<10} {missing} is not installed, left out", file=sys.stderr)
                break
            model = run.model
            print(f"{name:<10}{model.n_bodies:>7}{len(model.loop_joints):>6} {line}", flush=True)
            if options.pictures:
                run.picture(options.pictures / f"{name.replace(' ', '_')}_{'led' if led else 'passive'}.png")


def one(robot: Robot, folders: Folders, led: bool, duration: float) -> tuple[da.Trajectory, str]:
    """A run and its line of the table."""
    model = robot.build(folders, led)
    state = model.state(positions=robot.posture)
    if model.loop_joints:
        state = model.assemble(state, hold=robot.hold).state
    motors = robot.motors or tuple(name for name, joint in model.joints.items() if joint.in_tree and joint.components)
    start = {name: float(state.coordinates[model.joints[name].coordinates][0]) for name in motors}
    controller = pd(model, state, start) if led else None
    run = da.simulate(
        model, state, duration=duration, dt=STEP, integrator=da.MaximalVI(), controller=controller, every=10
    )
    moving = float(run.kinetic.max() + np.ptp(run.potential))
    drift = energy_drift(run.time, run.energy)
    gained = abs(drift.slope) * duration if drift is not None else np.nan
    band = f"{np.ptp(run.energy) / moving:>9.1e}{gained / moving:>9.1e}" if not led else f"{'':>18}"
    error = f"{tracking(run, start):>9.1e}" if led else f"{'':>9}"
    micro = 1e6 * run.wall_time / round(duration / STEP)
    return run, f"{'led' if led else 'passive':<8}{band}{run.constraint_error.max():>9.1e}{error}{micro:>9.0f}"


def goal(start: float, time: Any) -> Any:
    """What a motor follows."""
    return start + AMPLITUDE * np.sin(2.0 * pi * (time % (0.5 * PERIOD)) / PERIOD) ** 2


def pd(model: da.Model, state: da.State, start: dict[str, float]) -> da.PD:
    """Motors of 2 Hz, critically damped, each for the inertia that it moves at the start."""
    inertia = np.diag(model.mass_matrix(state))
    moved = {name: float(inertia[model.joints[name].rates][0]) for name in start}
    rate = 2.0 * pi * FREQUENCY
    return da.PD(
        model,
        {name: da.path(KNOTS, goal(at, KNOTS), repeat=True) for name, at in start.items()},
        stiffness={name: m * rate**2 for name, m in moved.items()},
        damping={name: 2.0 * m * rate for name, m in moved.items()},
    )


def tracking(run: da.Trajectory, start: dict[str, float]) -> float:
    """The largest error of any motor after the first two seconds."""
    late = run.time > 2.0
    return max(
        float(np.abs(np.ravel(run.joint(name).position) - goal(at, run.time))[late].max()) for name, at in start.items()
    )


if __name__ == "__main__":
    main()
