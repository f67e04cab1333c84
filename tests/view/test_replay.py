"""The HTML replay: complete in itself, and moving in a real browser."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from view.chromium import needs_chromium, page

import dalembert as da
from dalembert import zoo
from dalembert.view import replay


@pytest.fixture(scope="module")
def run() -> da.Trajectory:
    entry = zoo.ZOO["flyball_governor"]
    model = entry.build()
    return da.simulate(model, entry.start(model), duration=2.0, dt=0.01, integrator=da.MaximalVI())


def test_the_file_needs_nothing_else(run: da.Trajectory, tmp_path: Path) -> None:
    """No address, no other file; a title that looks like markup stays text."""
    path = run.export_html(tmp_path / "new" / "replay.html", title="</script><b>governor</b>")
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"(src|href)\s*=|https?:|import\s*\(|fetch\s*\(", text)
    assert "<b>governor" not in text
    assert text.count("</script>") == 2
    assert path.stat().st_size < 300_000


def test_long_runs_are_thinned(run: da.Trajectory) -> None:
    assert len(replay.page(run, "thin", instants=20)) < len(replay.page(run, "full"))


@needs_chromium
def test_it_moves_in_a_browser(run: da.Trajectory, tmp_path: Path) -> None:
    """Pixels of the mechanism's colours are there, they move with time, and the controls do what they say."""
    path = run.export_html(tmp_path / "replay.html", title="governor")
    with page(tmp_path / "profile") as browser:
        browser.open(path.as_uri())
        browser.until("at('clock') && at('clock').textContent == 't = 0.00 s'")
        first = browser.picture()
        drawn = np.abs(first - first[-120, 10]).max(axis=2) > 60
        assert 500 < drawn[200:550].sum() < 0.5 * drawn.size
        browser.press("ArrowRight", "ArrowRight")
        browser.until("at('clock').textContent == 't = 0.01 s'")
        browser.script("slider.value = 60; slider.oninput(); 0")
        assert browser.script("at('clock').textContent") == "t = 0.60 s"
        later = browser.picture()
        assert (np.abs(later - first).max(axis=2) > 60)[200:550].sum() > 200
        browser.script("at('play').click(); 0")
        browser.until("now > 60 && playing")
        browser.until("now == last && !playing")
        # the pose that the page decodes is the recorded one, to sixteen bits of the space of the motion
        shown = np.array(browser.script("pose(60, 1)[0]"))
        span = np.ptp(run.position, axis=(0, 1)).max()
        np.testing.assert_allclose(shown, run.position[60, 1], rtol=0, atol=span / 65000)
        assert browser.faults == []


def test_notebooks_get_the_replay_and_tables(run: da.Trajectory) -> None:
    assert run._repr_html_().startswith("<iframe srcdoc=")
    tables = run.model._repr_html_()
    assert all(f"<td>{name}</td>" in tables for name in (*run.model.bodies, *run.model.joints))
