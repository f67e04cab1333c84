"""``dalembert integrators``: which methods there are, and how to name one on the command line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import TYPE_CHECKING

from dalembert.cli.source import InputError, check_names, read_settings

if TYPE_CHECKING:
    from dalembert.integrators.base import Integrator

FEATURES = (
    "loops",
    "contact",
    "limits",
    "friction",
    "bearings",
    "springs",
    "dampers",
    "armature",
    "actuators",
    "forces",
    "damped forces",
    "spring laws",
    "potentials",
    "custom constraints",
    "constraints",
    "inequalities",
    "joints along curves",
    "loops along curves",
    "changes of axes",
    "reactions",
)
"""What a model may ask of an integrator, in the order in which it is listed."""


def integrators() -> None:
    """List the integrators, their order, what each supports, and their options."""
    from dalembert.cli.output import console, print_table

    kinds = all_integrators()
    made = {name: kind() for name, kind in kinds.items()}
    print_table(
        "Integrators",
        ("name", "order", "coordinates", "what it is"),
        [(name, str(one.declared_order), one.coordinates, one.summary) for name, one in made.items()],
        numbers=("order",),
    )
    console.print()
    print_table(
        "What each supports",
        ("name", "supports"),
        [(name, ", ".join(feature for feature in FEATURES if feature in one.supports)) for name, one in made.items()],
    )
    console.print()
    rows = [(name, field.name, repr(field.default)) for name, kind in kinds.items() for field in fields(kind)]
    print_table("Options, --option name=value", ("integrator", "option", "default"), rows)


def all_integrators() -> dict[str, type[Integrator]]:
    """The integrators by name."""
    from dalembert.integrators import INTEGRATORS

    return {kind.name: kind for kind in INTEGRATORS}


def make_integrator(name: str, options: Sequence[str]) -> Integrator:
    """The integrator of that name, written in any case, with its options."""
    kinds = all_integrators()
    wanted = name.lower().replace("-", "").replace("_", "")
    for known, kind in kinds.items():
        if known.lower() == wanted:
            given = read_settings(options)
            check_names(given, [field.name for field in fields(kind)], known)
            return kind(**given)
    raise InputError(f"no integrator {name!r}; there are: {', '.join(kinds)}")
