"""The survey of robot files: what loads is compared, what does not is listed with its line."""

from __future__ import annotations

from pathlib import Path

import pytest
from formats.sound_urdf import SOUND, line_of

from dalembert.studies.robot_files import look_through, markdown

pytest.importorskip("pinocchio")


def test_files_are_compared_or_listed_with_their_fault(tmp_path: Path):
    heavy = SOUND.replace('izz="0.01"', 'izz="10"')
    torn = SOUND.replace('effort="50"', 'efort="50"')
    texts = {"a.urdf": SOUND, "b.urdf": heavy, "c.urdf": torn, "d.urdf": '<robot name="floor"><link name="x"/></robot>'}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    sound, repaired, faulty, still = look_through([tmp_path / name for name in texts], tmp_path)
    assert sound.differences is not None and sound.differences.worst < 1e-13
    assert (sound.file, sound.bodies, sound.rates, sound.loops) == ("a.urdf", 3, 3, 1)
    assert repaired.repairs and not repaired.loads
    assert not faulty.repairs and not faulty.loads
    assert faulty.reason.startswith(f'line {line_of(torn, "efort")}: joint "shoulder", limit: expected known attri')
    assert still.loads and still.differences is None
    page = markdown([sound, repaired, faulty, still], "files")
    assert "2 of 4 load" in page
    assert page.count("| `c.urdf` | 1 | line ") == 1
