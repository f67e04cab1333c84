"""Files that are not sound runs are refused with a reason, and nothing in them is executed."""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dalembert as da
from dalembert.run_file import VERSION
from dalembert.zoo import ZOO


def short_run(name: str) -> da.Trajectory:
    model = ZOO[name].build()
    return da.simulate(model, ZOO[name].start(model), duration=0.02, dt=0.002, every=2, integrator=da.MaximalVI())


def rewritten(path: Path, change: Callable[[dict[str, Any], dict[str, np.ndarray]], None]) -> Path:
    """The file with its header and arrays changed."""
    with np.load(path) as file:
        arrays = {name: file[name] for name in file.files}
    header = json.loads(arrays["header"].tobytes().decode())
    change(header, arrays)
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
    other = path.with_name("other.npz")
    with other.open("wb") as out:
        np.savez(out, **arrays)
    return other


def put_header(name: str, value: Any) -> Callable[[dict[str, Any], dict[str, np.ndarray]], None]:
    return lambda header, arrays: header.__setitem__(name, value)


def put_array(name: str, value: Any) -> Callable[[dict[str, Any], dict[str, np.ndarray]], None]:
    return lambda header, arrays: arrays.__setitem__(name, value)


FAULTS = {
    "newer": (put_header("version", VERSION + 1), r"format 2.*formats up to 1; update dalembert"),
    "version": (put_header("version", "one"), r"version: expected a whole number"),
    "other program": (put_header("format", "something"), "not a run saved by dalembert"),
    "NaN": (put_header("dt", float("nan")), "damaged: header: expected finite numbers, found NaN"),
    "infinity": (put_header("wall_time", float("inf")), "damaged: header: expected finite numbers, found Infinity"),
    "huge": (put_header("dt", 10**400), "damaged"),
    "negative": (put_header("dt", -0.1), "damaged: header, dt: expected a positive finite number"),
    "every": (put_header("every", 0), "damaged: header, every: expected a whole number from 1"),
    "missing key": (lambda header, arrays: header.pop("dt"), r"damaged or cut short \(KeyError: 'dt'\)"),
    "missing array": (lambda header, arrays: arrays.pop("record.velocity"), r"record\.velocity: .* found none"),
    "shape": (put_array("record.position", np.zeros((6, 2, 2))), r"record\.position: expected .* \(6, 2, 3\)"),
    "one row": (put_array("record.position", np.zeros((1, 2, 3))), r"record\.position: expected .* \(6, 2, 3\)"),
    "type": (put_array("record.position", np.zeros((6, 2, 3), np.float32)), r"expected 64-bit numbers.*float32"),
    "NaN in a pose": (put_array("final.position", np.full((2, 3), np.nan)), r"final\.position: expected finite"),
    "index": (put_array("system.joint_child", np.array([0, 5])), r"system\.joint_child: expected indices within"),
    "incidence": (put_array("system.incidence_start", np.array([0, 3, 4])), r"system\.incidence_start: expected"),
    "no instants": (put_array("time", np.zeros(0)), "time: expected at least one instant"),
    "kind": (
        lambda header, arrays: header["model"]["joints"][0]["kind"].__setitem__("class", "os"),
        "no joint kind or shape called 'os'",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_wrong_inside_is_said(fault: str, tmp_path: Path) -> None:
    change, message = FAULTS[fault]
    path = rewritten(short_run("double_pendulum").save(tmp_path / "run.npz"), change)
    with pytest.raises(da.ModelError, match=message) as caught:
        da.load_run(path)
    assert str(caught.value).startswith(str(path))


class Pickled:
    """Would run code when unpickled."""

    def __reduce__(self) -> Any:
        return os.abort, ()


def test_pickled_objects_are_never_read(tmp_path: Path) -> None:
    path = short_run("pendulum").save(tmp_path / "run.npz")
    evil = np.array([Pickled()], dtype=object)
    other = tmp_path / "evil.npz"
    with np.load(path) as file:
        arrays = {name: file[name] for name in file.files} | {"record.position": evil}
    np.savez(other, **arrays)  # pyright: ignore[reportArgumentType]
    with pytest.raises(da.ModelError, match="pickled Python objects, which are never read"):
        da.load_run(other)


def test_files_that_are_something_else(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("not a run")
    empty = tmp_path / "empty.npz"
    empty.touch()
    array = tmp_path / "array.npy"
    np.save(array, np.zeros(3))
    others = tmp_path / "others.npz"
    np.savez(others, x=np.zeros(3))
    for path in (text, empty, array, others):
        with pytest.raises(da.ModelError, match="not a run saved by dalembert"):
            da.load_run(path)
    with pytest.raises(FileNotFoundError):
        da.load_run(tmp_path / "nowhere.npz")


@pytest.mark.parametrize("part", [0.1, 0.5, 0.9, 0.999])
def test_a_file_that_was_cut_short(part: float, tmp_path: Path) -> None:
    path = short_run("pendulum").save(tmp_path / "run.npz")
    whole = path.read_bytes()
    path.write_bytes(whole[: int(part * len(whole))])
    with pytest.raises(da.ModelError, match="damaged or cut short"):
        da.load_run(path)


def test_a_flipped_bit_is_noticed(tmp_path: Path) -> None:
    path = short_run("pendulum").save(tmp_path / "run.npz")
    whole = bytearray(path.read_bytes())
    with zipfile.ZipFile(io.BytesIO(bytes(whole))) as archive:
        entry = archive.getinfo("record.position.npy")
    # past the local header of 30 bytes, its name and extra field, and the header of the array
    whole[entry.header_offset + 30 + len(entry.filename) + 20 + 128 + 5] ^= 4
    path.write_bytes(bytes(whole))
    with pytest.raises(da.ModelError, match=r"damaged or cut short.*CRC"):
        da.load_run(path)
