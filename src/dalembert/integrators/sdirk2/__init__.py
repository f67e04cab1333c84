"""SDIRK2 on reduced coordinates."""
