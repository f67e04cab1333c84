"""Curves drawn by their envelope, numbers as in print, and figures that leave no trace."""

from __future__ import annotations

import numpy as np
import pytest

from dalembert.view.style import envelope, house_style, new_figure, scientific, write


def test_envelope_keeps_ends_and_extremes():
    rng = np.random.default_rng(1)
    x = np.linspace(0.0, 1.0, 100_003)
    y = rng.normal(size=x.size)
    thin_x, thin_y = envelope(x, y, points=1000)
    assert len(thin_x) <= 1300
    assert np.all(np.diff(thin_x) > 0)
    assert (thin_x[0], thin_x[-1]) == (x[0], x[-1])
    assert (thin_y.min(), thin_y.max()) == (y.min(), y.max())
    # every stretch keeps its own extremes: the largest value right of the middle is still there
    assert thin_y[thin_x > 0.5].max() == y[x > 0.5].max()


def test_short_curves_are_left_alone():
    x = np.arange(50.0)
    thin_x, thin_y = envelope(x, x**2)
    np.testing.assert_array_equal(thin_x, x)
    np.testing.assert_array_equal(thin_y, x**2)


@pytest.mark.parametrize(
    ("value", "signed", "text"),
    [
        (3.94e-15, False, "3.9×10⁻¹⁵"),
        (3.94e-15, True, "+3.9×10⁻¹⁵"),
        (-7.9e-5, True, "−7.9×10⁻⁵"),
        (12.34, False, "12"),
        (-1.39, True, "−1.4"),
        (123.4, False, "1.2×10²"),
        (0.0, True, "0"),
    ],
)
def test_numbers_as_in_print(value: float, signed: bool, text: str):
    assert scientific(value, signed=signed) == text


def test_style_is_left_as_it_was():
    matplotlib = pytest.importorskip("matplotlib")
    before = dict(matplotlib.rcParams)
    with house_style():
        assert matplotlib.rcParams["axes.spines.top"] is False
    assert dict(matplotlib.rcParams) == before


def test_same_picture_same_bytes(tmp_path):
    pytest.importorskip("matplotlib")
    for name in ("a.svg", "deep/folder/b.svg"):
        with house_style():
            figure = new_figure(2.0, 2.0)
            figure.subplots().plot([0.0, 1.0], [0.0, 1.0])
        write(figure, tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "deep/folder/b.svg").read_bytes()
