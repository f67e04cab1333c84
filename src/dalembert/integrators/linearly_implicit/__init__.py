"""Linearly implicit Euler: one step of Newton's method on implicit Euler, from where the mechanism is."""
