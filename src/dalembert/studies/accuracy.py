"""Work against error of orders two, four and six, beside other engines."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np

import dalembert as da
from dalembert import zoo
from dalembert.studies.measure import exponent
from dalembert.studies.report import Claim, Report
from dalembert.studies.work_error import Curve, Motion, curve, doubling, draw
from dalembert.view.style import BLUE, GREEN, GREY, VERMILION, house_style, new_figure

ERROR = 1e-6
"""m, at which costs are compared."""

COLOURS = (BLUE, GREEN, VERMILION, GREY, "#CC79A7", "#E69F00")


def motions(fast: bool) -> list[Motion]:
    """Two open chains and two loops."""
    double, chain = zoo.double_pendulum(), zoo.pendulum(10)
    found = [
        Motion("double pendulum", double, zoo.pendulum_start(double, 1.5), 2.0),
        Motion("10-link chain", chain, zoo.pendulum_start(chain, 0.5 * np.pi), 1.0),
    ]
    for name, title in (("n_four_bar", "N = 2 four-bar"), ("bricard", "Bricard")):
        model = zoo.ZOO[name].build()
        found.append(Motion(title, model, zoo.ZOO[name].start(model), 1.0 if fast else 2.0))
    return found


def curves(motion: Motion, fast: bool) -> list[Curve]:
    """Ours first, then those of the engines that are installed."""
    fewer = 2 if fast else 0
    ours = [
        curve("order 2", motion, da.MaximalVI(tol=1e-11), doubling(8, 11)),
        curve("order 4", motion, da.MaximalVI(order=4, tol=1e-12), doubling(2, 8 - fewer)),
        curve("order 6", motion, da.MaximalVI(order=6, tol=1e-13), doubling(1, 7 - fewer)),
    ]
    others: list[Curve] = []
    if find_spec("mujoco"):
        from dalembert.studies.in_mujoco import mujoco_curve

        others += [mujoco_curve(motion, name, doubling(8, 9 - fewer)) for name in ("Euler", "RK4")]
    if find_spec("pinocchio") and not motion.model.loop_joints:
        from dalembert.studies.in_pinocchio import pinocchio_curve

        others.append(pinocchio_curve(motion, doubling(8, 7 - fewer)))
    return ours + others


def run(fast: bool) -> Report:
    """Draw all curves; judge the orders, and the costs at an error of 1e-6 m."""
    claims: list[Claim] = []
    with house_style():
        figure = new_figure(9.0, 7.0)
        for k, motion in enumerate(motions(fast)):
            found = curves(motion, fast)
            axes = figure.add_subplot(2, 2, k + 1)
            draw(axes, found, COLOURS[: len(found)], motion.name)
            axes.legend(fontsize="x-small")
            claims += order_claims(motion, found[:3])
            claims += cost_claims(motion, found)
    return Report(
        title="Work against error",
        source="orders of accuracy at equal cost",
        setting="Largest error of a centre of mass at ten instants of one or two seconds; time of the steps alone.",
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


def cost_claims(motion: Motion, found: list[Curve]) -> list[Claim]:
    """How many times less the better of order four and six costs than order two, and than the best other engine."""
    high = min(each.cost(ERROR) for each in found[1:3])
    text = f"{motion.name}, error 1e-6 m: order 2 over order 4 or 6, time"
    claims = [Claim(text, found[0].cost(ERROR) / high, low=3.0)]
    if len(found) > 3:
        best = min(each.cost(ERROR) for each in found[3:])
        # an engine whose loops are soft never gets there; explicit steps of order four on a short open run are as good
        ratio, bound = (best / high, 0.5) if np.isfinite(best) else (1e9, 10.0)
        text = f"{motion.name}, error 1e-6 m: best other engine over order 4 or 6, time"
        claims.append(Claim(text, ratio, low=bound))
    return claims
