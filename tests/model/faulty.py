"""A sound model, and ways to add one fault to it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import dalembert as da
from dalembert.model.joint_kind import JointKind

Fault = Callable[[da.ModelBuilder], object]
Case = tuple[Fault, tuple[str, ...]]
"""A fault, and words that its message must hold."""


def sound() -> da.ModelBuilder:
    """A double pendulum without faults, to which each case adds one."""
    builder = da.ModelBuilder()
    for name, height in (("upper", -0.5), ("lower", -1.5)):
        builder.add_body(name, mass=1.0, inertia=(0.083, 0.083, 0.001), position=(0, 0, height))
    hinge = da.Revolute(axis=(0, 1, 0))
    builder.add_joint("shoulder", hinge, parent="world", child="upper", anchor=(0, 0, 0))
    builder.add_joint("elbow", hinge, parent="upper", child="lower", anchor=(0, 0, -1))
    return builder


def body(**given: object) -> Fault:
    """Add a body "x" with these properties over sound ones, and a joint for it."""

    def add(builder: da.ModelBuilder) -> None:
        properties = {"mass": 1.0, "inertia": (1.0, 1.0, 1.0)} | given
        builder.add_body("x", **properties)  # pyright: ignore[reportArgumentType]
        builder.add_joint("x", da.Floating(), parent="world", child="x")

    return add


def shaped(**given: object) -> Fault:
    """Add a body "x" made of shapes."""
    return body(**({"mass": None, "inertia": None} | given))


def joint(kind: object = None, **given: object) -> Fault:
    """Add a joint "x" between the two bodies with these options over sound ones."""

    def add(builder: da.ModelBuilder) -> None:
        options = {"parent": "world", "child": "lower", "anchor": (0.1, 0.2, -2.0)} | given
        chosen = da.Revolute((0, 1, 0)) if kind is None else kind
        builder.add_joint("x", chosen, **options)  # pyright: ignore[reportArgumentType]

    return add


def spring(**given: object) -> Fault:
    """Add a spring "x"."""

    def add(builder: da.ModelBuilder) -> None:
        options = {"points": ((0, 0, 1), (0, 0, -2)), "stiffness": 1.0} | given
        bodies = [options.pop(key, default) for key, default in (("body_a", "world"), ("body_b", "lower"))]
        builder.add_spring("x", *bodies, **options)  # pyright: ignore[reportArgumentType]

    return add


def free_joint(kind: JointKind, **given: object) -> Fault:
    """Add a joint without parent, child and anchor."""
    return joint(kind, **({"parent": None, "child": None, "anchor": None} | given))


def potential(energy: object, gradient: object = None, bodies: object = ("upper",)) -> Fault:
    """Add a potential "x"."""

    def add(builder: da.ModelBuilder) -> None:
        builder.add_potential("x", bodies, energy, gradient)  # pyright: ignore[reportArgumentType]

    return add


def custom(function: object, bodies: object = ("upper",), jacobian: object = None) -> Fault:
    """Add a custom constraint "x"."""
    return free_joint(da.CustomConstraint(function, bodies, jacobian))  # pyright: ignore[reportArgumentType]


def assert_refused(case: Case) -> None:
    """The fault is the only finding, and its message holds the words."""
    add, words = case
    builder = sound()
    add(builder)
    with pytest.raises(da.ModelError) as caught:
        builder.build()
    assert len(caught.value.findings) == 1, caught.value.findings
    for word in words:
        assert word in str(caught.value)
