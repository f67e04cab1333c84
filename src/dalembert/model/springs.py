"""Springs between points, as joints that lock nothing."""

from __future__ import annotations

from dataclasses import dataclass

from dalembert.model.joint_kind import JointKind
from dalembert.model.system import DISTANCE


@dataclass(frozen=True)
class Spring(JointKind):
    """A spring and damper along the line between two points; without ``rest_length`` at rest at the reference.

    It cannot say which way to push when its points meet, so its rest length must be positive.
    """

    rest_length: float | None = None
    code = DISTANCE
    components = (0,)
    free = (0,)
    has_coordinates = False

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        """None: a spring is a force, not a joint."""
        return ()

    @property
    def rate_names(self) -> tuple[str, ...]:
        """None."""
        return ()


@dataclass(frozen=True)
class PointSpring(JointKind):
    """A spring and damper of zero rest length: the same stiffness along all three translations."""

    free = (0, 1, 2, 3, 4, 5)
    has_coordinates = False
