"""Integration methods: one folder or file each, and the frozen object that users hold."""

from dalembert.integrators.maximal.method import MaximalVI
from dalembert.integrators.minimal.method import MinimalVI
from dalembert.integrators.runge_kutta.method import RungeKutta
from dalembert.integrators.semi_implicit_euler.method import SemiImplicitEuler

INTEGRATORS = (MaximalVI, MinimalVI, RungeKutta, SemiImplicitEuler)
"""All methods, for tables and for messages."""

__all__ = ["INTEGRATORS", "MaximalVI", "MinimalVI", "RungeKutta", "SemiImplicitEuler"]
