"""The arrays of a system from a file: kernels trust their sizes and indices, so nothing unchecked reaches them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from dalembert.model.system import (
    CURVE_FRAME,
    CURVE_STEP,
    CUSTOM,
    FACTOR_WIDTH,
    FRAME,
    FRAME_AND_STEP,
    GEAR,
    GRID,
    LINEAR,
    PRODUCT,
    System,
)

Arrays = dict[str, np.ndarray]

# shapes in letters: n bodies, w = n + 1, m joints, s = m + 1, e edges of the incidence list, l joints that close loops
_FLOATS: Final[dict[str, tuple[str | int, ...]]] = {
    "gravity": (3,),
    "mass": ("w",),
    "inertia": ("w", 3, 3),
    "parent_point": ("m", 3),
    "parent_frame": ("m", 4),
    "child_point": ("m", 3),
    "child_frame": ("m", 4),
    "parameter": ("m",),
    "offset": ("m",),
    "stiffness": ("m", 6),
    "damping": ("m", 6),
    "rest": ("m", 6),
    "armature": ("m", 6),
    "product_data": ("d",),
}
_INTEGERS: Final[dict[str, tuple[str | int, ...]]] = {
    "joint_kind": ("m",),
    "joint_parent": ("m",),
    "joint_child": ("m",),
    "locked": ("m", 6),
    "gear_joint": ("m", 2),
    "gear_component": ("m", 2),
    "incidence_start": ("s",),
    "incidence_body": ("e",),
    "q_start": ("m",),
    "v_start": ("m",),
    "n_coordinates": ("m",),
    "n_rates": ("m",),
    "tree_joint": ("n",),
    "tree_body": ("n",),
    "tree_parent": ("n",),
    "tree_reversed": ("n",),
    "loop_joint": ("l",),
    "product_start": ("s",),
    "product_factor": ("f", FACTOR_WIDTH),
}


def checked_array(arrays: Mapping[str, Any], name: str, shape: tuple[int, ...], *, finite: bool = True) -> np.ndarray:
    """The array of that name as floats, writable. Raises `ValueError` unless it has that shape and holds numbers."""
    array = _checked(arrays, name, shape, "f")
    if finite and not np.isfinite(array).all():
        raise ValueError(f"{name}: expected finite numbers, found NaN or infinity")
    return array


def checked_integers(arrays: Mapping[str, Any], name: str, shape: tuple[int, ...]) -> np.ndarray:
    """The array of that name as integers, writable. Raises `ValueError` unless it has that shape and holds integers."""
    return _checked(arrays, name, shape, "i")


def _checked(arrays: Mapping[str, Any], name: str, shape: tuple[int, ...], kind: str) -> np.ndarray:
    if name not in arrays:
        raise ValueError(f"{name}: expected an array of shape {shape}, found none")
    array = arrays[name]
    if array.shape != shape or array.dtype.kind != kind or array.dtype.itemsize != 8:
        expected = "64-bit numbers" if kind == "f" else "64-bit integers"
        raise ValueError(f"{name}: expected {expected} of shape {shape}, found {array.dtype} of shape {array.shape}")
    return array


def checked_system(arrays: Mapping[str, Any], n: int, m: int, n_q: int, n_v: int) -> System:
    """The system of n bodies and m joints. Raises `ValueError` where a shape or an index is impossible."""
    edges = int(np.size(arrays.get("system.incidence_body", ())))
    if "system.product_start" not in arrays:
        # a file from before there were joints of this kind
        arrays = {**arrays, **{f"system.{name}": value for name, value in no_products(m).items()}}
    factors, data = (len(arrays[f"system.product_{name}"]) for name in ("factor", "data"))
    sizes = {"n": n, "w": n + 1, "m": m, "s": m + 1, "e": edges, "l": m - n, "f": factors, "d": data}
    found: dict[str, Any] = {}
    for table, check in ((_FLOATS, checked_array), (_INTEGERS, checked_integers)):
        for name, letters in table.items():
            shape = tuple(sizes[size] if isinstance(size, str) else size for size in letters)
            found[name] = check(arrays, f"system.{name}", shape)
    coordinates, rates = int(found["n_coordinates"].sum()), int(found["n_rates"].sum())
    ranges: dict[str, tuple[int, Any]] = {
        "joint_kind": (0, PRODUCT),
        "joint_parent": (0, n),
        "joint_child": (0, n),
        "locked": (0, 1),
        "gear_joint": (-1, m - 1),
        "gear_component": (-1, 5),
        "incidence_start": (0, edges),
        "incidence_body": (0, n),
        "n_coordinates": (0, 7),
        "n_rates": (0, 6),
        "q_start": (0, coordinates - found["n_coordinates"]),
        "v_start": (0, rates - found["n_rates"]),
        "tree_joint": (0, m - 1),
        "tree_body": (0, n - 1),
        "tree_parent": (0, n),
        "tree_reversed": (0, 1),
        "loop_joint": (0, m - 1),
    }
    for name, (low, high) in ranges.items():
        if np.any(found[name] < low) or np.any(found[name] > high):
            raise ValueError(f"system.{name}: expected indices within the model, found others")
    _check_incidence(found, edges)
    check_factors(found)
    if not (0 <= n_q <= coordinates and 0 <= n_v <= rates):
        raise ValueError(f"the model: expected at most {coordinates} coordinates and {rates} rates of the tree")
    return System(**found, n_q=n_q, n_v=n_v)


def _check_incidence(found: Mapping[str, np.ndarray], edges: int) -> None:
    """Joints touch two bodies, gears four, custom constraints as many as they like."""
    start, kind = found["incidence_start"], found["joint_kind"]
    touched = np.diff(start)
    wanted = np.where(kind == CUSTOM, np.maximum(touched, 1), np.where(kind == GEAR, 4, 2))
    gears = found["gear_joint"][kind == GEAR]
    if start[0] != 0 or start[-1] != edges or np.any(touched != wanted) or np.any(gears < 0):
        raise ValueError("system.incidence_start: expected the bodies of every joint in turn, found something else")


def no_products(m: int) -> Arrays:
    """The arrays of m joints none of which is a product of exponentials."""
    return {
        "product_start": np.zeros(m + 1, np.int64),
        "product_factor": np.zeros((0, FACTOR_WIDTH), np.int64),
        "product_data": np.zeros(0),
    }


def check_factors(found: Mapping[str, np.ndarray]) -> None:
    """Factors of products lie one joint after the other, and speak of coordinates and data that there are."""
    start, table, size = found["product_start"], found["product_factor"], found["product_data"].size
    sound = start[0] == 0 and start[-1] == len(table) and not np.any(np.diff(start) < 0)
    sound = sound and np.array_equal(np.diff(start) > 0, found["joint_kind"] == PRODUCT)
    if sound:
        coordinates = np.repeat(found["n_rates"], np.diff(start))
        for (kind, c, second, at, rows, columns), n in zip(table.tolist(), coordinates.tolist(), strict=True):
            curve = kind in (CURVE_FRAME, CURVE_STEP)
            sound = sound and 0 <= kind <= CURVE_STEP and at >= 0
            sound = sound and (kind == FRAME or 0 <= c < n) and (kind != GRID or 0 <= second < n)
            sound = sound and (kind != CURVE_STEP or 1 <= second <= 3) and (not curve or columns in (0, 1))
            sound = sound and (rows > 0 if curve else kind != GRID or min(rows, columns) > 0)
            grid = 6 + (rows + 3) * (columns + 3)
            needed = {FRAME: 7, LINEAR: 6, GRID: grid}.get(kind, FRAME_AND_STEP * (rows + 3))
            sound = sound and at + needed <= size
    if not sound:
        raise ValueError("system.product_factor: expected factors within the model, found others")
