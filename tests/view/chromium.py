"""A headless Chromium, driven through its debugging port: open a page, run a line of its script, take its picture."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine: apt-get install chromium")

OPTIONS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1000,700",
    "--remote-debugging-port=0",
)


class Page:
    """One open page."""

    def __init__(self, socket: Any) -> None:
        self._socket, self._number = socket, 0
        self.faults: list[str] = []
        """Exceptions and error messages of the page's own scripts."""
        self._call("Runtime.enable")
        self._call("Page.enable")

    def open(self, address: str) -> None:
        self._call("Page.navigate", url=address)

    def script(self, line: str) -> Any:
        """The value of an expression in the page."""
        return self._call("Runtime.evaluate", expression=line, returnByValue=True)["result"].get("value")

    def until(self, line: str, seconds: float = 30.0) -> None:
        """Wait for an expression to become true."""
        end = time.monotonic() + seconds
        while not self.script(line):
            assert time.monotonic() < end, f"{line} did not become true; the page said {self.faults}"
            time.sleep(0.1)

    def picture(self) -> np.ndarray:
        """(height, width, 3) what the page shows."""
        from PIL import Image

        data = base64.b64decode(self._call("Page.captureScreenshot", format="png")["data"])
        return np.asarray(Image.open(BytesIO(data)).convert("RGB")).astype(int)

    def press(self, key: str, code: str) -> None:
        """Press and release a key."""
        for kind in ("keyDown", "keyUp"):
            self._call("Input.dispatchKeyEvent", type=kind, key=key, code=code)

    def _call(self, method: str, **arguments: Any) -> Any:
        self._number += 1
        self._socket.send(json.dumps({"id": self._number, "method": method, "params": arguments}))
        while True:
            message = json.loads(self._socket.recv(timeout=60))
            if message.get("method") == "Runtime.exceptionThrown":
                self.faults.append(str(message["params"]["exceptionDetails"].get("exception", message)))
            if message.get("id") == self._number:
                assert "error" not in message, message["error"]
                return message["result"]


@contextmanager
def page(folder: Path) -> Iterator[Page]:
    """A page of a browser that keeps its profile in ``folder``."""
    from websockets.sync.client import connect

    assert CHROMIUM is not None
    browser = subprocess.Popen(
        [CHROMIUM, *OPTIONS, f"--user-data-dir={folder}", "about:blank"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        port_file, end = folder / "DevToolsActivePort", time.monotonic() + 40.0
        while not (port_file.is_file() and port_file.read_text().count("\n")):
            assert time.monotonic() < end, "Chromium did not start"
            time.sleep(0.1)
        port = int(port_file.read_text().split("\n")[0])
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list", timeout=20) as answer:
            target = next(entry for entry in json.load(answer) if entry["type"] == "page")
        with connect(target["webSocketDebuggerUrl"], max_size=None, proxy=None) as socket:
            yield Page(socket)
    finally:
        browser.terminate()
        browser.wait(timeout=20)
