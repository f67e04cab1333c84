"""The surfaces of a mechanism as flat arrays: what contact kernels see beside the `System`.

A *geom* is one convex shape (or a height field) fixed in a body; a contact of the model has one or more of them.
Everything is in the axes of its body, from the centre of mass.

Most shapes are a *core* swept by a ball: a sphere is one corner and a radius, a capsule two corners, one edge and a
radius; boxes and hulls have corners, edges and flat faces and radius zero. What is curved otherwise has a ``size``:

============  =============================================================  ====================================
kind          core                                                           size
============  =============================================================  ====================================
SPHERE        one corner (a point has radius 0)
CAPSULE       two corners, one edge along the third axis
BOX           eight corners, twelve edges, six faces                         half lengths
MESH          corners, edges and faces of the hull
CYLINDER      none; along the third axis                                     radius, half length, 0
ELLIPSOID     none                                                           semi-axes
HALF_SPACE    one face through ``point``, outward along the third axis
HEIGHT_FIELD  corners, edges and triangles of `terrain`; heights along the   half extents in x, y; top
              third axis, grid centred at ``point``
============  =============================================================  ====================================

A number that a contact leaves open (friction, restitution) is −1 here: its partner decides.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from dalembert.model.system import Floats, Integers

SPHERE: Final = 0
CAPSULE: Final = 1
BOX: Final = 2
MESH: Final = 3
CYLINDER: Final = 4
ELLIPSOID: Final = 5
HALF_SPACE: Final = 6
HEIGHT_FIELD: Final = 7


class ContactGeometry(NamedTuple):
    """All geoms of a mechanism (g geoms of c contacts, SI units). See the module's text for the conventions."""

    kind: Integers
    """(g,) SPHERE, CAPSULE, …"""
    body: Integers
    """(g,) the body that it is fixed in; the world is body n."""
    contact: Integers
    """(g,) the contact that it belongs to."""
    point: Floats
    """(g, 3) its origin in body axes."""
    frame: Floats
    """(g, 4) turn from its axes to those of the body."""
    size: Floats
    """(g, 3) see above; zeros where there is nothing to say."""
    radius: Floats
    """(g,) of the ball that sweeps the core."""
    center: Floats
    """(g, 3) of a ball that holds all of it, in body axes."""
    reach: Floats
    """(g,) radius of that ball; infinite for a half-space."""

    corner_start: Integers
    """(g + 1,) corners of geom i are ``corner_start[i] … corner_start[i + 1]``; likewise edges and faces."""
    corner: Floats
    """(k, 3) in body axes."""
    edge_start: Integers
    """(g + 1,)"""
    edge: Integers
    """(e, 2) corners at both ends."""
    edge_face: Integers
    """(e, 2) faces on both sides; −1 for none."""
    face_start: Integers
    """(g + 1,)"""
    face_normal: Floats
    """(f, 3) outward, in body axes."""
    face_point: Floats
    """(f, 3) a point of the face."""
    outline_start: Integers
    """(f + 1,) the corners around face i are ``outline[outline_start[i] … outline_start[i + 1]]``."""
    outline: Integers
    """(o,) corners, counter-clockwise from outside."""

    height_start: Integers
    """(g + 1,) heights of geom i, row by row."""
    height: Floats
    """(h,)"""
    grid: Integers
    """(g, 2) rows and columns; zeros unless a height field."""
    spacing: Floats
    """(g, 2) of the rows along x and of the columns along y."""

    friction: Floats
    """(g,) coefficient, or −1."""
    restitution: Floats
    """(g,) coefficient, or −1."""
    torsional: Floats
    """(g,) m."""
    rolling: Floats
    """(g,) m."""
    compliance: Floats
    """(g,) m/N; 0 if rigid."""
    damping: Floats
    """(g,) N s/m."""

    choosy: Integers
    """(c,) 1 if the contact touches only those in ``wanted``."""
    wanted_start: Integers
    """(c + 1,)"""
    wanted: Integers
    """Contacts that a choosy contact touches, in rising order."""
    barred_start: Integers
    """(c + 1,)"""
    barred: Integers
    """Contacts that a contact does not touch, in rising order."""
