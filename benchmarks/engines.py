"""MaximalVI beside Drake and Exudyn: microseconds per step of the same mechanisms from the same starts.

    python benchmarks/engines.py [--rows "chain 10" …] [--repeats 5] [--error 1e-4]

Chains of revolute rods of 1 m and 1 kg let go from the horizontal, a random tree of 50 bodies with revolute joints, and
50 closed segments of four links; gravity along −z, steps of 0.01 s, tolerance 1e-10, one thread, nothing recorded. The
engines take turns in one run, each after a step that warms it up; times are processor times of the steps alone, the
best of several runs. Drake's step is its discrete one (first order, implicit in velocities, loops closed by ball
constraints); Exudyn's are its explicit ones in minimal coordinates, Euler's (first order, gains energy) and the
classical Runge–Kutta method, and its implicit generalised-α step (second order), in minimal coordinates or with planar
bodies and constraints, whichever takes less. MaximalVI is of second order and exact in the constraints.

The last line is the closed segments at equal error: what a run of 0.25 s costs whose largest error of a position is
``--error`` m, with each method's own number of steps.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from time import process_time
from typing import NamedTuple

import numpy as np

import dalembert as da
from dalembert import zoo
from dalembert.studies.in_drake import DrakeRun
from dalembert.studies.in_exudyn import IMPLICIT, ExudynRun, exudyn_curve
from dalembert.studies.work_error import Motion, curve, doubling

STEP = 0.01
TILT = 0.1
"""rad, of the closed segments at the start; see ``closed_loops.py``."""


class Row(NamedTuple):
    """A mechanism and how Exudyn can take it."""

    model: da.Model
    state: da.State
    tree: bool
    planar: bool


def rows() -> dict[str, Callable[[], Row]]:
    """The mechanisms by name, made when asked for."""

    def chain(links: int) -> Row:
        model = zoo.pendulum(links)
        return Row(model, zoo.pendulum_start(model), True, True)

    def tree() -> Row:
        model = zoo.random_tree(50, 0, ("Revolute",))
        return Row(model, model.state(), True, False)

    def segments() -> Row:
        model = zoo.four_bar_chain(50, tilt=TILT)
        return Row(model, model.state(), False, True)

    made: dict[str, Callable[[], Row]] = {f"chain {n}": lambda n=n: chain(n) for n in (1, 10, 100, 300)}
    return made | {"tree 50": tree, "segments 50": segments}


def main() -> None:
    """Print one line for each mechanism, then the costs at equal error."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", nargs="+", default=list(rows()), choices=list(rows()))
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--error", type=float, default=1e-4)
    options = parser.parse_args()
    print(f"{'µs/step':>12}{'MaximalVI':>11}" + "".join(f"{name:>18}{'ratio':>7}" for name in OTHERS))
    for name in options.rows:
        found = measure(rows()[name](), options.repeats)
        ours = found["MaximalVI"]
        text = "".join(f"{found[other]:>18.1f}{found[other] / ours:>7.1f}" for other in OTHERS)
        print(f"{name:>12}{ours:>11.1f}{text}", flush=True)
    if "segments 50" in options.rows:
        equal_error(options.error, options.repeats)


EXPLICIT = {"Exudyn Euler": "ExplicitEuler", "Exudyn RK4": "RK44"}
OTHERS = ("Drake discrete", *EXPLICIT, "Exudyn implicit")


def measure(row: Row, repeats: int) -> dict[str, float]:
    """µs per step by engine; NaN where an engine does not apply."""
    # as long as the motion of a long chain is resolved, and not so short that the call counts
    steps = max(50, 2000 // row.model.n_bodies)

    def ours() -> float:
        stepper = da.MaximalVI(tol=1e-10).start(row.model, row.state, STEP)
        stepper.advance(1)
        began = process_time()
        stepper.advance(steps)
        return process_time() - began

    def drake() -> float:
        run = DrakeRun(row.model, row.state, STEP)
        run.advance(1)
        began = process_time()
        run.advance(steps)
        return process_time() - began

    def exudyn(method: str, tree: bool) -> float:
        run = ExudynRun(row.model, row.state, tree)
        run.advance(STEP, 1, method)
        # Euler's explicit method does not live long
        count = 50 if method == "ExplicitEuler" else steps
        return run.advance(STEP, count, method) * steps / count

    best = dict.fromkeys(("MaximalVI", *OTHERS), np.inf)
    for _ in range(repeats):
        # a short run is repeated: the clock of the processor is coarse
        best["MaximalVI"] = min(best["MaximalVI"], *(ours() for _ in range(5)))
        best["Drake discrete"] = min(best["Drake discrete"], drake())
        if row.tree:
            for name, method in EXPLICIT.items():
                best[name] = min(best[name], exudyn(method, True))
        for tree in [True] * row.tree + [False] * row.planar:
            best["Exudyn implicit"] = min(best["Exudyn implicit"], exudyn(IMPLICIT, tree))
    return {name: 1e6 * each / steps if np.isfinite(each) else np.nan for name, each in best.items()}


def equal_error(error: float, repeats: int) -> None:
    """The closed segments by both methods of second order."""
    model = zoo.four_bar_chain(50, tilt=TILT)
    motion = Motion("segments", model, model.state(), 0.25)
    counts = doubling(1, 6)
    ours = curve("MaximalVI", motion, da.MaximalVI(tol=1e-10), counts, repeats)
    theirs = exudyn_curve(motion, IMPLICIT, counts, tree=False, repeats=min(repeats, 2))
    costs = ours.cost(error), theirs.cost(error)
    for each, cost in zip((ours, theirs), costs, strict=True):
        pairs = zip(each.steps, each.errors, strict=True)
        print(f"{each.label}: {1e3 * cost:.1f} ms at {error:g} m;", ", ".join(f"{n}: {e:.1e}" for n, e in pairs))
    print(f"segments 50 at an error of {error:g} m: Exudyn implicit / MaximalVI = {costs[1] / costs[0]:.1f}")


if __name__ == "__main__":
    main()
