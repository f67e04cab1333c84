"""Gains of an exoskeleton, adapted to a patient whose elbow resists."""

from __future__ import annotations

from math import pi
from typing import Any, NamedTuple

import numpy as np

import dalembert as da
from dalembert.model.system import Floats
from dalembert.studies.report import Claim, Report
from dalembert.view.style import BLUE, GREY, VERMILION, house_style, new_figure
from dalembert.zoo.exoskeleton import exoskeleton, exoskeleton_start

COMFORT = 5.0
"""N m, the largest torque at the elbow that is comfortable."""
HEALTHY: dict[str, float] = {"elbow_stiffness": 0.0, "elbow_damping": 0.1}
SPASTIC: dict[str, float] = {"elbow_stiffness": 6.0, "elbow_damping": 2.0}
"""N m/rad and N m s/rad. The paper gives no numbers for its patients."""
GAINS = {"exo_elbow": (50.0, 5.0), "flexion": (100.0, 10.0)}
"""N m/rad and N m s/rad of the two motors that lead, before scaling."""
DURATION = 6.4
"""s: a whole turn of the exercise."""


class Exercise(NamedTuple):
    """One run: its time (s), the torque of the motor at the elbow (N m), its lag (rad), and the gaps in the loops."""

    time: Floats
    torque: Floats
    lag: Floats
    gap: float

    @property
    def peak(self) -> float:
        """The largest torque, N m."""
        return float(np.abs(self.torque).max())


def elbow(time: Any) -> Any:
    """Where the elbow should be, rad. [Brüdigam 2023] algorithm 8."""
    return -pi / 4.0 + pi / 4.0 * np.sin(time)


def upper_arm(time: Any) -> Any:
    """Where the upper arm should be, rad. [Brüdigam 2023] algorithm 8."""
    return pi / 4.0 + pi / 4.0 * np.sin(time)


def exercise(patient: dict[str, float], scale: float, dt: float) -> Exercise:
    """Lead the arm of a patient once through the exercise, with gains scaled by ``scale``."""
    model = exoskeleton(**patient)
    controller = da.PD(
        model,
        {"exo_elbow": elbow, "flexion": upper_arm},
        stiffness={name: scale * gains[0] for name, gains in GAINS.items()},
        damping={name: scale * gains[1] for name, gains in GAINS.items()},
    )
    run = da.simulate(
        model,
        exoskeleton_start(model),
        duration=DURATION,
        dt=dt,
        integrator=da.MaximalVI(),
        controller=controller,
    )
    joint, (stiffness, damping) = run.joint("exo_elbow"), GAINS["exo_elbow"]
    lag = elbow(run.time) - np.ravel(joint.position)
    lag_rate = pi / 4.0 * np.cos(run.time) - np.ravel(joint.velocity)
    torque = scale * (stiffness * lag + damping * lag_rate)
    return Exercise(run.time, torque, lag, float(run.constraint_error.max()))


def adapted_scale(patient: dict[str, float], dt: float, halvings: int) -> float:
    """The largest scale, to within 2^−halvings, at which the torque stays comfortable."""
    low, high = 0.0, 1.0
    for _ in range(halvings):
        middle = 0.5 * (low + high)
        if exercise(patient, middle, dt).peak <= COMFORT:
            low = middle
        else:
            high = middle
    return low


def run(fast: bool) -> Report:
    """Both patients with the paper's gains, then with gains that suit the spastic one."""
    dt, halvings = (0.004, 4) if fast else (0.001, 7)
    scale = adapted_scale(SPASTIC, dt, halvings)
    patients = {"healthy": HEALTHY, "spastic": SPASTIC}
    original = {name: exercise(patient, 1.0, dt) for name, patient in patients.items()}
    adapted = {name: exercise(patient, scale, dt) for name, patient in patients.items()}
    everything = (*original.values(), *adapted.values())
    claims = (
        Claim("healthy, original gains: largest torque", original["healthy"].peak, high=COMFORT, unit="N m"),
        Claim("spastic, original gains: largest torque", original["spastic"].peak, low=1.1 * COMFORT, unit="N m"),
        Claim("healthy, adapted gains: largest torque", adapted["healthy"].peak, high=COMFORT, unit="N m"),
        Claim("spastic, adapted gains: largest torque", adapted["spastic"].peak, high=COMFORT, unit="N m"),
        Claim("adapted gains over the original ones", scale, low=0.05, high=0.95),
        Claim("largest gap in the loops, all runs", max(each.gap for each in everything), high=1e-10, unit="m"),
    )
    with house_style():
        figure = new_figure(7.5, 3.2)
        left, right = figure.subplots(1, 2, sharey=True)
        for axes, runs, title in ((left, original, "Original gains"), (right, adapted, f"Gains scaled by {scale:.2f}")):
            for name, color in (("healthy", BLUE), ("spastic", VERMILION)):
                axes.plot(runs[name].time, runs[name].torque, color=color, label=name)
            for limit in (-COMFORT, COMFORT):
                axes.axhline(limit, color=GREY, linestyle="--", linewidth=1.0)
            axes.set(xlabel="time (s)", title=title)
        left.set(ylabel="torque at the elbow (N m)")
        left.legend(loc="upper right", bbox_to_anchor=(1.0, 0.9))
    return Report(
        title="Gains of an exoskeleton, adapted to a patient in simulation",
        source="[Brüdigam 2023] figure 14, algorithm 8",
        setting=(
            "Arm and exoskeleton, two connected loops through planar attachments with springs and dampers; elbow of "
            f"the spastic patient {SPASTIC['elbow_stiffness']} N m/rad and {SPASTIC['elbow_damping']} N m s/rad; "
            f"step {dt} s. The paper names neither dimensions nor patients; the scale is found by bisection."
        ),
        claims=claims,
        figure=figure,
    )
