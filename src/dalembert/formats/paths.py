"""Which files a model file may reach: those in its own folder and below, and in the search paths that were given."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

PACKAGE: Final = "package://"
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


class ForbiddenPathError(Exception):
    """A reference that leads, or could lead, out of the folders that may be read; ``args`` are expected and found."""


@dataclass(frozen=True)
class Reach:
    """The folders that a file may read from."""

    own: Path
    """The folder of the file."""
    search_paths: tuple[Path, ...] = ()

    @classmethod
    def of(cls, file: Path, search_paths: Sequence[str | Path] = ()) -> Reach:
        """What the file at ``file`` may reach."""
        return cls(file.resolve().parent, tuple(Path(path).resolve() for path in search_paths))

    def check(self, reference: str) -> None:
        """Refuse a reference that cannot be inside, without looking at any file. Raises `ForbiddenPathError`."""
        self._relative(reference)

    def find(self, reference: str) -> Path | None:
        """The file that is meant, None if there is none.

        ``package://name/rest`` is looked for as ``name/rest`` in each search path, and as ``rest`` in a search path
        whose folder is called ``name``; anything else relative to the file's own folder, then to the search paths.
        Links are followed to the end, and the end has to lie inside.
        """
        relative = self._relative(reference)
        packaged = reference.startswith(PACKAGE)
        roots = self.search_paths if packaged else (self.own, *self.search_paths)
        for root in roots:
            candidates = [root / relative]
            if packaged and root.name == relative.parts[0]:
                candidates.append(root.joinpath(*relative.parts[1:]))
            for candidate in candidates:
                found = self._inside(candidate)
                if found is not None:
                    return found
        return None

    def _relative(self, reference: str) -> PurePosixPath:
        rest = reference.removeprefix(PACKAGE)
        expected = "a path inside the folder of the file or a search path"
        if not rest.strip() or "\x00" in rest:
            raise ForbiddenPathError(expected, f'"{reference}"')
        if _SCHEME.match(rest):
            raise ForbiddenPathError(
                f"{expected}, or package://", f'"{reference[:200]}", which is another kind of address'
            )
        if "\\" in rest:
            raise ForbiddenPathError(f"{expected}, with / between folders", f'"{reference[:200]}"')
        path = PurePosixPath(rest)
        if path.is_absolute():
            raise ForbiddenPathError(expected, f'the absolute path "{reference[:200]}"')
        if ".." in path.parts:
            raise ForbiddenPathError(f'{expected}, without ".."', f'"{reference[:200]}"')
        return path

    def _inside(self, candidate: Path) -> Path | None:
        try:
            found = candidate.resolve()
            if not found.is_file():
                return None
        except (OSError, RuntimeError):
            # names that are too long, links in a circle
            return None
        if any(found.is_relative_to(root) for root in (self.own, *self.search_paths)):
            return found
        return None
