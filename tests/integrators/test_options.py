"""Options of integrators that cannot be: every one is refused by name when the integrator is made, of whatever type."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
import pytest

import dalembert as da
from dalembert.integrators import INTEGRATORS

NEVER_RIGHT = ("often", float("nan"), -1.0, [1], True)
"""A text that names no choice, no number, a negative one, a list, and a truth that Python takes for 1."""


def checked_options() -> list[tuple[Any, str]]:
    """Options whose default is a number or a text, of all integrators."""
    return [
        (kind, field.name)
        for kind in INTEGRATORS
        for field in fields(kind)
        if field.init and isinstance(field.default, int | float | str) and not isinstance(field.default, bool)
    ]


@pytest.mark.parametrize(("kind", "option"), checked_options(), ids=lambda item: getattr(item, "__name__", item))
@pytest.mark.parametrize("value", NEVER_RIGHT, ids=repr)
def test_a_wrong_option_is_named(kind: Any, option: str, value: object) -> None:
    with pytest.raises(da.ModelError, match=rf"^{kind.name}, {option}: expected .*, found "):
        kind(**{option: value})


def test_numbers_of_numpy_are_numbers() -> None:
    given: dict[str, Any] = {"tol": np.float32(1e-6), "max_iterations": np.int64(9)}
    assert da.MaximalVI(**given).max_iterations == 9


def test_the_ends_of_intervals_are_what_the_message_says() -> None:
    assert da.SemiImplicitEuler(loop_gain=1.0).loop_gain == 1.0
    with pytest.raises(da.ModelError, match=r"tol: expected a number from 1e-14 to 0\.01, found 0\.01"):
        da.MaximalVI(tol=1e-2)
    with pytest.raises(da.ModelError, match="stages: expected a whole number from 1 to"):
        da.GalerkinVI(stages=99)
