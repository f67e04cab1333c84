"""XML that strangers wrote, as a plain tree: nothing outside the file is reached, and its size and depth are bounded.

The parser of the standard library hands over one tag after the other, so a limit stops it at the tag that breaks it. A
document type is refused where it begins: without one there are no entities to expand and nothing to fetch. Every
element remembers where its tag stands, so that each attribute can be traced to its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NoReturn
from xml.parsers import expat

from dalembert.errors import ModelFileError

MAX_BYTES: Final = 32 * 2**20
MAX_DEPTH: Final = 64
MAX_ELEMENTS: Final = 50_000
MAX_ATTRIBUTES: Final = 64
"""Of one element."""
MAX_VALUE: Final = 65_536
"""Characters of one attribute."""

_ENCODINGS: Final = ("utf-8", "us-ascii", "ascii", "iso-8859-1", "latin-1")
_ATTRIBUTE: Final = re.compile(rb"""\s+([^\s=<>"'/]+)\s*=\s*("[^"]*"|'[^']*')""")
_TAG: Final = re.compile(rb"<[^\s/>]+")


@dataclass(eq=False)
class Element:
    """One element of a file."""

    tag: str
    attributes: dict[str, str]
    line: int
    source: Source = field(repr=False)
    start: int = field(repr=False)
    """Where its tag begins in ``source.data``."""
    end: int = field(default=0, repr=False)
    """Where its closing tag begins."""
    children: list[Element] = field(default_factory=list, repr=False)
    text: str = field(default="", repr=False)

    def place(self, attribute: str | None = None) -> str:
        """``file:line`` of the element or of one of its attributes."""
        return f"{self.source.name}:{self.line if attribute is None else self.line_of(attribute)}"

    @property
    def outer_text(self) -> str:
        """The element as it stands in the file."""
        data, last = self.source.data, self.end
        if not data.startswith(b"</", last):
            # an element without content ends where its tag does
            last = self.start
            for _, end in self._attributes():
                last = end
        return data[self.start : data.find(b">", last) + 1].decode(errors="replace")

    def line_of(self, attribute: str) -> int:
        """The line on which the attribute stands; that of the element if it has no such attribute."""
        for found, _ in self._attributes():
            if found.group(1).decode(errors="replace") == attribute:
                return self.line + self.source.data.count(b"\n", self.start, found.start(1))
        return self.line

    def _attributes(self) -> Iterator[tuple[re.Match[bytes], int]]:
        """Its attributes as they stand in the file, each with where it ends."""
        data = self.source.data
        tag = _TAG.match(data, self.start)
        end = tag.end() if tag else self.start
        while found := _ATTRIBUTE.match(data, end):
            end = found.end()
            yield found, end


@dataclass(eq=False)
class Source:
    """A file as it was read."""

    name: str
    """What messages call it."""
    data: bytes = field(repr=False)


def read_bytes(path: Path, most: int = MAX_BYTES) -> bytes:
    """The content of an ordinary file of bounded size."""
    if not path.exists():
        raise ModelFileError(f"{path}:1: error: expected a file, found nothing of this name")
    if not path.is_file():
        raise ModelFileError(f"{path}:1: error: expected a file, found something else (a folder or a device)")
    size = path.stat().st_size
    if size > most:
        raise ModelFileError(f"{path}:1: error: expected at most {most} bytes, found {size}")
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise ModelFileError(f"{path}:1: error: expected at most {most} bytes, found more")
    return data


def parse_xml(data: bytes, name: str) -> Element:
    """The root element of a document; ``name`` is what messages call the file."""
    return _Parse(data, name).root()


class _Parse:
    """One run of the parser."""

    def __init__(self, data: bytes, name: str) -> None:
        self._name, self._data = name, data
        self._count = 0
        self._open: list[Element] = []
        self._root: Element | None = None
        if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            self._refuse(1, "text in UTF-8", "UTF-16")
        if data[:3] == b"\xef\xbb\xbf":
            # the mark of UTF-8 is not a part of the text
            self._data = data[3:]
        self._source = Source(name, self._data)
        parser = self._parser = expat.ParserCreate()
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        parser.XmlDeclHandler = self._declaration
        parser.StartDoctypeDeclHandler = self._document_type
        parser.EntityDeclHandler = self._document_type
        parser.ExternalEntityRefHandler = self._document_type
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.buffer_text = True

    def root(self) -> Element:
        try:
            self._parser.Parse(self._data, True)
        except expat.ExpatError as error:
            self._refuse(error.lineno, "well-formed XML", expat.ErrorString(error.code) or "something else")
        assert self._root is not None
        return self._root

    def _refuse(self, line: int, expected: str, found: str) -> NoReturn:
        raise ModelFileError(f"{self._name}:{line}: error: expected {expected}, found {found}")

    def _declaration(self, version: str, encoding: str | None, standalone: int) -> None:
        if encoding is not None and encoding.lower() not in _ENCODINGS:
            self._refuse(1, "text in UTF-8", f'the encoding "{encoding}"')

    def _document_type(self, *declared: Any) -> NoReturn:
        self._refuse(
            self._parser.CurrentLineNumber, "a document without a DOCTYPE or entities", "a document type declaration"
        )

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        line = self._parser.CurrentLineNumber
        self._count += 1
        if self._count > MAX_ELEMENTS:
            self._refuse(line, f"at most {MAX_ELEMENTS} elements", "more")
        if len(self._open) >= MAX_DEPTH:
            self._refuse(line, f"elements nested at most {MAX_DEPTH} deep", "deeper ones")
        if len(attributes) > MAX_ATTRIBUTES:
            self._refuse(line, f"at most {MAX_ATTRIBUTES} attributes", f"{len(attributes)}")
        for name, value in attributes.items():
            if len(value) > MAX_VALUE or len(name) > MAX_VALUE:
                self._refuse(line, f"attributes of at most {MAX_VALUE} characters", f"one of {len(value)}")
        element = Element(tag, attributes, line, self._source, self._parser.CurrentByteIndex)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self._root = element
        self._open.append(element)

    def _end(self, tag: str) -> None:
        self._open.pop().end = self._parser.CurrentByteIndex

    def _characters(self, text: str) -> None:
        element = self._open[-1]
        if len(element.text) + len(text) <= MAX_VALUE:
            element.text += text
        elif text.strip():
            self._refuse(self._parser.CurrentLineNumber, f"text of at most {MAX_VALUE} characters", "more")
