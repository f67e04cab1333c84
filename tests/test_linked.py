"""Kernels that call kernels, from one process to the next."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dalembert._jit import config

LOW = """
from dalembert._jit import kernel

@kernel
def square(x):
    return x * x
"""
MIDDLE = """
from dalembert._jit import kernel
from low import square

@kernel
def fourth(x):
    return square(square(x))
"""
HIGH = """
from dalembert._jit import kernel
from middle import fourth

@kernel
def other(x):
    return x

@kernel
def once(x):
    return other(fourth(x))

@kernel
def twice(x):
    return fourth(fourth(x))
"""
PROGRAM = """
import sys
from numba.core import event
import high
compiled = []
class Listener(event.Listener):
    def on_start(self, e):
        compiled.append(e.data["dispatcher"].__name__)
    def on_end(self, e):
        pass
with event.install_listener("numba:compile", Listener()):
    value = getattr(high, sys.argv[1])(3.0)
print(value, *compiled)
"""

pytestmark = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="nothing is compiled")


@pytest.fixture
def run(tmp_path: Path):
    """Call a kernel of `HIGH` in a process of its own: its value, and what was compiled for it."""
    for name, source in {"low": LOW, "middle": MIDDLE, "high": HIGH}.items():
        (tmp_path / f"{name}.py").write_text(source)

    def call(kernel: str) -> tuple[float, list[str]]:
        program = f"import os, sys\nos.environ['DALEMBERT_CACHE_DIR'] = {str(tmp_path / 'cache')!r}\n{PROGRAM}"
        path = [str(tmp_path), *sys.path]
        program = f"import sys\nsys.path[:0] = {path!r}\n{program}"
        answer = subprocess.run([sys.executable, "-c", program, kernel], capture_output=True, text=True, check=True)
        value, *compiled = answer.stdout.split()
        return float(value), compiled

    return call


def test_a_kernel_is_compiled_once_for_all_that_call_it(run):
    """Another entry finds the kernels it stands on, and an entry that was compiled needs nothing."""
    value, compiled = run("once")
    assert value == 81.0
    assert sorted(compiled) == ["fourth", "once", "other", "square"]
    assert run("twice") == (3.0**16, ["twice"])
    assert run("once") == (81.0, [])


def test_a_kernel_whose_callee_was_compiled_anew_is_compiled_anew(run, tmp_path):
    """Names in machine code depend on what a process compiled before: a stale one is noticed when it is read."""
    run("once")
    for folder in (tmp_path / "cache").glob("low-*"):
        shutil.rmtree(folder)
    value, compiled = run("twice")
    assert value == 3.0**16
    assert sorted(compiled) == ["fourth", "square", "twice"]
