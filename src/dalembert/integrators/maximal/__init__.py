"""Variational integrators in maximal coordinates: seeds [Brüdigam 2020] and [Brüdigam 2023], second order."""
