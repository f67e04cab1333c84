"""What other programs have added to URDF and dalembert does not use: passed over with a note, not refused.

Everything that is neither in the format nor here is a fault: it may be a slip of the pen.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Extras(NamedTuple):
    """Attributes and elements of one element that some program reads."""

    why: str
    attributes: tuple[str, ...] = ()
    children: tuple[str, ...] = ()


ROBOT: Final = (
    Extras("for ROS control", children=("transmission", "ros2_control")),
    Extras("for Gazebo", children=("gazebo",)),
    Extras("sensors are not modelled", children=("sensor",)),
    Extras("for planning", children=("group", "disable_collisions")),
    Extras("for other programs", ("version",)),
)
LINK: Final = (
    Extras("for Gazebo", children=("surface", "gravity", "kinematic", "self_collide", "selfCollide")),
    Extras("for filters of sensors", children=("self_filter",)),
    Extras("a second collision geometry for planning", children=("collision_checking",)),
    Extras("of an older format", attributes=("type",)),
    Extras("of PyBullet", attributes=("concave",)),
    Extras("a link's frame is where its joint puts it", children=("origin",)),
)
JOINT: Final = (
    Extras("for the calibration of encoders", children=("calibration",)),
    Extras("for controllers", children=("safety_controller",)),
    Extras("an older name of <dynamics>, which other readers pass over too", children=("joint_properties",)),
    Extras("for MuJoCo", attributes=("dont_collapse",)),
)
LIMIT: Final = (
    Extras("for controllers", ("command_effort", "current", "gear_velocity", "acceleration", "jerk", "deceleration")),
    Extras("limits of a rotation about a point", ("twist",)),
)
DYNAMICS: Final = (Extras("for controllers", ("D", "K", "mu_coulomb", "mu_viscous")),)
AXIS: Final = (Extras("an axis has no turn about itself", ("rpy",)),)
COLLISION: Final = (
    Extras("groups of PyBullet", ("group", "mask", "concave")),
    Extras("a collision geometry has no look", children=("material",)),
    Extras("of an older format", children=("verbose",)),
)
GEOMETRY: Final = (
    Extras("geometry has no name of its own", attributes=("name",)),
    Extras("a material belongs to the <visual>", children=("material",)),
)
MATERIAL: Final = (Extras("for pictures", children=("specular",)),)
SURFACE: Final = (
    Extras(
        "numerical parameters of PyBullet",
        children=("contact_cfm", "contact_erp", "friction_anchor", "inertia_scaling"),
    ),
)
