"""The figures and claims of the papers as programs that measure them again.

A study is a module with ``run(fast) -> Report``; `STUDIES` names them, `reproduce` runs them and writes the page.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from time import perf_counter

from dalembert.errors import DalembertError
from dalembert.studies.report import Claim, Report

STUDIES: dict[str, tuple[str, ...]] = {
    "energy": ("2020-4a", "2023-7b"),
    "drift": ("2020-4b", "2023-7a"),
    "newton-step": ("2020-4c",),
    "newton-convergence": ("2020-4d",),
    "chain-time": ("2020-5a", "2023-8a"),
    "loop-time": ("2020-5b",),
    "segment-time": ("2020-6", "2023-9a"),
    "tolerance-time": ("2020-8", "2023-10"),
    "damping": ("2023-7c",),
    "cube-drop": ("2023-7d",),
    "sphere-chain": ("2023-8b",),
    "contact-graph": ("2023-4",),
    "graphs": ("2023-9b", "2023-9c", "2023-9d"),
    "scaled-pendulum": ("2023-11",),
    "double-four-bar": ("2023-12",),
    "walking": ("2023-13",),
    "minitaur-walking": (),
    "exoskeleton": ("2023-14",),
    "minimal-energy": ("2016-2b",),
    "root-time": ("2016-3",),
    "root-convergence": ("2016-4a", "2016-4b"),
    "accuracy": (),
}
"""Name of the study → the figures it reproduces: year of the paper and number of the figure."""

__all__ = ["STUDIES", "Claim", "Report", "reproduce", "run_study", "study_name"]


def study_name(name: str) -> str:
    """The study that is called ``name`` or reproduces the figure of that name."""
    if name in STUDIES:
        return name
    for study, figures in STUDIES.items():
        if name in figures:
            return study
    known = [*STUDIES, *(figure for figures in STUDIES.values() for figure in figures)]
    close = get_close_matches(name, known, n=3)
    hint = "did you mean " + " or ".join(close) + "?" if close else "known: " + ", ".join(STUDIES)
    raise DalembertError(f'study "{name}": expected the name of a study or a figure; {hint}')


def run_study(name: str, fast: bool = False) -> Report:
    """Run one study. ``fast`` shortens the runs to seconds; the claims stay the same."""
    study = study_name(name)
    module = import_module(f"dalembert.studies.{study.replace('-', '_')}")
    begun = perf_counter()
    report = module.run(fast)
    return replace(report, name=study, seconds=perf_counter() - begun)


def reproduce(
    names: Sequence[str],
    out: str | Path,
    fast: bool = False,
    each: Callable[[Report], None] | None = None,
) -> list[Report]:
    """Run studies (``["all"]`` for every one) and write their figures and ``index.html`` into the folder ``out``.

    ``each`` is called with every report as it is ready.
    """
    from dalembert.studies.page import write_page
    from dalembert.view.style import write

    chosen = list(STUDIES) if list(names) == ["all"] else list(dict.fromkeys(map(study_name, names)))
    folder = Path(out)
    reports, figures = [], []
    for name in chosen:
        report = run_study(name, fast)
        figures.append(write(report.figure, folder / f"{name}.png").name)
        write(report.figure, folder / f"{name}.svg")
        reports.append(report)
        if each is not None:
            each(report)
    folder.mkdir(parents=True, exist_ok=True)
    write_page(reports, figures, folder / "index.html", fast)
    return reports
