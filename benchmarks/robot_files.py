"""Every robot file of four packages: what loads, what is refused and why, and the differences from other engines.

    python benchmarks/robot_files.py [--folder pybullet=PATH ...] [--write docs/robot-files.md]

The packages are pybullet (its ``pybullet_data``), example-robot-data, dm_control and roboschool, whose source has an
Atlas. Each is looked for among the installed ones; ``--folder`` says where one has been unpacked. Mass matrix,
gravity and bias forces are compared with Pinocchio's for URDF and with MuJoCo's for MJCF at three random
configurations, each difference over the largest entry.
"""

from __future__ import annotations

import argparse
import site
import sys
from pathlib import Path

from dalembert.studies.robot_files import Outcome, look_through, markdown

PACKAGES = {
    "pybullet": ("pybullet_data", "*.urdf"),
    "example-robot-data": ("cmeel.prefix/share/example-robot-data/robots", "*.urdf"),
    "roboschool": ("roboschool", "*.urdf"),
    "dm_control": ("dm_control/suite", "*.xml"),
}
"""Package → folder inside the place where it is installed, and which files."""
OBJECTS = "random_urdfs"
"""The folder of pybullet with a thousand objects that were generated."""
HEAD = """# Robot files

Every URDF file of `pybullet` 3.2.7, `example-robot-data` 6.0.0 and `roboschool` 1.0.34 and every MJCF file of the suite
of `dm_control` 1.0.50, as this version reads them; `python benchmarks/robot_files.py` makes the tables again.
Differences are those of the mass matrix, of gravity and of the bias forces at random configurations from Pinocchio's
(URDF) or MuJoCo's (MJCF), over the largest entry. "Repaired" says whether a refused file loads with
`repair_inertia=True`, "Pinocchio" whether that reads the tree of a refused file all the same. What is noted and what is
refused is said in [](robots.md).
"""


def main() -> None:
    """Print the tables, or write them as a page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", action="append", default=[], metavar="PACKAGE=PATH")
    parser.add_argument("--write", type=Path)
    options = parser.parse_args()
    given = dict(entry.split("=", 1) for entry in options.folder)
    parts = [HEAD]
    for package, (inside, pattern) in PACKAGES.items():
        folder = found(package, inside, given)
        if folder is None:
            print(f"{package}: not installed, left out", file=sys.stderr)
            continue
        files = sorted(path for path in folder.rglob(pattern) if path.parent == folder or pattern == "*.urdf")
        search_paths = [folder, *folder.parents[1:2]]
        objects = [path for path in files if OBJECTS in path.parts]
        outcomes = look_through([path for path in files if path not in set(objects)], folder, search_paths)
        parts.append(markdown(outcomes, package))
        if objects:
            parts.append(summary(look_through(objects, folder, search_paths)))
    text = "\n".join(parts)
    if options.write is None:
        print(text)
    else:
        options.write.write_text(text, encoding="utf-8")


def found(package: str, inside: str, given: dict[str, str]) -> Path | None:
    """Where the files of a package are: in the folder that was given or among the installed packages."""
    places = [Path(given[package])] if package in given else [Path(path) for path in site.getsitepackages()]
    return next((place / inside for place in places if (place / inside).is_dir()), None)


def summary(outcomes: list[Outcome]) -> str:
    """Generated objects: how many load, and the reasons why not with the number of files for each."""
    loaded, repaired = sum(o.loads for o in outcomes), sum(o.repairs for o in outcomes)
    reasons: dict[str, int] = {}
    for o in outcomes:
        if not o.loads:
            reason = o.reason.partition("inertia: ")[2].partition("; ")[0] or o.reason
            reasons[reason] = reasons.get(reason, 0) + 1
    lines = [f"`{OBJECTS}`: {loaded} of {len(outcomes)} objects load, {repaired} of the others do when repaired."]
    lines += [f"- {count} times: {reason}" for reason, count in sorted(reasons.items())]
    return "\n".join([lines[0], "", *lines[1:], ""])


if __name__ == "__main__":
    main()
