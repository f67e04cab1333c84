"""Minitaur trots on its closed legs: loops, rigid contact and a controller in one run."""

from __future__ import annotations

from math import pi
from typing import Any

import numpy as np

import dalembert as da
from dalembert.control.path import Path
from dalembert.model.system import Floats
from dalembert.studies.report import Claim, Report
from dalembert.view.skeleton import Skeleton
from dalembert.view.style import BLUE, GREY, VERMILION, house_style, new_figure
from dalembert.zoo.minitaur import FOOT, hip_angles, minitaur, reach

STEP, DURATION = 0.001, 10.0
"""s"""
LEGS = ("fl", "fr", "bl", "br")
DIAGONAL = ("fl", "br")
"""The legs that begin on the ground; the others follow by half a period."""
PERIOD, STRIDE, HEIGHT, LIFT = 0.35, 0.05, 0.18, 0.04
"""Of a foot's round: s; m it goes before and behind the hip, stays below it, and is lifted."""
POINTS = 24
STIFFNESS, DAMPING, LIMIT = 40.0, 0.5, 7.0
"""N m/rad, N m s/rad, N m of each of the eight motors."""
SLOWEST = 0.4
"""m/s that count as walking: two leg lengths a second."""
UNEXPLAINED = 0.005
"""Part of the motors' work: forces held for a step do their work to first order in it."""


def gait() -> dict[str, Path]:
    """By motor the angle that leads a foot back along the ground and forward through the air.

    For half a period the foot goes from before the hip to behind it at constant speed, then it returns in an arc.
    """
    times = np.linspace(0.0, PERIOD, POINTS + 1)
    targets = {}
    for leg in LEGS:
        part = (times / PERIOD + (0.0 if leg in DIAGONAL else 0.5)) % 1.0
        air = 2.0 * pi * (part - 0.5)
        ahead = np.where(part < 0.5, STRIDE * (1.0 - 4.0 * part), -STRIDE * np.cos(air))
        down = np.where(part < 0.5, HEIGHT, HEIGHT - LIFT * np.sin(air))
        angles = np.array([hip_angles(x, z) for x, z in zip(ahead, down, strict=True)])
        angles[-1] = angles[0]
        for k, side in enumerate(("front", "back")):
            targets[f"{leg}_hip_{side}"] = da.path(times, angles[:, k], repeat=True)
    return targets


def walk(duration: float, dt: float = STEP) -> tuple[da.Trajectory, da.PD]:
    """(run, its controller) from a start at rest in the first posture of the gait, feet on the ground."""
    model, targets = minitaur(friction=0.8), gait()
    positions: dict[str, Any] = {name: target(0.0) for name, target in targets.items()}
    positions["free"] = ((0.0, 0.0, HEIGHT - reach(pi / 3)), (0.0, 0.0, 0.0))
    state = model.assemble(model.state(positions=positions), hold=tuple(positions)).state
    controller = da.PD(model, targets, stiffness=STIFFNESS, damping=DAMPING, limit=LIMIT)
    run = da.simulate(model, state, duration=duration, dt=dt, integrator=da.MaximalVI(), controller=controller)
    return run, controller


def motor_work(run: da.Trajectory, controller: da.PD) -> Floats:
    """(rows, motors) work done so far, J: forces held for a step times the way of the step."""
    out = np.zeros((len(run.time), len(controller.targets)))
    for k, (name, target) in enumerate(controller.targets.items()):
        joint = run.joint(name)
        angle, rate = np.ravel(joint.position), np.ravel(joint.velocity)
        goal = np.array([(target(t), target.rate(t)) for t in run.time])
        force = STIFFNESS * (goal[:, 0] - angle) + DAMPING * (goal[:, 1] - rate)
        out[1:, k] = np.cumsum(np.clip(force, -LIMIT, LIMIT)[:-1] * np.diff(angle))
    return out


def unexplained(run: da.Trajectory, work: Floats) -> Floats:
    """(rows,) energy that neither the motors brought nor contacts took, J."""
    return run.energy - run.energy[0] - work.sum(axis=1) + run.record.lost.sum(axis=1)


def run(fast: bool) -> Report:
    """Walk, and account for the loops, the ground and the energy."""
    duration = 2.0 if fast else DURATION
    walked, controller = walk(duration)
    work = motor_work(walked, controller)
    spent = float(np.abs(np.diff(work, axis=0)).sum())
    body = walked.body("body").position
    distance = float(body[-1, 0] - body[0, 0])
    claims = (
        Claim("distance", distance, low=SLOWEST * duration, unit="m"),
        Claim("largest error in a loop or joint", float(walked.constraint_error.max()), high=1e-9, unit="m"),
        Claim(
            "largest overlap of a foot and the ground",
            float(walked.record.contact_error[:, 2].max()),
            high=1e-9,
            unit="m",
        ),
        Claim(
            "energy that neither the motors' work nor the losses at the feet explain, over the work",
            float(np.abs(unexplained(walked, work)).max()) / spent,
            high=UNEXPLAINED,
        ),
    )
    with house_style():
        figure = new_figure(7.5, 4.6)
        above, below = figure.subplots(2, 1, height_ratios=(1.5, 1.0))
        _draw(above, walked)
        above.set(xlabel="x (m)", ylabel="z (m)", title="Minitaur trots: its left side every two and a half rounds")
        balance = walked.energy - walked.energy[0]
        below.plot(walked.time, work.sum(axis=1), color=BLUE, label="work of the motors")
        below.plot(walked.time, walked.record.lost.sum(axis=1), color=VERMILION, label="lost at the feet")
        below.plot(walked.time, balance, color=GREY, label="energy gained")
        below.set(xlabel="time (s)", ylabel="J")
        below.legend(loc="upper left")
    return Report(
        title="Minitaur walks on closed legs",
        source="the machine that [Brüdigam 2020] cites",
        setting=(
            "A free body of 5 kg on four legs, each a diamond of four links closed at the foot: 17 bodies, 21 joints, "
            f"four loops. Rigid contact with friction 0.8 under balls of {1000 * FOOT:g} mm at the feet. Eight motors "
            f"lead the feet round by proportional and derivative action: period {PERIOD} s, stride {2 * STRIDE} m. "
            f"MaximalVI, step {STEP} s, {duration:g} s."
        ),
        claims=claims,
        figure=figure,
    )


def _draw(axes: Any, walked: da.Trajectory) -> None:
    """The left legs and the body from the side, every two and a half periods."""
    model = walked.model
    skeleton = Skeleton.of(model)
    left = np.array([name.startswith(("fl_", "bl_")) or name == "body" for name in model.bodies])
    rows = np.arange(0, min(len(walked.time), round(4.0 / STEP)), round(2.5 * PERIOD / STEP))
    for row in rows:
        lines = skeleton.segments(walked.position[row], walked.orientation[row])[left[skeleton.body]]
        for line in lines:
            axes.plot(line[:, 0], line[:, 2], color=BLUE if row == rows[0] else GREY, lw=1.0)
    axes.axhline(-reach(pi / 3) - FOOT, color=VERMILION, lw=0.8)
    axes.set_aspect("equal")
