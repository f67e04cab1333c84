"""BDF1 on reduced coordinates."""
