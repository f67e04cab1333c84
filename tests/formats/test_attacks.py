"""Files that want something else than to be read: refused at once, and nothing outside of them is opened."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from formats.sound_urdf import SOUND, line_of

import dalembert as da
from dalembert.formats.paths import Reach

MESH = 'filename="meshes/upper.stl"'
HEAD = '<?xml version="1.0"?>\n'

ENTITY_BOMB = (
    HEAD
    + "<!DOCTYPE robot ["
    + '<!ENTITY a0 "aaaaaaaaaaaaaaaa">'
    + "".join(f'<!ENTITY a{k + 1} "' + f"&a{k};" * 16 + '">' for k in range(16))
    + ']>\n<robot name="&a16;"/>'
)
XML_ATTACKS = {
    "entity bomb": (ENTITY_BOMB, "expected a document without a DOCTYPE or entities"),
    "external entity": (
        HEAD + '<!DOCTYPE robot [<!ENTITY x SYSTEM "secret.txt">]>\n<robot name="&x;"/>',
        "expected a document without a DOCTYPE or entities",
    ),
    "external document type": (HEAD + '<!DOCTYPE robot SYSTEM "secret.txt">\n<robot/>', "without a DOCTYPE"),
    "document type from the network": (
        HEAD + '<!DOCTYPE robot SYSTEM "http://127.0.0.1:9/x.dtd">\n<robot/>',
        "without a DOCTYPE",
    ),
    "parameter entity": (HEAD + '<!DOCTYPE r [<!ENTITY % x SYSTEM "secret.txt"> %x;]>\n<r/>', "without a DOCTYPE"),
    "entity without a declaration": (HEAD + '<robot name="&x;"/>', "undefined entity"),
    "depth": (HEAD + "<robot>" * 100_000, "expected elements nested at most 64 deep"),
    "many elements": (HEAD + '<robot name="x">' + "<link/>" * 400_000 + "</robot>", "at most 50000 elements"),
    "many attributes": (
        HEAD + "<robot " + " ".join(f'a{k}="1"' for k in range(100_000)) + "/>",
        "expected at most 64 attributes",
    ),
    "huge attribute": (
        HEAD + '<robot name="' + "x" * 5_000_000 + '"/>',
        "expected attributes of at most 65536 characters",
    ),
    "huge text": (HEAD + "<robot>" + "x" * 5_000_000 + "</robot>", "expected text of at most 65536 characters"),
    "tens of thousands of faults": (HEAD + '<robot name="x">' + "<x/>" * 40_000 + "</robot>", "found <x>"),
    "UTF-16": ((HEAD + '<robot name="x"/>').encode("utf-16"), "expected text in UTF-8, found UTF-16"),
    "another encoding": ('<?xml version="1.0" encoding="shift_jis"?><robot/>', "expected"),
    "binary": (bytes(range(256)) * 100, "expected well-formed XML"),
    "pickled array": (b"\x93NUMPY\x01\x00v\x00{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", "expected"),
    "nothing": (b"", "expected well-formed XML, found no element found"),
}

PATHS = {
    "absolute": ("/etc/passwd", 'found the absolute path "/etc/passwd"'),
    "upwards": ("../secret.txt", 'without "..", found "../secret.txt"'),
    "upwards in the middle": ("meshes/../../secret.txt", 'without ".."'),
    "upwards out of a package": ("package://arm/../../secret.txt", 'without ".."'),
    "absolute package": ("package:///etc/passwd", "the absolute path"),
    "file address": ("file:///etc/passwd", "which is another kind of address"),
    "network": ("http://127.0.0.1:9/upper.stl", "which is another kind of address"),
    "secure network": ("https://127.0.0.1:9/upper.stl", "which is another kind of address"),
    "file transfer": ("ftp://127.0.0.1:9/upper.stl", "which is another kind of address"),
    "data address": ("data:model/stl;base64,AAAA", "which is another kind of address"),
    "backslashes": ("..\\secret.txt", "with / between folders"),
    "drive": ("C:/secret.txt", "which is another kind of address"),
    "network share": ("//127.0.0.1/upper.stl", "the absolute path"),
    "nothing": (" ", "expected a text that is not empty"),
}


@pytest.fixture
def opened() -> Iterator[list[str]]:
    """Every file and socket that Python opens while a test runs."""
    seen: list[str] = []
    active = True

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        if active and event in ("open", "socket.connect", "socket.getaddrinfo", "subprocess.Popen", "os.system"):
            seen.append(f"{event} {arguments[0]}")

    sys.addaudithook(hook)
    yield seen
    active = False


def refused(path: Path) -> tuple[da.ModelFileError, float]:
    begun = time.process_time()
    with pytest.raises(da.ModelFileError) as caught:
        da.load(path)
    return caught.value, time.process_time() - begun


@pytest.mark.parametrize("name", XML_ATTACKS)
def test_hostile_xml_is_refused_at_once(name: str, tmp_path: Path, opened: list[str]):
    text, said = XML_ATTACKS[name]
    (tmp_path / "secret.txt").write_text("the secret", encoding="utf-8")
    path = tmp_path / "robot.urdf"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    opened.clear()
    error, seconds = refused(path)
    assert said in str(error)
    assert "the secret" not in str(error)
    assert seconds < 1.0
    assert [entry for entry in opened if ".py" not in entry] == [f"open {path}"]


@pytest.mark.parametrize("name", PATHS)
def test_a_path_that_leads_out_is_refused(name: str, tmp_path: Path, opened: list[str]):
    reference, said = PATHS[name]
    folder = tmp_path / "robot"
    folder.mkdir()
    (tmp_path / "secret.txt").write_text("the secret", encoding="utf-8")
    text = SOUND.replace(MESH, f'filename="{reference}"')
    path = folder / "robot.urdf"
    path.write_text(text, encoding="utf-8")
    opened.clear()
    error, seconds = refused(path)
    line = line_of(text, f'filename="{reference}"')
    assert str(error).startswith(f"{path}:{line}: error: ")
    assert said in str(error)
    assert seconds < 1.0
    assert [entry for entry in opened if ".py" not in entry] == [f"open {path}"]


def test_a_link_in_the_file_system_cannot_lead_out(tmp_path: Path):
    inside, outside = tmp_path / "robot", tmp_path / "outside"
    inside.mkdir()
    outside.mkdir()
    (outside / "x.stl").write_text("solid", encoding="utf-8")
    (inside / "x.stl").symlink_to(outside / "x.stl")
    (inside / "folder").symlink_to(outside)
    reach = Reach.of(inside / "robot.urdf")
    assert reach.find("x.stl") is None
    assert reach.find("folder/x.stl") is None
    assert Reach.of(inside / "robot.urdf", [outside]).find("x.stl") == (outside / "x.stl").resolve()


def test_packages_are_found_in_the_search_paths_only(tmp_path: Path):
    package = tmp_path / "share" / "arm"
    (package / "meshes").mkdir(parents=True)
    mesh = package / "meshes" / "x.stl"
    mesh.write_text("solid", encoding="utf-8")
    file = package / "urdf" / "arm.urdf"
    reference = "package://arm/meshes/x.stl"
    assert Reach.of(file).find(reference) is None
    assert Reach.of(file, [tmp_path / "share"]).find(reference) == mesh.resolve()
    assert Reach.of(file, [package]).find(reference) == mesh.resolve()
    assert Reach.of(file, [package]).find("package://leg/meshes/x.stl") is None


def test_a_device_is_not_a_file(tmp_path: Path):
    pipe = tmp_path / "robot.urdf"
    os.mkfifo(pipe)
    error, seconds = refused(pipe)
    assert "expected a file, found something else" in str(error)
    assert seconds < 1.0


def test_a_huge_file_is_refused_before_it_is_read(tmp_path: Path):
    path = tmp_path / "robot.urdf"
    with path.open("wb") as file:
        file.truncate(10 * 2**30)
    error, seconds = refused(path)
    assert "expected at most 33554432 bytes, found 10737418240" in str(error)
    assert seconds < 1.0


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path):
    assert "found nothing of this name" in str(refused(tmp_path / "robot.urdf")[0])
    (tmp_path / "x.urdf").mkdir()
    assert "found something else" in str(refused(tmp_path / "x.urdf")[0])


def test_other_endings_are_refused(tmp_path: Path):
    assert "let xacro write the URDF first" in str(refused(tmp_path / "robot.xacro")[0])
    (tmp_path / "x.xml").write_text("<sdf/>", encoding="utf-8")
    assert "found <sdf>" in str(refused(tmp_path / "x.xml")[0])
