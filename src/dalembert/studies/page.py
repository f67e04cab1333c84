"""One HTML page with every figure and a table of the claims."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

from dalembert.studies.report import Claim, Report

_STYLE = """
:root { color-scheme: light dark; --line: #8884; --good: #1a7f37; --bad: #c62828; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin: 3rem 0 0.2rem; }
p.source { margin: 0; opacity: 0.7; }
img { width: 100%; background: white; border-radius: 6px; }
table { border-collapse: collapse; width: 100%; margin: 0.6rem 0; }
th, td { text-align: left; padding: 0.3rem 0.6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
td.number { white-space: nowrap; font-variant-numeric: tabular-nums; }
.holds { color: var(--good); } .fails { color: var(--bad); font-weight: 600; }
"""


def write_page(reports: Sequence[Report], figures: Sequence[str], path: Path, fast: bool) -> None:
    """Write the page; ``figures`` are the pictures' file names, relative to it."""
    claims = [claim for report in reports for claim in report.claims]
    held = sum(claim.holds for claim in claims)
    mode = "Short runs (fast mode)." if fast else "Full-length runs."
    parts = [
        "<!doctype html><html lang='en'><head><meta charset='utf-8'>",
        "<meta name='viewport' content='width=device-width, initial-scale=1'>",
        f"<title>dalembert: studies</title><style>{_STYLE}</style></head><body>",
        "<h1>The papers' figures and claims, measured again</h1>",
        f"<p>{held} of {len(claims)} claims hold. {mode} Times depend on the machine; errors do not.</p>",
        _summary(reports),
    ]
    parts += [_section(report, figure) for report, figure in zip(reports, figures, strict=True)]
    parts.append("</body></html>\n")
    path.write_text("\n".join(parts), encoding="utf-8")


def _summary(reports: Sequence[Report]) -> str:
    rows = [
        f"<tr><td><a href='#{report.name}'>{report.name}</a></td><td>{escape(claim.text)}</td>"
        f"<td class='number'>{escape(claim.value)}</td><td class='number'>{escape(claim.bound)}</td>"
        f"{_verdict(claim)}</tr>"
        for report in reports
        for claim in report.claims
    ]
    head = "<tr><th>study</th><th>claim</th><th>measured</th><th>bound</th><th></th></tr>"
    return f"<table>{head}{''.join(rows)}</table>"


def _section(report: Report, figure: str) -> str:
    return (
        f"<h2 id='{report.name}'>{escape(report.title)}</h2>"
        f"<p class='source'>{escape(report.source)} · <code>dalembert reproduce {report.name}</code> · "
        f"{report.seconds:.1f} s</p><p>{escape(report.setting)}</p><img src='{figure}' alt='{escape(report.title)}'>"
    )


def _verdict(claim: Claim) -> str:
    return "<td class='holds'>holds</td>" if claim.holds else "<td class='fails'>does not hold</td>"
