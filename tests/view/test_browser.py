"""The browser view, in a real browser."""

from __future__ import annotations

import socket
import time
from pathlib import Path

import numpy as np
import pytest
from view.chromium import Page, needs_chromium, page

import dalembert as da
from dalembert import zoo
from dalembert.view.browser import HOST, view_model, view_run

pytest.importorskip("viser", reason="the extra 'view' is not installed")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return probe.getsockname()[1]


def coloured(browser: Page) -> int:
    """How many pixels left of the controls have a colour, once there are any: bodies, not floor or paper."""
    count = 0
    for _ in range(60):
        picture = browser.picture()[160:, :640]
        count = int((np.ptp(picture, axis=2) > 40).sum())
        if count > 500:
            break
        time.sleep(0.5)
    return count


def test_a_port_in_use_is_refused() -> None:
    with socket.socket() as other:
        other.bind((HOST, 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(da.DalembertError, match=f"port {port} .* in use; choose another"):
            view_model(zoo.pendulum(), port=port, open_browser=False, block=False)


@needs_chromium
def test_a_run_is_seen_with_its_controls(tmp_path: Path) -> None:
    entry = zoo.ZOO["four_bar_chain"]
    model = entry.build()
    run = da.simulate(model, entry.start(model), duration=1.0, dt=0.01, integrator=da.MaximalVI())
    server = view_run(run, port=free_port(), open_browser=False, block=False)
    try:
        with page(tmp_path / "profile") as browser:
            browser.open(f"http://{HOST}:{server.get_port()}")
            browser.until("document.body.innerText.includes('Play')", 60.0)
            words = browser.script("document.body.innerText")
            assert all(word in words for word in ("Time", "speed", "joint forces", "Energy (J)"))
            browser.until("document.querySelector('canvas') !== null")
            assert "contact forces" not in words
            assert coloured(browser) > 500
            assert browser.faults == []
    finally:
        server.stop()


@needs_chromium
def test_a_model_is_seen_with_a_slider_for_each_joint(tmp_path: Path) -> None:
    model = zoo.slider_crank()
    server = view_model(model, port=free_port(), open_browser=False, block=False)
    try:
        with page(tmp_path / "profile") as browser:
            browser.open(f"http://{HOST}:{server.get_port()}")
            browser.until("document.body.innerText.includes('Joints')", 60.0)
            words = browser.script("document.body.innerText")
            assert all(name in words for name, joint in model.joints.items() if joint.in_tree)
            assert coloured(browser) > 500
            assert browser.faults == []
    finally:
        server.stop()


def test_contact_forces_stand_where_the_ground_bears_the_mechanism() -> None:
    """Standing still: vertical, the weight in sum, each at its own foot."""
    from dalembert.view.force_arrows import contact_forces, joint_forces
    from dalembert.zoo.walker import STANDING, walker, walker_start

    model = walker()
    hold = {f"{leg}_{name}": at for leg in ("fr", "fl", "rr", "rl") for name, at in STANDING.items()}
    controller = da.PD(model, hold, stiffness=400.0, damping=6.0)
    run = da.simulate(
        model, walker_start(model), duration=0.5, dt=0.002, integrator=da.MaximalVI(tol=1e-8), controller=controller
    )
    points, arrows = contact_forces(run, 1.0)
    assert arrows.shape == (len(run), 4, 3)
    down = arrows[-1] / np.linalg.norm(arrows[-1].sum(axis=0))
    # it still creeps a little, by which the sum leans
    np.testing.assert_allclose(down.sum(axis=0), (0, 0, 1), rtol=0, atol=0.05)
    assert (down[:, 2] > 0.1).all()
    for k, leg in enumerate(("fr", "fl", "rr", "rl")):
        foot = run.body(f"{leg}_calf_link").point((0.0, 0.0, -0.1))[-1]
        assert np.linalg.norm(points[-1, k] - foot) < 0.02
    assert joint_forces(run, 1.0)[1].shape[1] == 12


def test_joint_sliders_move_a_closed_mechanism() -> None:
    """A slider's joint goes where it is told, and the loop follows."""
    from dalembert.view.browser import Stage, open_server
    from dalembert.view.poser import Poser
    from dalembert.view.scene import scene_of

    model = zoo.slider_crank()
    state = zoo.ZOO["slider_crank"].start(model)
    server = open_server(free_port())
    try:
        poser = Poser(
            server, model, state, Stage(server, scene_of(model, state.position[None], state.orientation[None]))
        )
        crank = next(iter(poser.sliders))
        start = poser.state.coordinates[model.joints[crank].coordinates][0]
        poser.sliders[crank][0].value = start + 0.3
        poser.move(crank)
        assert poser.state.coordinates[model.joints[crank].coordinates][0] == pytest.approx(start + 0.3, abs=1e-9)
        assert model.assemble(poser.state).residual < 1e-10
        assert np.abs(poser.state.position - state.position).max() > 0.01
    finally:
        server.stop()


def test_the_view_needs_viser_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "viser", None)
    with pytest.raises(da.DalembertError, match=r"pip install 'dalembert\[view\]'"):
        view_model(zoo.pendulum(), port=free_port(), open_browser=False, block=False)
