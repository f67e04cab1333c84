"""MJCF, the format of MuJoCo: compiled by MuJoCo, which knows its defaults, and read from the compiled model."""
