"""Names that users give: texts that are not empty, not taken by the library, and different from each other."""

from __future__ import annotations

from collections.abc import Sequence

from dalembert.model.checks import Findings, shown
from dalembert.model.declaration import FREE_PREFIX


def check_names(findings: Findings, noun: str, names: Sequence[str], reserved: str | None = None) -> None:
    """Note every name of a ``noun`` that cannot be one, is ``reserved``, or stands twice."""
    seen: set[str] = set()
    for name in names:
        if not isinstance(name, str) or not name:
            findings.add(f"{noun} name", "a text that is not empty", shown(name))
        elif name == reserved:
            findings.add(f'{noun} "{name}"', "a name other than that of the world", f'"{name}"')
        elif noun == "joint" and name.startswith(FREE_PREFIX):
            findings.add(f'{noun} "{name}"', f'a name that does not start with "{FREE_PREFIX}"', f'"{name}"')
        elif name in seen:
            findings.add(f'{noun} "{name}"', "different names", "two of this name", "rename one of them")
        else:
            seen.add(name)
