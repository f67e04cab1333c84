"""Chains of spheres that fall onto the ground: time against length, and what MuJoCo makes of them."""

from __future__ import annotations

from importlib import import_module
from time import process_time
from typing import Any, NamedTuple

import numpy as np

import dalembert as da
from dalembert.studies.cube_drop import mujoco_there
from dalembert.studies.in_mujoco_contact import contact_mjcf
from dalembert.studies.measure import exponent
from dalembert.studies.report import Claim, Report
from dalembert.view.style import BLUE, VERMILION, house_style, new_figure
from dalembert.zoo.contact_scenes import sphere_chain

STEP, STEPS, RADIUS = 0.01, 1000, 0.25
FEW = 20
"""Spheres above which the paper found soft contact to give way."""


class Fall(NamedTuple):
    """A thousand steps of one chain."""

    seconds: float
    iterations: float
    """Newton iterations a step, on average."""
    depth: float
    """How deep a sphere was in the ground at any step, m."""
    gap: float
    """The largest gap of a joint, m."""


def run(fast: bool) -> Report:
    """Our time for a thousand steps, and MuJoCo's with its default parameters where that is installed."""
    sizes = [2, 5, 10] if fast else [2, 5, 10, 20, 50, 100]
    ours = {n: fall for n in sizes if (fall := _ours(n)) is not None}
    failed = len(sizes) - len(ours)
    theirs = {n: _mujoco(n) for n in sizes} if mujoco_there() else {}
    depth = max((fall.depth for fall in ours.values()), default=np.inf)
    claims = [
        Claim("lengths that failed", failed, high=0),
        Claim("how deep a sphere gets into the ground at any step", depth, high=1e-6, unit="m"),
        Claim(
            "largest gap of a joint at any step",
            max((fall.gap for fall in ours.values()), default=np.inf),
            high=1e-8,
            unit="m",
        ),
    ]
    if not failed:
        each = [ours[n].seconds / ours[n].iterations for n in sizes[-3:]]
        power = exponent(sizes[-3:], each)
        claims.append(Claim("power of the number of spheres in the time of an iteration", power, high=1.2))
    deep = [fall.depth for n, fall in theirs.items() if n > FEW and np.isfinite(fall.depth)]
    if deep:
        claims.append(Claim(f"MuJoCo, more than {FEW} spheres: how deep one gets", max(deep), low=0.1, unit="m"))
    with house_style():
        figure = new_figure(8.0, 3.2)
        left, right = figure.subplots(1, 2)
        for falls, colour, label in ((ours, BLUE, "variational, rigid"), (theirs, VERMILION, "MuJoCo, default")):
            if falls:
                left.loglog(list(falls), [fall.seconds for fall in falls.values()], "o-", color=colour, label=label)
                depths = [1e3 * max(fall.depth, 1e-10) for fall in falls.values()]
                right.loglog(list(falls), depths, "o-", color=colour, label=label)
        left.set(xlabel="spheres", ylabel="time of 1000 steps (s)", title="Chains of spheres fall")
        right.set(xlabel="spheres", ylabel="deepest in the ground (mm)", title="Penetration")
        left.legend()
    return Report(
        title="Linear time with contact: chains of spheres",
        source="[Brüdigam 2023] figure 8(b)",
        setting=f"Spheres of {RADIUS} m and 1 kg in a row, spherical joints, let go 0.2 m over the ground and each "
        f"0.05 m higher than the one before, friction 0.5, step {STEP} s, {STEPS} steps.",
        claims=tuple(claims),
        figure=figure,
    )


def _ours(n: int) -> Fall | None:
    """Our fall of so many spheres; None if a step failed."""
    model, method = sphere_chain(n, RADIUS), da.MaximalVI()
    da.simulate(model, duration=STEP, dt=STEP, integrator=method)
    began = process_time()
    try:
        run = da.simulate(model, duration=STEPS * STEP, dt=STEP, integrator=method, every=STEPS)
    except da.SimulationError:
        return None
    seconds = process_time() - began
    depth = float(run.record.contact_error[:, 2].max())
    return Fall(seconds, float(run.iterations[1:].sum()) / STEPS, depth, float(run.constraint_error.max()))


def _mujoco(n: int) -> Fall:
    """The same by MuJoCo; a depth of infinity where it gave up."""
    mujoco: Any = import_module("mujoco")
    model = sphere_chain(n, RADIUS)
    engine = mujoco.MjModel.from_xml_string(contact_mjcf(model, STEP))
    data = mujoco.MjData(engine)
    order = [engine.body(name).id for name in model.bodies]
    depth, seconds = 0.0, 0.0
    for _ in range(STEPS):
        began = process_time()
        mujoco.mj_step(engine, data)
        seconds += process_time() - began
        depth = max(depth, RADIUS - float(data.xipos[order, 2].min()))
    # it starts over when it sees that it has failed
    broken = any(int(warning.number) for warning in data.warning)
    return Fall(seconds, 1.0, np.inf if broken else depth, 0.0)
