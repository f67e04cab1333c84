"""What every integrator offers to `simulate`: a frozen object that users hold, and a stepper that it starts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from dalembert.integrators.record import Record
from dalembert.model.system import Floats

if TYPE_CHECKING:
    from dalembert.integrators.port import Inside, Port
    from dalembert.model.model import Model
    from dalembert.model.state import State


class StepFailure(Exception):
    """A step that could not be taken. `simulate` turns it into a `SimulationError` with time and trajectory."""

    def __init__(self, reason: str, worst: str, steps_done: int) -> None:
        super().__init__(reason)
        self.reason = reason
        """One sentence: what happened and what to try."""
        self.worst = worst
        """The body or joint whose equation was violated most, as ``body "name"`` or ``joint "name"``."""
        self.steps_done = steps_done
        """Complete steps of the call that failed."""


class LawFailure(Exception):
    """A compiled law raised an exception, or gave a force that is not finite."""

    def __init__(self, raised: bool, steps_done: int) -> None:
        super().__init__("a compiled law failed")
        self.raised, self.steps_done = raised, steps_done


class Stepper(ABC):
    """A model at one instant, and the means to move it on. Holds all memory of a run."""

    @abstractmethod
    def advance(self, n_steps: int) -> tuple[int, float]:
        """Take steps; returns (Newton iterations, largest violation of a constraint). Raises `StepFailure`."""

    @abstractmethod
    def write(self, record: Record, row: int) -> None:
        """Record the present instant; ``iterations`` and ``constraint_error`` are the caller's."""

    @abstractmethod
    def state(self) -> State:
        """The present instant, with the memory that a later run resumes from."""

    def admit(self, inside: Inside) -> Port | None:
        """The port through which a compiled law drives the joints; None where they are driven from Python only."""
        return None

    def run_inside(self, port: Port, record: Record, first: int, count: int, every: int) -> None:
        """`run` with the forces of the law of a port that this stepper made. Raises `LawFailure` besides."""
        raise NotImplementedError

    @abstractmethod
    def control(self, joint_force: Floats, external: Floats) -> None:
        """Set what acts until the next call: forces on all joint rates, and (n + 1, 6) wrenches on the bodies."""

    def run(self, record: Record, first: int, count: int, every: int) -> None:
        """Fill ``count`` rows from ``first`` on, one for every ``every`` steps."""
        for row in range(first, first + count):
            iterations, violation = 0, 0.0
            for step in range(every):
                try:
                    spent, error = self.advance(1)
                except StepFailure as failure:
                    failure.steps_done = (row - first) * every + step
                    raise
                if step == 0:
                    self.write_forces(record, row - 1)
                iterations += spent
                violation = max(violation, error)
            self.write(record, row)
            record.iterations[row] = iterations
            record.constraint_error[row] = violation

    def write_forces(self, record: Record, row: int) -> None:  # noqa: B027
        """Record the reaction forces at the instant before the step just taken, for integrators that know them then."""

    def finish(self, record: Record, row: int) -> None:  # noqa: B027
        """Called once after the last row, for what is known only by looking ahead."""


@dataclass(frozen=True)
class Integrator(ABC):
    """The frozen object that users hand to `simulate`."""

    name: ClassVar[str]
    """As shown in reports."""
    coordinates: ClassVar[str]
    """"maximal" or "minimal"."""
    supports: ClassVar[frozenset[str]]
    """Of "loops", "springs", "dampers", "actuators", "potentials", "forces", "damped forces", "spring laws",
    "custom constraints", "constraints", "inequalities", "contact", "bearings", "reactions", "joints along curves",
    "loops along curves", "changes of axes"."""
    summary: ClassVar[str]
    """One line for tables."""

    @property
    @abstractmethod
    def declared_order(self) -> int:
        """Order of accuracy of positions and velocities."""

    @abstractmethod
    def start(self, model: Model, state: State, dt: float) -> Stepper:
        """Memory for a run from ``state`` in steps of ``dt`` seconds."""

    def parameters(self) -> Mapping[str, Any]:
        """The options, for reports and saved runs."""
        return {key: value for key, value in vars(self).items() if not key.startswith("_")}


def with_world(rows: Floats, world: tuple[float, ...]) -> Floats:
    """(n + 1, k): the rows of the bodies and the world's."""
    return np.vstack([rows.reshape(-1, len(world)), np.array(world)])
