"""What every parameter does: it reads its value from the inputs of a run, writes it there, and picks its gradient."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dalembert.errors import ModelError
from dalembert.model.system import Floats

if TYPE_CHECKING:
    from dalembert.adjoint.inputs import Inputs
    from dalembert.adjoint.sensitivity import Sensitivity
    from dalembert.model.model import Model
    from dalembert.model.record import Joint


@dataclass(frozen=True)
class Parameter(ABC):
    """One quantity that a run depends on; equal ones are the same parameter, and serve as keys of results."""

    @abstractmethod
    def read(self, inputs: Inputs) -> Floats:
        """The value that stands in the inputs."""

    @abstractmethod
    def write(self, inputs: Inputs, value: Floats) -> None:
        """Put a value, of the shape of `read`, into the inputs."""

    @abstractmethod
    def pull(self, inputs: Inputs, felt: Sensitivity) -> Floats:
        """The gradient by the value, of its shape; the inputs hold the value."""

    @abstractmethod
    def touches(self, inputs: Inputs) -> frozenset[tuple[str, object]]:
        """The numbers that it sets: no other parameter may set them too."""

    @property
    def moves_start(self) -> bool:
        """Whether closed loops have to be closed again at the start when it changes."""
        return False

    @property
    def held_positions(self) -> tuple[str, ...]:
        """Joints whose coordinates at the start are this parameter."""
        return ()

    @property
    def held_velocities(self) -> tuple[str, ...]:
        """Joints whose rates at the start are this parameter."""
        return ()


def tree_joint(model: Model, name: str, who: Parameter) -> Joint:
    """The joint of that name, which must have minimal coordinates."""
    joint = any_joint(model, name)
    if not (joint.in_tree and joint.components):
        what = "closes a loop" if not joint.in_tree else "does not move"
        raise ModelError(f"{who}: expected a joint of the spanning tree that moves, found one that {what}")
    return joint


def any_joint(model: Model, name: str) -> Joint:
    """The joint of that name."""
    model.joint_index(name)
    return model.joints[name]


def body_number(model: Model, name: str, who: Parameter) -> int:
    """The number of a body that is not the world."""
    index = model.body_index(name)
    if index == model.n_bodies:
        raise ModelError(f"{who}: expected a body, found the world")
    return index


def plain(values: Floats) -> Floats:
    """A single number has no shape."""
    return values.reshape(()) if values.shape == (1,) else np.array(values)
