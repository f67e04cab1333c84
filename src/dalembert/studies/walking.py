"""A quadruped that learns to walk by trying."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from math import cos, pi

import numpy as np

import dalembert as da
from dalembert._laws import Law
from dalembert.model.system import Floats
from dalembert.studies.report import Claim, Report
from dalembert.view.style import BLUE, GREY, house_style, new_figure
from dalembert.zoo.walker import LEGS, walker, walker_start

STEP, DURATION, EPISODES, GOAL = 0.001, 10.0, 100, 12.0
"""s, s, and m of the paper."""
SEED = 1
TOL = 1e-6
"""Of the step, in parts of the machine: a finer one is lost to rounding where four feet slide."""
LOW = 0.15
"""m, the height below which the trunk lies on the ground."""
STAND = np.array([0.1, 0.0, 1.0, 0.0, -1.5])
"""Where learning starts: frequency over 10 Hz; amplitude and middle of the thighs; the same of the calves, rad.

The paper's algorithms 6 and 7 order these five differently; only this order stands.
"""
STIFFNESS, DAMPING = (100.0, 80.0, 60.0), (5.0, 4.0, 3.0)
"""Of hip, thigh and calf: N m/rad, N m s/rad."""
DIAGONAL = ("fr", "rl")
"""The legs that lead; the others follow by half a turn."""


def gait_law(time, motion, parameters, memory, force):
    """The law of the legs; parameters: those of the gait, then (coordinate, rate, phase, part of the leg) by joint.

    [Brüdigam 2023] algorithm 6.
    """
    frequency, thigh, thigh_middle = parameters[0], parameters[1], parameters[2]
    calf, calf_middle = parameters[3], parameters[4]
    for at in range(5, parameters.size, 4):
        coordinate, rate, part = int(parameters[at]), int(parameters[at + 1]), int(parameters[at + 3])
        turn = 20.0 * pi * time * frequency + parameters[at + 2]
        goal = 0.0
        if part == 1:
            goal = thigh * cos(turn) + thigh_middle
        elif part == 2:
            goal = calf * cos(turn - 0.5 * pi) + calf_middle
        force[rate] = STIFFNESS[part] * (goal - motion.coordinates[coordinate]) - DAMPING[part] * motion.rates[rate]


@cache
def compiled_gait() -> Law:
    """The law as machine code, one for all episodes."""
    return Law(gait_law, cached=True)


def gait(model: da.Model, parameters: Floats) -> da.CompiledController:
    """The controller of the legs."""
    table = [*parameters]
    for leg in LEGS:
        for part, name in enumerate(("hip", "thigh", "calf")):
            joint = model.joints[f"{leg}_{name}"]
            table += [joint.coordinates.start, joint.rates.start, 0.0 if leg in DIAGONAL else pi, part]
    return da.CompiledController(model, compiled_gait(), parameters=table)


def walk(model: da.Model, parameters: Floats, duration: float) -> tuple[float, da.Trajectory]:
    """(distance in m, the run) of one episode, which ends where the trunk comes down or a step cannot be taken."""
    try:
        run = da.simulate(
            model,
            walker_start(model),
            duration=duration,
            dt=STEP,
            integrator=da.MaximalVI(tol=TOL),
            controller=gait(model, parameters),
            every=20,
        )
    except da.SimulationError as failure:
        run = failure.trajectory
    place = run.body("trunk").position
    fallen = np.flatnonzero(place[:, 2] < LOW)
    return float(place[fallen[0] if fallen.size else -1, 0]), run


@dataclass
class Learned:
    """What came of learning."""

    best: Floats = field(default_factory=lambda: STAND.copy())
    distance: float = 0.0
    progress: list[float] = field(default_factory=list)
    """m, the farthest walk up to each episode."""
    walked: list[float] = field(default_factory=list)
    """m, the walk of each episode."""


def learn(model: da.Model, seed: int, episodes: int, duration: float) -> Learned:
    """Random steps from the best gait so far, biased along what helped last. [Brüdigam 2023] algorithm 7.

    The paper's random numbers are taken from −1 to 1, and every try starts from the best gait: in its text tries that
    failed pile up.
    """
    rng, learned = np.random.default_rng(seed), Learned()
    explore, bias = 0.1, np.zeros(5)
    for _ in range(episodes):
        chance = rng.uniform(-1.0, 1.0, 5)
        tried = learned.best + (0.002 * chance + 0.01 * bias if bias.any() else explore * chance)
        distance, _ = walk(model, tried, duration)
        if distance > learned.distance:
            step = tried - learned.best
            bias = step / np.linalg.norm(step)
            learned.best, learned.distance, explore = tried, distance, 0.1
        else:
            bias = np.zeros(5)
            explore *= 0.9
        learned.walked.append(distance)
        learned.progress.append(learned.distance)
    return learned


def run(fast: bool) -> Report:
    """Learn, walk the best gait again, and begin the learning again: the same numbers come."""
    episodes, duration, again = (8, 1.0, 2) if fast else (EPISODES, DURATION, 3)
    model = walker()
    learned = learn(model, SEED, episodes, duration)
    repeated = learn(model, SEED, again, duration)
    distance, best = walk(model, learned.best, duration)
    claims = (
        Claim("distance of the best gait", distance, low=0.0 if fast else GOAL, unit="m"),
        Claim("the same walk again: difference", abs(distance - learned.distance), high=0.0, unit="m"),
        Claim(
            f"the first {again} episodes again: largest difference",
            float(np.abs(np.subtract(repeated.walked, learned.walked[:again])).max()),
            high=0.0,
            unit="m",
        ),
        Claim(
            "largest overlap of a foot and the ground",
            float(best.record.contact_error[:, 2].max()),
            high=1e-6,
            unit="m",
        ),
    )
    with house_style():
        figure = new_figure(7.5, 3.2)
        axes = figure.subplots()
        number = np.arange(1, episodes + 1)
        axes.plot(number, learned.walked, ".", color=GREY, label="each episode")
        axes.step(number, learned.progress, where="post", color=BLUE, label="best so far")
        axes.set(xlabel="episode", ylabel=f"distance in {duration:g} s (m)", title="A quadruped learns to walk")
        axes.legend(loc="upper left")
    return Report(
        title="A quadruped learns to walk",
        source="[Brüdigam 2023] figure 13, algorithms 6 and 7",
        setting=(
            "A machine of 13.6 kg like Unitree's A1, rigid contact and Coulomb friction under four feet, "
            f"step {STEP} s, {episodes} episodes of {duration:g} s from seed {SEED}. Random numbers are taken from "
            "−1 to 1, every try starts from the best gait, and a walk ends where the trunk comes down."
        ),
        claims=claims,
        figure=figure,
    )
