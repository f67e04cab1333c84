"""Integration methods: one folder or file each, and the frozen object that users hold."""

from dalembert.integrators.maximal.method import MaximalVI

INTEGRATORS = (MaximalVI,)
"""All methods, for tables and for messages."""

__all__ = ["INTEGRATORS", "MaximalVI"]
