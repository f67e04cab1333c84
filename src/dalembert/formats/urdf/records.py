"""A URDF file as records: everything that the format says, as it says it, nothing computed.

Each record keeps the element that it was read from, so that messages can name its line; records that say the same are
equal wherever they come from.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from dalembert.formats.xml_source import Element


@dataclass(frozen=True)
class Record:
    """The base of all records."""

    element: Element | None = field(default=None, compare=False, repr=False, kw_only=True)

    def place(self, attribute: str | None = None) -> str:
        """``file:line`` of the element or of one of its attributes."""
        return self.element.place(attribute) if self.element is not None else "URDF"


@dataclass(frozen=True)
class Origin(Record):
    """A frame: where it is (m) and how it is turned (rad), about the fixed axes x, y, z one after another."""

    xyz: tuple[float, ...] = (0.0, 0.0, 0.0)
    rpy: tuple[float, ...] = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Inertial(Record):
    """Mass (kg), centre of mass, and inertia about it in the axes of ``origin``: xx, xy, xz, yy, yz, zz (kg m²)."""

    mass: float
    inertia: tuple[float, ...]
    origin: Origin = Origin()

    @property
    def inertia_place(self) -> str:
        """``file:line`` of the element with the moments."""
        children = self.element.children if self.element is not None else []
        return next((child.place() for child in children if child.tag == "inertia"), self.place())


@dataclass(frozen=True)
class BoxGeometry(Record):
    """``size``: full lengths, m."""

    size: tuple[float, ...]


@dataclass(frozen=True)
class CylinderGeometry(Record):
    """Along z; m."""

    radius: float
    length: float


@dataclass(frozen=True)
class CapsuleGeometry(Record):
    """Along z; ``length`` is that of the cylinder alone, m. An extension that several engines read."""

    radius: float
    length: float


@dataclass(frozen=True)
class SphereGeometry(Record):
    """``radius`` in m."""

    radius: float


@dataclass(frozen=True)
class PlaneGeometry(Record):
    """The half-space below a plane through the origin. An extension of PyBullet."""

    normal: tuple[float, ...]


@dataclass(frozen=True)
class MeshGeometry(Record):
    """A file with triangles, in metres after scaling."""

    filename: str
    scale: tuple[float, ...] = (1.0, 1.0, 1.0)


Geometry = BoxGeometry | CylinderGeometry | CapsuleGeometry | SphereGeometry | PlaneGeometry | MeshGeometry


@dataclass(frozen=True)
class Material(Record):
    """What something looks like: a name, a colour (red, green, blue, alpha from 0 to 1), a picture."""

    name: str
    color: tuple[float, ...] | None = None
    texture: str | None = None


@dataclass(frozen=True)
class Visual(Record):
    """What a link looks like."""

    geometry: Geometry
    origin: Origin = Origin()
    name: str = ""
    material: Material | None = None


@dataclass(frozen=True)
class Collision(Record):
    """What a link touches others with."""

    geometry: Geometry
    origin: Origin = Origin()
    name: str = ""


@dataclass(frozen=True)
class Surface(Record):
    """PyBullet's extension ``<contact>``: what is not said is None."""

    lateral_friction: float | None = None
    spinning_friction: float | None = None
    rolling_friction: float | None = None
    restitution: float | None = None
    stiffness: float | None = None
    damping: float | None = None


@dataclass(frozen=True)
class Link(Record):
    """A rigid body, or a frame when it has no ``inertial``."""

    name: str
    inertial: Inertial | None = None
    visuals: tuple[Visual, ...] = ()
    collisions: tuple[Collision, ...] = ()
    surface: Surface | None = None
    extras: tuple[str, ...] = ()
    """Elements that other programs read, as their text."""


@dataclass(frozen=True)
class Limit(Record):
    """Ends of travel (rad, m; None where nothing is said), largest effort (N m, N) and velocity (rad/s, m/s)."""

    lower: float | None = None
    upper: float | None = None
    effort: float | None = None
    velocity: float | None = None


@dataclass(frozen=True)
class Dynamics(Record):
    """Viscous damping (N m s/rad, N s/m) and Coulomb friction (N m, N)."""

    damping: float = 0.0
    friction: float = 0.0


@dataclass(frozen=True)
class Mimic(Record):
    """This joint follows another: q = multiplier · q_other + offset."""

    joint: str
    multiplier: float = 1.0
    offset: float = 0.0


@dataclass(frozen=True)
class UrdfJoint(Record):
    """A joint of the tree, or one that closes a loop between two links of the tree.

    ``origin`` is the frame of the joint in the parent's link frame. The child's link frame coincides with it where the
    coordinates of the joint are zero; for a joint that closes a loop, ``child_origin`` is the frame that does, and
    without it the loop is closed where all joints of the tree are at zero.
    """

    name: str
    type: str
    parent: str
    child: str
    origin: Origin = Origin()
    axis: tuple[float, ...] | None = None
    limit: Limit | None = None
    dynamics: Dynamics | None = None
    mimic: Mimic | None = None
    child_origin: Origin | None = None
    closes_loop: bool = False
    extras: tuple[str, ...] = ()
    """Elements that other programs read, as their text."""

    @property
    def item(self) -> str:
        """What messages call it."""
        return f'{"loop_joint" if self.closes_loop else "joint"} "{self.name}"'


@dataclass(frozen=True)
class Robot(Record):
    """A whole file."""

    name: str
    links: tuple[Link, ...]
    joints: tuple[UrdfJoint, ...]
    """Joints of the tree first, then those that close loops."""
    materials: tuple[Material, ...] = ()
    extensions: tuple[str, ...] = ()
    """Elements that other programs read, such as ``<transmission>`` and ``<gazebo>``, as their text."""
