"""Looks at an MJCF file before MuJoCo does: MuJoCo opens what a file names, so nothing outside may be named."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from dalembert.formats.paths import ForbiddenPathError, Reach
from dalembert.formats.xml_reader import Remarks
from dalembert.formats.xml_source import Element, parse_xml, read_bytes

MAX_FILES: Final = 200
"""An include may include; this many files are enough."""
FOLDERS: Final = ("meshdir", "texturedir", "assetdir")
FILES: Final = ("file", "fileright", "fileleft", "fileup", "filedown", "filefront", "fileback")


class Places:
    """Where named elements stand: compiled models know names only."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._found: dict[tuple[str, str], str] = {}

    def add(self, root: Element) -> None:
        """Remember all named elements of a file."""
        for element in walk(root):
            name = element.attributes.get("name")
            if name is not None:
                self._found.setdefault((element.tag, name), element.place())

    def of(self, name: str, *tags: str) -> str:
        """``file:line`` of the first element of that name with one of the tags; the file where it is not known."""
        for tag in tags:
            if (tag, name) in self._found:
                return self._found[tag, name]
        return f"{self._path}:1"


def look_through(path: Path, reach: Reach, remarks: Remarks) -> Places:
    """Check every reference of a file and of what it includes. Faults are left in ``remarks``."""
    places = Places(path)
    waiting, seen = [path], {path.resolve()}
    for file in waiting:
        root = parse_xml(read_bytes(file), str(file))
        if file is path and root.tag != "mujoco":
            remarks.fault(root.place(), "", "a <mujoco>", f"<{root.tag[:60]}>", "is this an MJCF file?")
            return places
        places.add(root)
        for element in walk(root):
            _check(element, reach, remarks)
            name = element.attributes.get("file", "")
            if element.tag != "include" or remarks.faults.lines:
                continue
            found = _included(name, file, reach)
            if found is None:
                remarks.fault(element.place("file"), "include", "a file", f'nothing of the name "{name[:200]}"')
            elif found not in seen:
                seen.add(found)
                waiting.append(found)
                if len(waiting) > MAX_FILES:
                    remarks.fault(element.place(), "include", f"at most {MAX_FILES} files", "more")
                    return places
    return places


def walk(root: Element) -> Iterator[Element]:
    """An element and all below it."""
    waiting = [root]
    while waiting:
        element = waiting.pop()
        yield element
        waiting.extend(reversed(element.children))


def _included(name: str, file: Path, reach: Reach) -> Path | None:
    """An included file, beside the main file or beside the one that includes it."""
    found = reach.find(name)
    if found is not None:
        return found
    beside = Reach(file.resolve().parent).find(name)
    return beside if beside is not None and beside.is_relative_to(reach.own) else None


def _check(element: Element, reach: Reach, remarks: Remarks) -> None:
    for attribute in (*FILES, *(FOLDERS if element.tag == "compiler" else ())):
        reference = element.attributes.get(attribute, "")
        if not reference:
            continue
        try:
            reach.check(reference)
        except ForbiddenPathError as problem:
            expected, found = problem.args
            remarks.fault(element.place(attribute), f"<{element.tag}>, {attribute}", expected, found)
