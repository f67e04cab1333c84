"""Mechanisms with every kind of parameter, objectives that see everything, and central differences."""

from __future__ import annotations

from typing import Any

import numpy as np

import dalembert as da

Case = tuple[da.Model, da.State, Any, list[da.Parameter]]


def open_chain() -> Case:
    """Rotations about points, axes and slides, joints declared inwards, a spring between points."""
    b = da.ModelBuilder(gravity=(0.3, 0.2, -9.81))
    b.add_body("base", mass=2.0, inertia=(0.2, 0.3, 0.25), position=(0.1, 0, -0.2))
    b.add_body("arm", mass=1.0, inertia=(0.1, 0.12, 0.05), position=(0.2, 0.1, -0.8))
    b.add_body("fore", mass=0.7, inertia=(0.05, 0.06, 0.02), position=(0.4, 0.1, -1.4))
    b.add_body("tip", mass=0.4, inertia=(0.02, 0.03, 0.02), position=(0.6, 0.2, -1.7))
    own: dict[str, Any] = {"stiffness": (3.0, 2.0, 1.0), "damping": 0.1, "rest": (0.1, 0.2, 0.3)}
    b.add_joint("ball", da.Spherical(), parent="world", child="base", anchor=(0, 0, 0), **own)
    own = {"stiffness": 2.0, "damping": 0.05, "rest": 0.2, "armature": 0.1}
    b.add_joint("hinge", da.Revolute(axis=(0, 1, 0)), parent="arm", child="base", anchor=(0.2, 0, -0.5), **own)
    cross = da.Universal(axes=((1, 0, 0), (0, 1, 0)))
    b.add_joint("cross", cross, parent="arm", child="fore", anchor=(0.3, 0.1, -1.1), damping=0.1)
    slide = da.Cylindrical(axis=(0, 0, 1))
    b.add_joint("slide", slide, parent="fore", child="tip", anchor=(0.5, 0.1, -1.6), stiffness=(20, 1), damping=0.2)
    ends = ((1, 0, -1), (0.6, 0.2, -1.8))
    b.add_spring("spring", "world", "tip", points=ends, rest_length=0.5, stiffness=5.0, damping=0.3)
    b.add_spring("cord", "world", "fore", points=((0, 1, -1), (0.4, 0.2, -1.4)), rest_length=0.0, stiffness=2.0)
    model = b.build()
    state = model.state(
        positions={"ball": (0.3, -0.2, 0.4), "hinge": 0.4, "cross": (0.2, -0.3)},
        velocities={"ball": (0.5, 1.0, -0.6), "slide": (0.1, 1.0)},
    )
    parameters = [
        da.JointForce("hinge", knots=4, between="cubic"),
        da.JointForce("ball", knots=2),
        da.JointForce("slide", knots=2, between="hold"),
        *(da.InitialPosition("ball"), da.InitialPosition("cross")),
        *(da.InitialVelocity("ball"), da.InitialVelocity("slide")),
        *(da.Mass("arm"), da.Mass("base", scale_inertia=True), da.Inertia("fore"), da.Gravity()),
        *(da.Stiffness("ball"), da.Stiffness("slide"), da.Stiffness("spring"), da.Stiffness("cord")),
        *(da.Rest("ball"), da.Rest("hinge"), da.Rest("spring")),
        *(da.Damping("ball"), da.Damping("cross"), da.Damping("spring"), da.Armature("hinge")),
        *(da.JointPoint("hinge", on="parent"), da.JointPoint("cross", on="child"), da.JointPoint("ball", on="parent")),
        *(da.JointPoint("spring", on="parent"), da.JointPoint("spring", on="child"), da.CentreOfMass("base")),
        *(da.JointPoint("cord", on="parent"), da.JointPoint("slide", on="child")),
    ]
    return model, state, look_at_chain, parameters


