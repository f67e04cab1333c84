"""Integration methods: one folder or file each, and the frozen object that users hold."""

from dalembert.integrators.bdf1.method import BDF1
from dalembert.integrators.bdf2.method import BDF2
from dalembert.integrators.galerkin.method import GalerkinVI
from dalembert.integrators.hyper.method import HyperReduced
from dalembert.integrators.linearly_implicit.method import LinearlyImplicitEuler
from dalembert.integrators.maximal.method import MaximalVI
from dalembert.integrators.minimal.method import MinimalVI
from dalembert.integrators.runge_kutta.method import RungeKutta
from dalembert.integrators.sdirk2.method import SDIRK2
from dalembert.integrators.semi_implicit_euler.method import SemiImplicitEuler
from dalembert.integrators.staggered.method import StaggeredEuler

INTEGRATORS = (
    MaximalVI,
    GalerkinVI,
    MinimalVI,
    BDF1,
    BDF2,
    SDIRK2,
    HyperReduced,
    RungeKutta,
    SemiImplicitEuler,
    LinearlyImplicitEuler,
    StaggeredEuler,
)
"""All methods, for tables and for messages."""

__all__ = [
    "BDF1",
    "BDF2",
    "INTEGRATORS",
    "SDIRK2",
    "GalerkinVI",
    "HyperReduced",
    "LinearlyImplicitEuler",
    "MaximalVI",
    "MinimalVI",
    "RungeKutta",
    "SemiImplicitEuler",
    "StaggeredEuler",
]
