"""The studies' machinery, and those studies that need no long run."""

from __future__ import annotations

from html import escape
from math import inf, nan

import numpy as np
import pytest

from dalembert.errors import DalembertError
from dalembert.studies import STUDIES, Claim, reproduce, run_study, study_name
from dalembert.studies.measure import best_time, exponent, linear_slope, worst_ratio
from dalembert.studies.report import number

QUICK = (
    "newton-convergence",
    "damping",
    "double-four-bar",
    "drift",
    "energy",
    "scaled-pendulum",
    "minimal-energy",
    "root-convergence",
    "exoskeleton",
    "walking",
    "minitaur-walking",
    "cube-drop",
    "contact-graph",
)
"""Studies whose claims are about errors: they hold on any machine, in seconds."""

MEASURED_BY_TIME = (
    "newton-step",
    "graphs",
    "chain-time",
    "loop-time",
    "segment-time",
    "sphere-chain",
    "tolerance-time",
    "root-time",
    "accuracy",
)
"""Studies whose claims are about times: `dalembert reproduce` judges them, a busy test machine cannot."""


def test_every_study_is_listed_once() -> None:
    assert sorted(QUICK + MEASURED_BY_TIME) == sorted(STUDIES)
    figures = [figure for names in STUDIES.values() for figure in names]
    assert len(figures) == len(set(figures))


@pytest.mark.parametrize("name", QUICK)
def test_claims_about_errors_hold(name: str) -> None:
    report = run_study(name, fast=True)
    assert report.claims
    assert [f"{claim.text}: {claim.value}, bound {claim.bound}" for claim in report.claims if not claim.holds] == []


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        (Claim("", 1.0, high=1.0), True),
        (Claim("", 1.0 + 1e-12, high=1.0), False),
        (Claim("", -5.0, high=1.0), True),
        (Claim("", -5.0, low=0.0, high=1.0), False),
        (Claim("", nan, high=1.0), False),
        (Claim("", inf, low=1.0), False),
    ],
)
def test_claim_holds_between_its_bounds(claim: Claim, holds: bool) -> None:
    assert claim.holds is holds


def test_claim_in_words() -> None:
    assert Claim("", 1.5e-12, high=1e-10, unit="m").value == "1.50e-12 m"
    assert Claim("", 0.0, high=1e-10, unit="m").bound == "≤ 1.00e-10 m"
    assert Claim("", 0.0, low=2.0).bound == "≥ 2"
    assert Claim("", 0.0, low=0.9, high=1.1).bound == "0.9 … 1.1"
    assert [number(x) for x in (0.0, 12345.6, 0.0012345, -2.0, inf)] == ["0", "12346", "0.00123", "-2", "inf"]


def test_study_by_figure() -> None:
    assert study_name("2023-7b") == "energy"
    assert study_name("drift") == "drift"
    with pytest.raises(DalembertError, match="did you mean drift"):
        study_name("drif")


def test_fits() -> None:
    x = np.array([1.0, 2.0, 4.0, 8.0])
    assert abs(exponent(x, 3.0 * x**2.5) - 2.5) < 1e-14
    assert abs(linear_slope(x, 7.0 - 2.0 * x) + 2.0) < 1e-14
    assert worst_ratio([4.0, 9.0], [2.0, 3.0]) == 2.0
    assert 0.0 <= best_time(lambda: None, 3) < 1.0


def test_reproduce_writes_a_page(tmp_path) -> None:
    """Figures, and every claim in the table, under the study's name whichever name was asked for."""
    seen = []
    reports = reproduce(["2023-7c", "damping"], tmp_path / "new", fast=True, each=seen.append)
    assert [report.name for report in reports] == ["damping"]
    assert seen == reports
    page = (tmp_path / "new" / "index.html").read_text(encoding="utf-8")
    assert (tmp_path / "new" / "damping.png").stat().st_size > 10_000
    assert (tmp_path / "new" / "damping.svg").read_text(encoding="utf-8").lstrip().startswith("<?xml")
    assert "damping.png" in page
    for claim in reports[0].claims:
        assert escape(claim.text) in page
    assert page.count("class='holds'") + page.count("class='fails'") == len(reports[0].claims)
