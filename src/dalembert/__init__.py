"""Mechanisms of rigid bodies, simulated by structure-preserving integrators.

Public names are loaded when they are first used: importing dalembert imports neither numba nor scipy.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dalembert import zoo
    from dalembert.adjoint.gradient import gradient
    from dalembert.adjoint.objectives.base import Objective
    from dalembert.adjoint.objectives.effort import Effort
    from dalembert.adjoint.objectives.joint_target import JointTarget
    from dalembert.adjoint.objectives.motion_gradient import MotionGradient
    from dalembert.adjoint.objectives.point_target import PointTarget
    from dalembert.adjoint.optimize import Optimum, optimize
    from dalembert.adjoint.parameters.base import Parameter
    from dalembert.adjoint.parameters.body import Gravity, Inertia, Mass
    from dalembert.adjoint.parameters.joint_force import JointForce
    from dalembert.adjoint.parameters.joint_options import Armature, Damping, Rest, Stiffness
    from dalembert.adjoint.parameters.lengths import CentreOfMass, JointPoint, LinkLength, RodLength
    from dalembert.adjoint.parameters.start import InitialPosition, InitialVelocity
    from dalembert.adjoint.problem import Evaluation, Problem
    from dalembert.batch import Batch, simulate_batch
    from dalembert.compiled_controller import CompiledController
    from dalembert.control.linearize import linearize
    from dalembert.control.lqr import lqr
    from dalembert.control.path import path
    from dalembert.control.pd import PD
    from dalembert.errors import (
        AssemblyError,
        DalembertError,
        ModelError,
        ModelFileError,
        ModelFileWarning,
        SimulationError,
    )
    from dalembert.formats.load import load
    from dalembert.formats.mjcf.mjcf import Mjcf, read_mjcf
    from dalembert.formats.save import save_model
    from dalembert.formats.urdf.urdf import Urdf, read_urdf
    from dalembert.integrators import (
        BDF1,
        BDF2,
        SDIRK2,
        GalerkinVI,
        LinearlyImplicitEuler,
        MaximalVI,
        MinimalVI,
        RungeKutta,
        SemiImplicitEuler,
        StaggeredEuler,
    )
    from dalembert.integrators.hyper.method import Follow, HyperReduced
    from dalembert.model.builder import ModelBuilder
    from dalembert.model.forces import Cable, Drag, GenericSpring, PenaltyGround, PointForce, RoutedSpring
    from dalembert.model.frame import Frame
    from dalembert.model.joints import (
        JOINT_KINDS,
        CustomConstraint,
        Cylindrical,
        CylindricalFree,
        Distance,
        Fixed,
        FixedOrientation,
        Floating,
        FreeRevolute,
        Gear,
        Planar,
        PlanarFixedOrientation,
        PlanarFree,
        Prismatic,
        Revolute,
        Screw,
        Spherical,
        Universal,
    )
    from dalembert.model.material import MATERIALS, Material
    from dalembert.model.mesh import ConvexMesh
    from dalembert.model.model import Model
    from dalembert.model.product_kinds import Composite, EulerAngles
    from dalembert.model.shapes import Box, Capsule, Cylinder, Ellipsoid, Part, Sphere
    from dalembert.model.spline_kinds import SplineCurve, SplineSurface
    from dalembert.model.spring_chain import add_spring_chain
    from dalembert.model.state import State
    from dalembert.model.surfaces import HalfSpace, HeightField, Point
    from dalembert.model.user_constraints import CoordinateConstraint, PoseConstraint
    from dalembert.run_file import load_run
    from dalembert.simulate import simulate
    from dalembert.trajectory import Trajectory

__version__ = "0.1.0"

_HOMES = {
    "dalembert.adjoint.gradient": ("gradient",),
    "dalembert.adjoint.objectives.base": ("Objective",),
    "dalembert.adjoint.objectives.effort": ("Effort",),
    "dalembert.adjoint.objectives.joint_target": ("JointTarget",),
    "dalembert.adjoint.objectives.motion_gradient": ("MotionGradient",),
    "dalembert.adjoint.objectives.point_target": ("PointTarget",),
    "dalembert.adjoint.optimize": ("Optimum", "optimize"),
    "dalembert.adjoint.parameters.base": ("Parameter",),
    "dalembert.adjoint.parameters.body": ("Gravity", "Inertia", "Mass"),
    "dalembert.adjoint.parameters.joint_force": ("JointForce",),
    "dalembert.adjoint.parameters.joint_options": ("Armature", "Damping", "Rest", "Stiffness"),
    "dalembert.adjoint.parameters.lengths": ("CentreOfMass", "JointPoint", "LinkLength", "RodLength"),
    "dalembert.adjoint.parameters.start": ("InitialPosition", "InitialVelocity"),
    "dalembert.adjoint.problem": ("Evaluation", "Problem"),
    "dalembert.batch": ("Batch", "simulate_batch"),
    "dalembert.compiled_controller": ("CompiledController",),
    "dalembert.control.linearize": ("linearize",),
    "dalembert.control.lqr": ("lqr",),
    "dalembert.control.path": ("path",),
    "dalembert.control.pd": ("PD",),
    "dalembert.errors": (
        "AssemblyError",
        "DalembertError",
        "ModelError",
        "ModelFileError",
        "ModelFileWarning",
        "SimulationError",
    ),
    "dalembert.formats.load": ("load",),
    "dalembert.formats.mjcf.mjcf": ("Mjcf", "read_mjcf"),
    "dalembert.formats.save": ("save_model",),
    "dalembert.formats.urdf.urdf": ("Urdf", "read_urdf"),
    "dalembert.integrators.hyper.method": ("Follow", "HyperReduced"),
    "dalembert.model.builder": ("ModelBuilder",),
    "dalembert.model.forces": ("Cable", "Drag", "GenericSpring", "PenaltyGround", "PointForce", "RoutedSpring"),
    "dalembert.model.frame": ("Frame",),
    "dalembert.model.joints": (
        "JOINT_KINDS",
        "CustomConstraint",
        "Cylindrical",
        "CylindricalFree",
        "Distance",
        "Fixed",
        "FixedOrientation",
        "Floating",
        "FreeRevolute",
        "Gear",
        "Planar",
        "PlanarFixedOrientation",
        "PlanarFree",
        "Prismatic",
        "Revolute",
        "Screw",
        "Spherical",
        "Universal",
    ),
    "dalembert.model.material": ("MATERIALS", "Material"),
    "dalembert.model.mesh": ("ConvexMesh",),
    "dalembert.model.model": ("Model",),
    "dalembert.model.product_kinds": ("Composite", "EulerAngles"),
    "dalembert.model.shapes": ("Box", "Capsule", "Cylinder", "Ellipsoid", "Part", "Sphere"),
    "dalembert.model.spline_kinds": ("SplineCurve", "SplineSurface"),
    "dalembert.model.spring_chain": ("add_spring_chain",),
    "dalembert.model.state": ("State",),
    "dalembert.model.surfaces": ("HalfSpace", "HeightField", "Point"),
    "dalembert.model.user_constraints": ("CoordinateConstraint", "PoseConstraint"),
    "dalembert.run_file": ("load_run",),
    "dalembert.simulate": ("simulate",),
    "dalembert.trajectory": ("Trajectory",),
    "dalembert.integrators": (
        "BDF1",
        "BDF2",
        "SDIRK2",
        "GalerkinVI",
        "LinearlyImplicitEuler",
        "MaximalVI",
        "MinimalVI",
        "RungeKutta",
        "SemiImplicitEuler",
        "StaggeredEuler",
    ),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
_FOLDERS = ("zoo",)

__all__ = [
    "BDF1",
    "BDF2",
    "JOINT_KINDS",
    "MATERIALS",
    "PD",
    "SDIRK2",
    "Armature",
    "AssemblyError",
    "Batch",
    "Box",
    "Cable",
    "Capsule",
    "CentreOfMass",
    "CompiledController",
    "Composite",
    "ConvexMesh",
    "CoordinateConstraint",
    "CustomConstraint",
    "Cylinder",
    "Cylindrical",
    "CylindricalFree",
    "DalembertError",
    "Damping",
    "Distance",
    "Drag",
    "Effort",
    "Ellipsoid",
    "EulerAngles",
    "Evaluation",
    "Fixed",
    "FixedOrientation",
    "Floating",
    "Follow",
    "Frame",
    "FreeRevolute",
    "GalerkinVI",
    "Gear",
    "GenericSpring",
    "Gravity",
    "HalfSpace",
    "HeightField",
    "HyperReduced",
    "Inertia",
    "InitialPosition",
    "InitialVelocity",
    "JointForce",
    "JointPoint",
    "JointTarget",
    "LinearlyImplicitEuler",
    "LinkLength",
    "Mass",
    "Material",
    "MaximalVI",
    "MinimalVI",
    "Mjcf",
    "Model",
    "ModelBuilder",
    "ModelError",
    "ModelFileError",
    "ModelFileWarning",
    "MotionGradient",
    "Objective",
    "Optimum",
    "Parameter",
    "Part",
    "PenaltyGround",
    "Planar",
    "PlanarFixedOrientation",
    "PlanarFree",
    "Point",
    "PointForce",
    "PointTarget",
    "PoseConstraint",
    "Prismatic",
    "Problem",
    "Rest",
    "Revolute",
    "RodLength",
    "RoutedSpring",
    "RungeKutta",
    "Screw",
    "SemiImplicitEuler",
    "SimulationError",
    "Sphere",
    "Spherical",
    "SplineCurve",
    "SplineSurface",
    "StaggeredEuler",
    "State",
    "Stiffness",
    "Trajectory",
    "Universal",
    "Urdf",
    "__version__",
    "add_spring_chain",
    "gradient",
    "linearize",
    "load",
    "load_run",
    "lqr",
    "optimize",
    "path",
    "read_mjcf",
    "read_urdf",
    "save_model",
    "simulate",
    "simulate_batch",
    "zoo",
]


def __getattr__(name: str) -> Any:
    if name in _HOME_OF:
        value = getattr(import_module(_HOME_OF[name]), name)
    elif name in _FOLDERS:
        value = import_module(f"dalembert.{name}")
    else:
        raise AttributeError(f"module 'dalembert' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


class _Package(ModuleType):
    """Importing the module dalembert.simulate must not hide the function of that name."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _HOME_OF and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