def look_at_chain(run: Any, gradient: da.MotionGradient) -> float:
    """The end and all of the motion, poses, velocities, coordinates, rates and forces."""
    goal: dict[str, Any] = {"position": (0.5, 0.3, -1.0), "velocity": (0.1, 0.2, 0.3), "point": (0.1, 0.2, -0.1)}
    whole = (
        da.PointTarget("tip", **goal)
        + 0.3 * da.PointTarget("fore", (0.5, None, -1.0), (0.1, 0.2, 0.3), (0.1, 0.2, -0.1), time="all")
        + da.JointTarget("ball", (0.1, 0.2, 0.3), (0.1, 0.0, 1.0), time=float(run.time[len(run) // 2]))
        + da.JointTarget("cross", (0, 0))
        + 0.1 * da.Effort()
    )
    return whole(run, gradient)


def four_bar() -> Case:
    """A plane loop of four hinges, three of whose rows are redundant; springs and drives in the tree and outside."""
    b = da.ModelBuilder(gravity=(0, 0, -9.81))
    points = [(0.0, 0.0, 0.0), (0.1, 0.0, 0.4), (1.0, 0.0, 0.7), (0.9, 0.0, 0.0)]
    for name, mass, p, q in zip(("crank", "coupler", "rocker"), (1.0, 1.5, 1.2), points[:3], points[1:], strict=True):
        middle = 0.5 * (np.array(p) + q)
        b.add_body(name, mass=mass, inertia=(0.05 * mass, 0.06 * mass, 0.07 * mass), position=middle)
    hinge = da.Revolute(axis=(0, 1, 0))
    b.add_joint("a", hinge, parent="world", child="crank", anchor=points[0], damping=0.1)
    b.add_joint("b", hinge, parent="crank", child="coupler", anchor=points[1], stiffness=1.0, rest=0.3)
    b.add_joint("d", hinge, parent="world", child="rocker", anchor=points[3], damping=0.05)
    own: dict[str, Any] = {"stiffness": 2.0, "damping": 0.1, "rest": 0.2}
    b.add_joint("c", hinge, parent="coupler", child="rocker", anchor=points[2], **own)
    model = b.build()
    state = model.assemble(model.state(velocities={"a": 2.0}), hold=("a",)).state
    parameters = [
        *(da.JointForce("a", knots=3), da.JointForce("c", knots=3), da.InitialPosition("a"), da.InitialVelocity("a")),
        *(da.Mass("coupler"), da.Inertia("rocker"), da.Stiffness("b"), da.Stiffness("c"), da.Damping("c")),
        *(da.Damping("d"), da.Rest("b"), da.Rest("c")),
        *(da.LinkLength("coupler", ("b", "c")), da.LinkLength("crank", ("a", "b"))),
    ]

    def look(run: Any, gradient: da.MotionGradient) -> float:
        return (
            da.PointTarget("coupler", (0.5, None, 0.3), (0.1, None, 0.1), point=(0.1, 0, 0.2))
            + da.PointTarget("rocker", (0.5, 0, 0.3), time="all")
            + da.JointTarget("a", 0.3, 0.1)
        )(run, gradient)

    return model, state, look, parameters


def space_loops() -> Case:
    """A rod, and a joint that slides and turns freely with springs, dampers and drives, both outside the tree."""
    b = da.ModelBuilder(gravity=(0.2, 0.1, -9.81))
    b.add_body("one", mass=1.0, inertia=(0.1, 0.12, 0.05), position=(0.2, 0.1, -0.5))
    b.add_body("two", mass=0.8, inertia=(0.1, 0.12, 0.05), position=(1.0, 0.3, -0.6))
    b.add_body("three", mass=0.5, inertia=(0.05, 0.02, 0.05), position=(1.5, 0.4, -0.9))
    b.add_joint("ball", da.Spherical(), parent="world", child="one", anchor=(0, 0, 0))
    cross = da.Universal(axes=((1, 0, 0), (0, 1, 0)))
    b.add_joint("cross", cross, parent="world", child="two", anchor=(1.0, 0.2, 0))
    slide = da.Prismatic(axis=(0.8, 0, 0.6))
    b.add_joint("slide", slide, parent="two", child="three", anchor=(1.4, 0.4, -0.8), stiffness=30.0)
    b.add_joint("rod", da.Distance(), parent="one", child="two", anchor=((0.3, 0.2, -0.7), (1.1, 0.2, -0.9)))
    free = da.CylindricalFree(axis=(0, 0.6, 0.8))
    own: dict[str, Any] = {"stiffness": (4, 1, 1, 2), "damping": 0.1}
    b.add_joint("free", free, parent="one", child="three", anchor=(1.2, 0.3, -0.8), **own)
    model = b.build()
    state = model.assemble(model.state(velocities={"cross": (1.0, 0.5)})).state
    parameters = [
        *(da.JointForce("cross", knots=3), da.JointForce("free", knots=2)),
        *(da.InitialPosition("cross"), da.InitialVelocity("cross"), da.Mass("two")),
        *(da.Stiffness("free"), da.Damping("free"), da.Rest("free"), da.RodLength("rod")),
        *(da.JointPoint("rod", on="parent"), da.JointPoint("free", on="parent"), da.JointPoint("free", on="child")),
        *(da.JointPoint("slide", on="child"), da.CentreOfMass("two")),
    ]

    def look(run: Any, gradient: da.MotionGradient) -> float:
        return (
            da.PointTarget("three", (0.5, 0.1, 0.3), (0.1, 0.2, 0.1), point=(0.1, 0.3, 0.2))
            + da.PointTarget("one", (0.5, 0, 0.3), time="all")
        )(run, gradient)

    return model, state, look, parameters


def grounded() -> Case:
    """A free body with an arm that rocks on a ground of springs and sticks to it, a spring that slides through both.

    All corners stay in contact: where one lifts or slips there is a kink, which differences would see.
    """
    b = da.ModelBuilder(gravity=(0, 0, -9.81))
    b.add_body("foot", mass=1.0, inertia=(0.02, 0.03, 0.04), position=(0, 0, 0.115))
    b.add_body("arm", mass=0.5, inertia=(0.02, 0.02, 0.01), position=(0.06, 0, 0.4))
    b.add_joint("free", da.Floating(), parent="world", child="foot")
    hinge = da.Revolute(axis=(0, 1, 0))
    b.add_joint("hip", hinge, parent="foot", child="arm", anchor=(0.05, 0, 0.2), stiffness=20.0, damping=0.1)
    corners = [(x, y, -0.1) for x in (-0.2, 0.2) for y in (-0.1, 0.1)]
    soil: dict[str, Any] = {"stiffness": 5e2, "dissipation": 0.5, "sticking": 10.0, "friction": 1.0}
    b.add_force("ground", da.PenaltyGround("foot", corners, **soil))
    places = (("world", (0, 0, 1)), ("arm", (0.1, 0, 0.5)), ("foot", (-0.1, 0.05, 0.2)))
    b.add_force("band", da.RoutedSpring(places, stiffness=2.0, damping=0.2, rest_length=0.9))
    model = b.build()
    state = model.state(
        positions={"free": ((0, 0, 0.093), (0, 0, 0))},
        velocities={"free": (0.05, 0.02, 0.0, 0.01, 0.02, 0.0), "hip": 0.1},
    )
    parameters = [
        *(da.JointForce("hip", knots=3), da.InitialPosition("free"), da.InitialVelocity("free"), da.Mass("arm")),
        *(
            da.Inertia("foot"),
            da.Stiffness("hip"),
            da.JointPoint("hip", on="child"),
            da.JointPoint("hip"),
            da.Gravity(),
        ),
    ]

    def look(run: Any, gradient: da.MotionGradient) -> float:
        return (
            da.PointTarget("arm", (0.5, 0.1, 0.3), (0.1, 0.2, 0.1), point=(0.1, 0.3, 0.2))
            + da.PointTarget("foot", (0.5, 0, 0.3), time="all")
        )(run, gradient)

    return model, state, look, parameters


def central(
    problem: da.Problem, values: dict[da.Parameter, np.ndarray], one: da.Parameter, way: np.ndarray, step: float
) -> float:
    """Central differences by one parameter along a way, extrapolated once: the error is of order step⁴."""

    def moved(h: float) -> float:
        return problem.value({**values, one: values[one] + h * way})

    wide, near = ((moved(x) - moved(-x)) / (2 * x) for x in (step, 0.5 * step))
    return (4.0 * near - wide) / 3.0
