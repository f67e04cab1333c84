"""Rotations, rigid motions and small vectors: pure functions of numbers and tuples, compiled and inlined everywhere."""
