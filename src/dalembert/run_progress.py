"""Progress shown during a run, and Ctrl-C."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType, TracebackType

Progress = bool | Callable[[int, int], None] | None
"""True for a bar, or a function that is called with steps done and steps in all."""


class Bar:
    """No progress is shown."""

    def update(self, steps: int) -> None:
        """``steps`` are done."""

    def close(self) -> None:
        """The run is over."""


class _Call(Bar):
    def __init__(self, function: Callable[[int, int], None], total: int) -> None:
        self._function, self._total = function, total

    def update(self, steps: int) -> None:
        self._function(steps, self._total)


class _Tqdm(Bar):
    def __init__(self, total: int) -> None:
        from tqdm import tqdm

        self._bar = tqdm(total=total, unit="step", leave=False)

    def update(self, steps: int) -> None:
        self._bar.update(steps - self._bar.n)

    def close(self) -> None:
        self._bar.close()


def progress_bar(progress: Progress, total: int) -> Bar:
    """What is called while a run of ``total`` steps goes on."""
    if callable(progress):
        return _Call(progress, total)
    return _Tqdm(total) if progress else Bar()


class CtrlC:
    """Inside this context a first Ctrl-C is noted and acted upon between steps, so that no step is left half done.

    A second one raises KeyboardInterrupt at once. Signals belong to the main thread: elsewhere nothing is changed, nor
    where a program has a handler of its own.
    """

    def __init__(self) -> None:
        self._asked = False
        self._installed = False

    def check(self) -> None:
        """Raise KeyboardInterrupt if it was asked for."""
        if self._asked:
            self._asked = False
            raise KeyboardInterrupt

    def __enter__(self) -> CtrlC:
        main = threading.current_thread() is threading.main_thread()
        if main and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, self._note)
            self._installed = True
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._installed:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self._asked = True
        signal.signal(signal.SIGINT, signal.default_int_handler)
