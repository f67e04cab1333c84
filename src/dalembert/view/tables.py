"""A model as two small tables, for notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dalembert.model.model import Model


def model_tables(model: Model) -> str:
    """HTML of the bodies with their masses and of the joints with what they connect."""
    bodies = ((body.name, f"{body.mass:.4g}") for body in model.bodies.values())
    joints = (
        (joint.name, joint.kind.name, joint.parent, joint.child, "" if joint.in_tree else "closes a loop")
        for joint in model.joints.values()
    )
    return _table(("body", "mass (kg)"), bodies) + _table(("joint", "kind", "parent", "child", ""), joints)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [f"<tr>{_cells('th', head)}</tr>", *(f"<tr>{_cells('td', row)}</tr>" for row in rows)]
    return f"<table>{''.join(lines)}</table>"


def _cells(tag: str, texts: Sequence[str]) -> str:
    return "".join(f"<{tag}>{escape(text)}</{tag}>" for text in texts)
