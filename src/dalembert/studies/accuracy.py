"""Work against error of all integrators, beside other engines."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import numpy as np

import dalembert as da
from dalembert import zoo
from dalembert.studies.measure import exponent
from dalembert.studies.report import Claim, Report
from dalembert.studies.work_error import INSTANTS, Curve, Motion, curve, doubling, draw
from dalembert.view.style import BLUE, GREEN, GREY, VERMILION, house_style, new_figure

ERROR = 1e-6
"""m, at which costs are compared."""

LOOKS = {
    "MaximalVI, order 2": ("#9ecae1", "o-"),
    "MaximalVI, order 4": ("#4292c6", "o-"),
    "MaximalVI, order 6": (BLUE, "o-"),
    "MinimalVI": (GREEN, "o-"),
    "GalerkinVI, 1 stage": ("#fdd0a2", "o-"),
    "GalerkinVI, 2 stages": ("#fdae6b", "o-"),
    "GalerkinVI, 3 stages": ("#fd8d3c", "o-"),
    "GalerkinVI, 4 stages": (VERMILION, "o-"),
    "GalerkinVI, 5 stages": ("#a63603", "o-"),
    "GalerkinVI, 7 stages": ("#5a1c02", "o-"),
    "BDF2": ("#cccccc", "o-"),
    "SDIRK2": (GREY, "o-"),
    "RungeKutta, rk4": ("#444444", "o-"),
    "MuJoCo Euler": ("#dcbeff", "s--"),
    "MuJoCo implicitfast": ("#b57edc", "s--"),
    "MuJoCo RK4": ("#6a3d9a", "s--"),
    "Pinocchio, RK4": ("#CC79A7", "s--"),
    "Drake discrete": ("#e6d96c", "s--"),
    "Drake runge kutta3": ("#E69F00", "s--"),
    "Drake runge kutta5": ("#a6761d", "s--"),
    "Exudyn RK44": ("#56B4E9", "s--"),
    "Exudyn GeneralizedAlpha": ("#1f9e89", "s--"),
}
"""Colour and line by label: circles are ours, squares other engines'."""


def motions(fast: bool) -> list[Motion]:
    """Two open chains and two loops."""
    double, chain = zoo.double_pendulum(), zoo.pendulum(10)
    found = [
        Motion("double pendulum", double, zoo.pendulum_start(double, 1.5), 2.0),
        Motion("10-link chain", chain, zoo.pendulum_start(chain, 0.5 * np.pi, 0.1), 2.0),
    ]
    for name, title in (("n_four_bar", "N = 2 four-bar"), ("bricard", "Bricard")):
        model = zoo.ZOO[name].build()
        found.append(Motion(title, model, zoo.ZOO[name].start(model), 1.0 if fast else 2.0))
    return found


def own_curves(motion: Motion, fast: bool) -> list[Curve]:
    """Ours, MaximalVI's three orders first."""
    fewer = 2 if fast else 0
    methods: list[tuple[str, da.Integrator, tuple[int, ...]]] = [
        ("MaximalVI, order 2", da.MaximalVI(tol=1e-11), doubling(8, 12)),
        ("MaximalVI, order 4", da.MaximalVI(order=4, tol=1e-12), doubling(2, 9 - fewer)),
        ("MaximalVI, order 6", da.MaximalVI(order=6, tol=1e-13), doubling(1, 8 - fewer)),
        ("MinimalVI", da.MinimalVI(tol=1e-11), doubling(8, 11 - fewer)),
        ("BDF2", da.BDF2(), doubling(8, 7 - fewer)),
        ("SDIRK2", da.SDIRK2(), doubling(8, 7 - fewer)),
        ("RungeKutta, rk4", da.RungeKutta("rk4"), doubling(4, 8 - fewer)),
    ]
    if not motion.model.loop_joints:
        for stages in (1, 2, 3, 4, 5, 7):
            counts = {1: doubling(8, 11 - fewer), 2: doubling(4, 8 - fewer)}.get(stages, tuple(range(10, 201, 10)))
            label = f"GalerkinVI, {stages} stage{'s' if stages > 1 else ''}"
            methods.append((label, da.GalerkinVI(stages=stages, tol=1e-12), counts))
    return [curve(label, motion, method, counts) for label, method, counts in methods]


