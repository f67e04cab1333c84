"""Frames with names: where they are, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from model.faulty import sound

import dalembert as da
from dalembert.model_file import describe_model, rebuild_model

QUARTER = (np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0)
"""A quarter turn about x."""


def framed() -> da.Model:
    builder = sound()
    builder.add_frame("tip", "lower", position=(0.1, 0.2, -2.0), orientation=QUARTER)
    builder.add_frame("mount", "world", position=(0.0, 0.0, 3.0))
    builder.add_frame("lower", "lower", frame=da.Frame((0.0, 0.0, 0.5)))
    return builder.build()


def test_a_frame_moves_with_its_body():
    model = framed()
    at_rest = model.frame_pose("tip", model.state())
    assert np.allclose(at_rest[0], (0.1, 0.2, -2.0), rtol=0, atol=1e-15)
    assert np.allclose(at_rest[1], QUARTER, rtol=0, atol=1e-15)
    # a quarter turn about y takes (x, y, z) to (z, y, -x)
    turned = model.frame_pose("tip", model.state(positions={"shoulder": np.pi / 2}))
    assert np.allclose(turned[0], (-2.0, 0.2, -0.1), rtol=0, atol=1e-15)


def test_a_frame_of_the_world_stays():
    model = framed()
    assert model.frame_pose("mount", model.state(positions={"shoulder": 1.0}))[0].tolist() == [0.0, 0.0, 3.0]


def test_a_local_frame_is_measured_from_the_centre_of_mass():
    model = framed()
    assert np.allclose(model.frame_pose("lower", model.state())[0], (0, 0, -1.0), rtol=0, atol=1e-15)


def test_frames_come_back_from_a_file_with_the_same_bits():
    model = framed()
    again = rebuild_model(*describe_model(model), None)
    assert list(again.frames) == ["tip", "mount", "lower"]
    for name, frame in model.frames.items():
        other = again.frames[name]
        assert (other.body, other.position.tolist(), other.orientation.tolist()) == (
            frame.body,
            frame.position.tolist(),
            frame.orientation.tolist(),
        )


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            {"body": "lowr"},
            'frame "x", body: expected the name of a body, or "world", found \'lowr\'; did you mean "lower"',
        ),
        ({"body": "lower", "position": (0, 0, np.nan)}, 'frame "x", position'),
        ({"body": "lower", "frame": da.Frame(), "position": (0, 0, 0)}, "leave one of them out"),
        ({"body": "lower", "orientation": (1, 1, 0, 0)}, 'frame "x", orientation'),
    ],
)
def test_faults_name_the_frame(given, said):
    builder = sound()
    builder.add_frame("x", **given)
    with pytest.raises(da.ModelError) as caught:
        builder.build()
    assert said in str(caught.value)


def test_two_frames_of_one_name_are_refused():
    builder = sound()
    builder.add_frame("x", "lower")
    builder.add_frame("x", "upper")
    with pytest.raises(da.ModelError, match='frame "x": expected different names'):
        builder.build()


def test_an_unknown_frame_is_refused():
    model = framed()
    with pytest.raises(da.ModelError, match='did you mean "tip"'):
        model.frame_pose("tipp", model.state())
