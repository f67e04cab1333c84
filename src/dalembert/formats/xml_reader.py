"""Strict reading of an element: what is asked for is checked, and what nobody asked for is a fault.

A reader asks an element for its attributes and children and at the end calls `Reader.done`, which refuses all that is
left. So the reader of a format is at the same time its schema. What a dialect adds and we do not use is passed over by
`Reader.pass_over`, which leaves a note.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import isfinite
from typing import Final

from dalembert.errors import ModelFileError
from dalembert.formats.xml_source import Element
from dalembert.model.checks import Findings, shown, suggestion

MAX_FAULTS: Final = 200
"""A file with more faults than this is another kind of file; reading stops."""

_NUMBER: Final = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")


@dataclass(frozen=True)
class Note:
    """Something in a file that has no counterpart in the model, or was taken in a way worth knowing."""

    place: str
    """``file:line``."""
    text: str

    def __str__(self) -> str:
        return f"{self.place}: note: {self.text}"


@dataclass
class Remarks:
    """What is said about a file: faults that refuse it, and notes."""

    faults: Findings = field(default_factory=Findings)
    notes: list[Note] = field(default_factory=list)

    def fault(self, place: str, item: str, expected: str, found: str, remedy: str = "") -> None:
        """Note a fault as ``file:line: error: item: expected …, found …``."""
        self.faults.add(f"{place}: error: {item}" if item else f"{place}: error", expected, found, remedy)
        if len(self.faults.lines) >= MAX_FAULTS:
            self.raise_if_any()

    def note(self, place: str, text: str) -> None:
        """Note something that does not refuse the file."""
        self.notes.append(Note(place, text))

    def raise_if_any(self) -> None:
        """Raise a `ModelFileError` with all the faults, if there are any."""
        if self.faults.lines:
            raise ModelFileError(*self.faults.lines)


class Reader:
    """Reads one element. ``item`` is what messages call it, such as ``link "foot"``."""

    def __init__(self, element: Element, item: str, remarks: Remarks) -> None:
        self.element, self.item, self.remarks = element, item, remarks
        self._asked: set[str] = set()
        self._asked_children: set[str] = set()

    def fault(self, what: str, expected: str, found: str, remedy: str = "", attribute: str | None = None) -> None:
        """A fault of this element or of one of its attributes."""
        item = f"{self.item}, {what}" if what else self.item
        self.remarks.fault(self.element.place(attribute), item, expected, found, remedy)

    def note(self, text: str, attribute: str | None = None) -> None:
        """A note about this element or one of its attributes."""
        self.remarks.note(self.element.place(attribute), f"{self.item}, {text}")

    def has(self, attribute: str) -> bool:
        """Whether the attribute is there; to ask is to know it."""
        self._asked.add(attribute)
        return attribute in self.element.attributes

    def text(self, attribute: str, default: str | None = None) -> str:
        """The text of an attribute; one without a default must be there and not be empty."""
        self._asked.add(attribute)
        found = self.element.attributes.get(attribute)
        if found is None:
            if default is None:
                self.fault("", f'an attribute "{attribute}"', "none")
            return default or ""
        if default is None and not found.strip():
            self.fault(attribute, "a text that is not empty", shown(found), attribute=attribute)
        return found

    def number(self, attribute: str, unit: str, default: float | None = None, *, least: float | None = None) -> float:
        """A finite number, at least ``least``."""
        values = self.numbers(attribute, 1, unit, None if default is None else (default,))
        if least is not None and values[0] < least and self.has(attribute):
            wanted = "nothing negative" if least == 0.0 else f"at least {least:g}"
            self.fault(attribute, f"{wanted} ({unit})", shown(self.element.attributes[attribute]), attribute=attribute)
        return values[0]

    def numbers(
        self, attribute: str, count: int, unit: str, default: tuple[float, ...] | None = None
    ) -> tuple[float, ...]:
        """``count`` finite numbers with spaces between them."""
        self._asked.add(attribute)
        text = self.element.attributes.get(attribute)
        if text is None:
            if default is None:
                self.fault("", f'an attribute "{attribute}"', "none")
            return default if default is not None else (0.0,) * count
        words = text.split()
        values = [float(word) for word in words if _NUMBER.fullmatch(word)]
        if len(words) == count and len(values) == count and all(isfinite(value) for value in values):
            return tuple(values)
        expected = f"a number ({unit})" if count == 1 else f"{count} numbers with spaces between them ({unit})"
        self.fault(attribute, expected, shown(text), attribute=attribute)
        return default if default is not None else (0.0,) * count

    def child(self, tag: str, item: str | None = None) -> Reader | None:
        """The only child of that tag, if there is one."""
        found = self.children(tag, item)
        if len(found) > 1:
            found[1].fault("", f"one <{tag}>", "another one", f"the first is on line {found[0].element.line}")
        return found[0] if found else None

    def required_child(self, tag: str) -> Reader | None:
        """The only child of that tag; a fault if there is none."""
        child = self.child(tag)
        if child is None:
            self.fault("", f"a <{tag}>", "none")
        return child

    def children(self, tag: str, item: str | None = None) -> list[Reader]:
        """All children of that tag, in their order."""
        self._asked_children.add(tag)
        name = f"{self.item}, {tag}" if item is None else item
        return [Reader(child, name, self.remarks) for child in self.element.children if child.tag == tag]

    def pass_over(self, why: str, *, attributes: Iterable[str] = (), children: Iterable[str] = ()) -> list[Element]:
        """Leave out what a dialect added, with a note for each; returns the elements."""
        passed = []
        for name in attributes:
            self._asked.add(name)
            if self.has(name):
                self.note(f"{name}: not mapped ({why})", attribute=name)
        wanted = set(children)
        self._asked_children |= wanted
        for child in self.element.children:
            if child.tag in wanted:
                passed.append(child)
                self.remarks.note(child.place(), f"{self.item}, <{child.tag}>: not mapped ({why})")
        return passed

    def done(self) -> None:
        """Refuse all that was not asked for."""
        for name, value in self.element.attributes.items():
            if name not in self._asked:
                self.fault(
                    "",
                    "known attributes",
                    f'{name}="{value[:60]}"',
                    suggestion(name, sorted(self._asked)),
                    attribute=name,
                )
        for child in self.element.children:
            if child.tag not in self._asked_children:
                remedy = suggestion(child.tag, sorted(self._asked_children))
                if child.tag.startswith("xacro:"):
                    remedy = "this is a xacro file: let xacro write the URDF first"
                self.remarks.fault(
                    child.place(), self.item, f"known elements in <{self.element.tag}>", f"<{child.tag}>", remedy
                )
        if self.element.text.strip():
            self.fault("", "no text between the tags", shown(self.element.text.strip()))