def other_curves(motion: Motion, fast: bool) -> list[Curve]:
    """Those of the engines that are installed; loops are open to none but MuJoCo, Drake's own step and Exudyn."""
    fewer, loops, found = 2 if fast else 0, bool(motion.model.loop_joints), []
    if find_spec("mujoco"):
        from dalembert.studies.in_mujoco import mujoco_curve

        for name, most in (("Euler", 11), ("implicitfast", 11), ("RK4", 10)):
            found.append(mujoco_curve(motion, name, doubling(8, most - fewer)))
    if find_spec("pinocchio") and not loops:
        from dalembert.studies.in_pinocchio import pinocchio_curve

        found.append(pinocchio_curve(motion, doubling(8, 8 - fewer)))
    if find_spec("pydrake"):
        from dalembert.studies.in_drake import drake_curve

        found.append(drake_curve(motion, "discrete", doubling(8, 8 - fewer)))
        if not loops:
            found += [drake_curve(motion, f"runge_kutta{k}", doubling(4, 8 - fewer)) for k in (3, 5)]
    if find_spec("exudyn"):
        from dalembert.studies.in_exudyn import IMPLICIT, exudyn_curve

        found.append(exudyn_curve(motion, IMPLICIT, doubling(8, 9 - fewer), tree=not loops))
        if not loops:
            found.append(exudyn_curve(motion, "RK44", doubling(8, 8 - fewer)))
    return found


def run(fast: bool) -> Report:
    """Draw all curves; judge the orders, and the costs at an error of 1e-6 m."""
    claims: list[Claim] = []
    shown: dict[str, Any] = {}
    with house_style():
        figure = new_figure(12.0, 9.0)
        for k, motion in enumerate(motions(fast)):
            ours, others = own_curves(motion, fast), other_curves(motion, fast)
            axes = figure.add_subplot(2, 2, k + 1)
            draw(axes, [*ours, *others], LOOKS, motion.name)
            handles, labels = axes.get_legend_handles_labels()
            shown |= dict(zip(labels, handles, strict=True))
            claims += order_claims(motion, ours[:3])
            claims += cost_claims(motion, ours, others)
        figure.legend(list(shown.values()), list(shown), loc="outside right upper", fontsize="small")
    return Report(
        title="Work against error",
        source="orders of accuracy at equal cost",
        setting=f"Largest error of a centre of mass at {INSTANTS} instants of one or two seconds; time of the steps "
        "alone. A cross is a run that failed. MuJoCo's loops are as stiff as it allows at each step.",
        claims=tuple(claims),
        figure=figure,
    )


def order_claims(motion: Motion, found: list[Curve]) -> list[Claim]:
    """The power of the step in errors between 1e-11 m and 1e-3 m."""
    claims = []
    for order, each in zip((2, 4, 6), found, strict=True):
        errors = np.array(each.errors)
        used = (errors < 1e-3) & (errors > 1e-11)
        power = -exponent(np.array(each.steps)[used], errors[used])
        claims.append(Claim(f"{motion.name}, order {order}: observed", power, low=order - 0.5, high=order + 0.5))
    return claims


def cost_claims(motion: Motion, ours: list[Curve], others: list[Curve]) -> list[Claim]:
    """How many times less the higher orders cost than order two, and than the best of the other engines."""
    high = min(each.cost(ERROR) for each in ours[1:3])
    text = f"{motion.name}, error 1e-6 m: time of order 2 over that of order 4 or 6"
    claims = [Claim(text, ours[0].cost(ERROR) / high, low=3.0)]
    reached = [each for each in others if np.isfinite(each.cost(ERROR))]
    if reached:
        best, mine = (min(each, key=lambda c: c.cost(ERROR)) for each in (reached, ours))
        text = f"{motion.name}, error 1e-6 m: time of {best.label} over that of {mine.label}, the best of each side"
        claims.append(Claim(text, best.cost(ERROR) / mine.cost(ERROR), low=10.0))
    return claims
