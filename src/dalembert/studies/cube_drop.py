"""A cube dropped on the ground: rigid contact beside a soft one."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

import dalembert as da
from dalembert.model.system import Floats
from dalembert.studies.report import Claim, Report
from dalembert.view.style import BLUE, VERMILION, house_style, new_figure

STEP, EDGE, DURATION = 0.01, 0.5, 1.0


def run(fast: bool) -> Report:
    """Drop it from several heights, with MuJoCo's default contact for comparison where that is installed."""
    heights = (0.4,) if fast else (0.1, 0.2, 0.4, 0.6, 0.8, 1.0)
    ours = [_drop(height) for height in heights]
    times = STEP * np.arange(len(ours[0]))
    settled = [gap[int(np.sqrt(2 * height / 9.81) / STEP) + 3 :] for gap, height in zip(ours, heights, strict=True)]
    claims = [
        Claim(
            "rigid: lowest gap under the cube at any step", float(min(gap.min() for gap in ours)), low=-1e-9, unit="m"
        ),
        Claim("rigid: largest gap once it has landed", float(max(gap.max() for gap in settled)), high=43e-6, unit="m"),
    ]
    theirs = [_mujoco(height) for height in heights] if mujoco_there() else []
    if theirs:
        deepest = float(min(gap.min() for gap in theirs))
        claims.append(Claim("MuJoCo's default contact: how deep the cube sinks in", -deepest, low=0.01, unit="m"))
    with house_style():
        figure = new_figure(7.0, 3.2)
        axes = figure.add_subplot()
        for k, gap in enumerate(ours):
            axes.plot(times, 1e3 * gap, color=BLUE, label="variational, rigid" if k == 0 else None)
        for k, gap in enumerate(theirs):
            axes.plot(times, 1e3 * gap, color=VERMILION, label="MuJoCo, default" if k == 0 else None)
        axes.set(xlabel="time (s)", ylabel="lowest corner (mm)", title="A cube is dropped", ylim=(-40, 60))
        axes.legend(loc="upper right")
    return Report(
        title="Contact without penetration",
        source="[Brüdigam 2023] figure 7(d)",
        setting=f"Cube of {EDGE} m and 1 kg dropped from {', '.join(map(str, heights))} m, step {STEP} s.",
        claims=tuple(claims),
        figure=figure,
    )


def _drop(height: float) -> Floats:
    """(N,) gap under the cube."""
    builder = da.ModelBuilder()
    builder.add_body("cube", mass=1.0, shape=da.Box(EDGE, EDGE, EDGE), position=(0, 0, 0.5 * EDGE + height))
    builder.add_joint("free", da.Floating(), parent="world", child="cube")
    builder.add_contact("cube")
    builder.add_ground()
    run = da.simulate(builder.build(), duration=DURATION, dt=STEP, integrator=da.MaximalVI())
    return run.position[:, 0, 2] - 0.5 * EDGE


def mujoco_there() -> bool:
    try:
        import_module("mujoco")
    except ImportError:
        return False
    return True


def _mujoco(height: float) -> Floats:
    """The same by MuJoCo with its default parameters and its Euler method."""
    mujoco: Any = import_module("mujoco")
    half = 0.5 * EDGE
    model = mujoco.MjModel.from_xml_string(f"""<mujoco><option timestep="{STEP}"/><worldbody>
        <geom type="plane" size="5 5 1"/>
        <body pos="0 0 {half + height}"><freejoint/><geom type="box" size="{half} {half} {half}" mass="1"/></body>
        </worldbody></mujoco>""")
    data, gaps = mujoco.MjData(model), [height]
    for _ in range(round(DURATION / STEP)):
        mujoco.mj_step(model, data)
        gaps.append(float(data.qpos[2]) - half)
    return np.array(gaps)
