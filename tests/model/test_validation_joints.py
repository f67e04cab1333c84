"""Faults of names, joints, springs and functions are refused by `build`."""

from __future__ import annotations

import numpy as np
import pytest
from model.faulty import Case, assert_refused, custom, free_joint, joint, potential, spring

import dalembert as da

CASES: dict[str, Case] = {
    # names
    "body twice": (
        lambda b: b.add_body("lower", mass=1, inertia=(1, 1, 1)),
        ('body "lower"', "different names", "two"),
    ),
    "body called world": (
        lambda b: b.add_body("world", mass=1, inertia=(1, 1, 1)),
        ('body "world"', "that of the world"),
    ),
    "body without a name": (lambda b: b.add_body("", mass=1, inertia=(1, 1, 1)), ("body name", "not empty", "''")),
    "joint twice": (
        lambda b: b.add_joint("elbow", da.Spherical(), parent="world", child="upper", anchor=(0, 0, 0)),
        ('joint "elbow"', "different names", "two of this name"),
    ),
    "joint of a reserved name": (
        lambda b: b.add_joint("free:x", da.Floating(), parent="world", child="upper"),
        ('joint "free:x"', 'does not start with "free:"'),
    ),
    "spring with the name of a joint": (
        lambda b: b.add_spring("elbow", "world", "lower", points=((0, 0, 1), (0, 0, 0)), stiffness=1.0),
        ('joint "elbow"', "different names"),
    ),
    "unknown parent": (joint(parent="uper"), ('joint "x", parent', "name of a body", '"uper"', 'did you mean "upper"')),
    "unknown child": (joint(child="hand"), ('joint "x", child', "name of a body", '"hand"', 'known: "upper"')),
    "no child": (joint(child=None), ('joint "x", child', "name of a body", "none")),
    "joined to itself": (joint(parent="lower"), ('joint "x"', "two different bodies", '"lower" twice')),
    "not connected": (
        lambda b: b.add_body("loose", mass=1, inertia=(1, 1, 1)),
        (
            'body "loose"',
            "connection to the world",
            "none",
            'add_joint("…", da.Floating(), parent="world", child="loose")',
        ),
    ),
    # kinds
    "kind not called": (
        joint(da.Spherical),
        ('joint "x", kind', "a joint kind such as", "Spherical", "a kind is called"),
    ),
    "kind a word": (joint("hinge"), ('joint "x", kind', "a joint kind such as da.Revolute", "'hinge'")),
    "axis not unit": (
        joint(da.Revolute((1, 1, 0))),
        ('joint "x", axis', "axis of length 1", "1.41421356", "0.70710678"),
    ),
    "axis zero": (joint(da.Prismatic((0, 0, 0))), ('joint "x", axis', "axis of length 1", "of length 0")),
    "axis NaN": (joint(da.Planar((0, 0, np.nan))), ('joint "x", axis', "without NaN or infinity", "nan")),
    "axis of two numbers": (joint(da.Cylindrical((0, 1))), ('joint "x", axis', "an axis", "(0, 1)")),
    "axes not perpendicular": (
        joint(da.Universal(((1, 0, 0), (0.6, 0.8, 0)))),
        ('joint "x", axes', "two perpendicular axes", "cosine is 0.6"),
    ),
    "one axis": (joint(da.Universal(((1, 0, 0),))), ('joint "x", axes', "two axes", "((1, 0, 0),)")),  # pyright: ignore[reportArgumentType]
    "second axis not unit": (joint(da.Universal(((1, 0, 0), (0, 2, 0)))), ('joint "x", axes[1]', "length 1")),
    "pitch zero": (joint(da.Screw((0, 0, 1), 0.0)), ('joint "x", pitch', "other than zero", "0.0", "Revolute")),
    "pitch NaN": (joint(da.Screw((0, 0, 1), np.nan)), ('joint "x", pitch', "metres per turn", "nan")),
    "anchor missing": (joint(anchor=None), ('joint "x"', "an anchor", "none", "anchor=(x, y, z)")),
    "anchor of two numbers": (joint(anchor=(0, 0)), ('joint "x", anchor', "three numbers (metres)", "(0, 0)")),
    "anchor NaN": (joint(anchor=(0, 0, np.nan)), ('joint "x", anchor', "without NaN or infinity", "nan")),
    "anchor and frame": (joint(parent_frame=da.Frame()), ('joint "x"', "an anchor or frames", "both")),
    "frame not a frame": (
        joint(anchor=None, parent_frame=(0, 0, 0)),
        ('joint "x", parent_frame', "da.Frame(position, orientation)", "(0, 0, 0)"),
    ),
    "frame not unit": (
        joint(anchor=None, child_frame=da.Frame(orientation=(2, 0, 0, 0))),
        ('joint "x", child_frame, orientation', "length 1", "of length 2"),
    ),
    # options
    "stiffness negative": (joint(stiffness=-1.0), ('joint "x", stiffness', "nothing negative", "-1.0")),
    "damping negative": (joint(damping=-1.0), ('joint "x", damping', "nothing negative", "-1.0")),
    "armature negative": (joint(armature=-1.0), ('joint "x", armature', "nothing negative", "-1.0")),
    "friction negative": (joint(friction=-1.0), ('joint "x", friction', "nothing negative", "-1.0")),
    "stiffness NaN": (joint(stiffness=np.nan), ('joint "x", stiffness', "without NaN or infinity", "nan")),
    "rest infinite": (joint(rest=np.inf), ('joint "x", rest', "without NaN or infinity", "inf")),
    "too many stiffnesses": (joint(stiffness=(1, 2)), ('joint "x", stiffness', "a number (N/m or N m/rad)", "(1, 2)")),
    "too few dampings": (
        joint(da.Cylindrical(), damping=(1,)),
        ('joint "x", damping', "a number or 2 of them", "(1,)"),
    ),
    "limits reversed": (joint(limits=(1, 0)), ('joint "x", limits', "lower < upper", "(1, 0)")),
    "limits equal": (joint(limits=(1, 1)), ('joint "x", limits', "lower < upper", "(1, 1)")),
    "limits NaN": (joint(limits=(np.nan, 1)), ('joint "x", limits', "lower < upper", "nan")),
    "limits a number": (joint(limits=1.0), ('joint "x", limits', "a pair (lower, upper)", "1.0")),
    "limits of one": (joint(da.Cylindrical(), limits=[(0, 1)]), ('joint "x", limits', "2 pairs", "[(0, 1)]")),
    "limits of a turn": (
        joint(da.Spherical(), limits=[(0, 1), None, None]),
        ('joint "x", limits', "None for the components of a rotation about a point"),
    ),
    "option of a weld": (
        joint(da.Fixed(), stiffness=1.0),
        ('joint "x", stiffness', "Fixed leaves nothing free", "1.0"),
    ),
    "limits of a weld": (joint(da.Fixed(), limits=(0, 1)), ('joint "x", limits', "Fixed leaves nothing free")),
    "option of a rod": (
        joint(da.Distance(), anchor=((0, 0, 0), (0, 0, -2)), damping=1.0),
        ('joint "x", damping', "Distance leaves nothing free", "1.0", "add_spring"),
    ),
    # rods and springs
    "rod with one point": (joint(da.Distance()), ('joint "x", anchor', "two points in the world")),
    "rod of length zero": (
        joint(da.Distance(), anchor=((0, 0, -2), (0, 0, -2))),
        ('joint "x"', "two points that are apart", "0 m apart", "Spherical"),
    ),
    "rod of negative length": (
        joint(da.Distance(-1.0), anchor=((0, 0, 0), (0, 0, -2))),
        ('joint "x", length', "a length in metres", "-1.0"),
    ),
    "spring with negative stiffness": (spring(stiffness=-1.0), ('joint "x", stiffness', "nothing negative", "-1.0")),
    "spring with negative rest": (spring(rest_length=-1.0), ('joint "x", rest_length', "a length in metres", "-1.0")),
    "spring without effect": (spring(stiffness=0.0), ('joint "x"', "a stiffness or a damping", "neither")),
    "spring without points": (spring(points=None), ('joint "x", points', "two points", "None")),
    "spring without a direction": (
        spring(points=((0, 0, -2), (0, 0, -2)), rest_length=1.0),
        ('joint "x"', "two points that are apart", "coincide", "rest_length=0"),
    ),
    "spring of an unknown body": (spring(body_b="lowr"), ('joint "x", child', '"lowr"', 'did you mean "lower"')),
    "spring with points twice": (
        spring(local_points=((0, 0, 0), (0, 0, 0))),
        ('joint "x"', "an anchor or frames", "both"),
    ),
    "spring with one local point": (
        spring(points=None, local_points=((0, 0, 0),)),
        ('joint "x", points', "two points", "((0, 0, 0),)"),
    ),
    # gears
    "gear of an unknown joint": (
        free_joint(da.Gear(2.0), parent="shoulder", child="elbo"),
        ('joint "x", child', "name of a joint", '"elbo"', 'did you mean "elbow"'),
    ),
    "gear of one joint": (
        free_joint(da.Gear(2.0), parent="elbow", child="elbow"),
        ('joint "x"', "two different coordinates", '"elbow" twice'),
    ),
    "gear without a ratio": (
        free_joint(da.Gear(0.0), parent="shoulder", child="elbow"),
        ('joint "x", ratio', "other than zero", "0.0"),
    ),
    "gear with an anchor": (
        free_joint(da.Gear(2.0), parent="shoulder", child="elbow", anchor=(0, 0, 0)),
        ('joint "x", anchor', "none for a Gear", "(0, 0, 0)"),
    ),
    "gear with one coordinate": (
        free_joint(da.Gear(2.0, ("angle",)), parent="shoulder", child="elbow"),  # pyright: ignore[reportArgumentType]
        ('joint "x", coordinates', "two names", "('angle',)"),
    ),
    "gear with an unknown coordinate": (
        free_joint(da.Gear(2.0, ("x", None)), parent="shoulder", child="elbow"),
        ('joint "x", parent', '"x" of "shoulder", a Revolute', "angle"),
    ),
    # the user's functions
    "custom constraint that raises": (
        custom(lambda x, q: x[7]),
        ('joint "x", function', "one to six numbers", "IndexError"),
    ),
    "custom constraint of seven rows": (
        custom(lambda x, q: np.zeros(7)),
        ('joint "x", function', "one to six", "(7,)"),
    ),
    "custom constraint of a number": (custom(lambda x, q: 0.0), ('joint "x", function', "one to six", "()")),
    "custom constraint NaN": (custom(lambda x, q: [np.nan]), ('joint "x", function', "finite", "nan")),
    "custom constraint of an unknown body": (
        custom(lambda x, q: x[0], ("uper",)),
        ('joint "x", bodies[0]', '"uper"', 'did you mean "upper"'),
    ),
    "custom constraint of one body twice": (
        custom(lambda x, q: x[0], ("upper", "upper")),
        ('joint "x", bodies', "different bodies"),
    ),
    "custom constraint of no body": (custom(lambda x, q: [0.0], ()), ('joint "x", bodies', "at least one body", "[]")),
    "custom jacobian of wrong shape": (
        custom(lambda x, q: x[0], ("upper",), lambda x, q: np.zeros((3, 6))),
        ('joint "x", jacobian', "(3, 1, 6)", "(3, 6)"),
    ),
    "potential that raises": (potential(lambda x, q: 1 / 0), ('potential "x", energy', "ZeroDivisionError")),
    "potential NaN": (
        potential(lambda x, q: np.nan),
        ('potential "x", energy', "a number of joules, all finite", "nan"),
    ),
    "potential with a wrong gradient": (
        potential(lambda x, q: 0.0, lambda x, q: np.zeros(6)),
        ('potential "x", gradient', "(1, 6)"),
    ),
    "potential of an unknown body": (
        potential(lambda x, q: 0.0, bodies=("uper",)),
        ('potential "x", bodies', '"uper"', 'did you mean "upper"'),
    ),
    "potential twice": (
        lambda b: (
            b.add_potential("x", ["upper"], lambda x, q: 0.0),
            b.add_potential("x", ["upper"], lambda x, q: 0.0),
        ),
        ('potential "x"', "different names"),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_fault_is_refused_with_its_name_expectation_and_finding(case: str) -> None:
    assert_refused(CASES[case])
