"""BDF2 on reduced coordinates."""
