"""Materials: density and surface."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True)
class Material:
    """What a body is made of. ``density`` in kg/m³; ``friction`` and ``restitution`` are those of a contact."""

    name: str
    density: float
    friction: float = 0.5
    restitution: float = 0.0


MATERIALS: Mapping[str, Material] = MappingProxyType(
    {
        material.name: material
        for material in (
            Material("steel", 7850.0, friction=0.6, restitution=0.6),
            Material("aluminium", 2700.0, friction=0.6, restitution=0.5),
            Material("wood", 700.0, friction=0.4, restitution=0.4),
            Material("plastic", 1050.0, friction=0.35, restitution=0.5),
            Material("rubber", 1100.0, friction=1.0, restitution=0.8),
            Material("ice", 917.0, friction=0.03, restitution=0.3),
        )
    }
)
"""Some materials by name: handbook densities, and a first guess for dry contact of a material with itself."""
