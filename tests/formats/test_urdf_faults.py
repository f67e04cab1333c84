"""URDF files that are wrong in one way each: all refused, each with its line."""

from __future__ import annotations

from pathlib import Path

import pytest
from formats.sound_urdf import SOUND, line_of

import dalembert as da

MOUNT = """  <joint name="mount" type="fixed">
    <parent link="lower"/>
    <child link="tool"/>
    <origin xyz="0 0 -0.5"/>
  </joint>
"""
# what stands in the sound file, what stands there instead, a fragment on the line at fault, what the message says
CASES = {
    "comma in a number": (
        'value="1.5"',
        'value="1,5"',
        'value="1,5"',
        "mass, value: expected a number (kg), found '1,5'",
    ),
    "unit in a number": ('value="1.5"', 'value="1.0kg"', "1.0kg", "found '1.0kg'"),
    "NaN": ('value="1.5"', 'value="nan"', '"nan"', "expected a number (kg), found 'nan'"),
    "infinity": ('upper="2"', 'upper="inf"', '"inf"', "upper: expected a number (rad)"),
    "overflow": ('value="1.5"', 'value="1e999"', "1e999", "expected a number (kg)"),
    "hexadecimal": ('value="1.5"', 'value="0x10"', "0x10", "expected a number (kg)"),
    "underscore": ('value="1.5"', 'value="1_0"', "1_0", "expected a number (kg)"),
    "empty number": ('value="1.5"', 'value=""', 'value=""', "expected a number (kg), found ''"),
    "negative mass": ('value="1.5"', 'value="-1.5"', '"-1.5"', "value: expected nothing negative (kg), found '-1.5'"),
    "negative inertia": ('izz="0.01"', 'izz="-0.01"', "-0.01", 'izz: expected nothing negative (kg m²), found "-0.01"'),
    "inertia of no body": ('izz="0.01"', 'izz="10"', 'izz="10"', "at most the sum of the others"),
    "inertia that is indefinite": ('iyz="0.001"', 'iyz="0.9"', 'iyz="0.9"', "not negative (kg m²), found principal"),
    "inertia of a point": (
        'ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0.001" izz="0.005"',
        'ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"',
        'ixx="0" ixy="0" ixz="0" iyy="0"',
        'link "lower", inertia: expected positive principal moments',
    ),
    "missing mass": (
        '<mass value="1.5"/>',
        "",
        '<inertial>\n      <origin xyz="0 0 -0.5"',
        "expected a <mass>, found none",
    ),
    "missing component of the inertia": (' izz="0.01"', "", 'ixx="0.125"', 'expected an attribute "izz", found none'),
    "moving link without mass": (
        '<mass value="0.2"/>\n      <inertia ixx="0.001" ixy="0" ixz="0" iyy="0.001" iyz="0" izz="0.001"/>',
        '<mass value="0"/>\n      <inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/>',
        '<link name="slider">',
        "expected a mass, because it moves and carries nothing",
    ),
    "link without a name": ('<link name="tool"/>', "<link/>", "<link/>", 'expected an attribute "name", found none'),
    "empty name": ('<link name="tool"/>', '<link name=""/>', 'name=""', "name: expected a text that is not empty"),
    "two links of one name": ('name="slider"', 'name="tool"', '<link name="tool">', "a name that line 28 has taken"),
    "two joints of one name": (
        'name="elbow" type',
        'name="shoulder" type',
        'name="shoulder" type="c',
        "different names",
    ),
    "unknown parent": ('parent link="base"', 'parent link="bse"', '"bse"', 'found "bse"; did you mean "base"'),
    "unknown child": ('child link="lower"', 'child link="lwer"', '"lwer"', 'found "lwer"; did you mean "lower"'),
    "unknown element": (
        "<inertial>\n      <mass",
        "<inertal/>\n      <inertial><mass",
        "<inertal/>",
        "found <inertal>; did you mean",
    ),
    "unknown attribute": ('effort="50"', 'efort="50"', "efort", 'found efort="50"; did you mean "effort"'),
    "unknown type of joint": ('type="continuous"', 'type="hinge"', '"hinge"', "type: expected one of revolute"),
    "joint without a type": (' type="continuous"', "", 'name="elbow"', 'expected an attribute "type"'),
    "joint without a parent": ('<parent link="base"/>', "", 'name="shoulder"', "expected a <parent>, found none"),
    "joint without a child": ('<child link="upper"/>', "", 'name="shoulder"', "expected a <child>, found none"),
    "joint between a link and itself": (
        '<child link="tool"/>',
        '<child link="lower"/>',
        'name="mount"',
        'expected two different links, found "lower" twice',
    ),
    "two parents": (
        '<child link="tool"/>',
        '<child link="upper"/>',
        'name="mount"',
        'one joint that places link "upper"',
    ),
    "loop without a loop joint": (
        '<parent link="base"/>',
        '<parent link="lower"/>',
        'name="shoulder"',
        "found a loop of links: upper → lower → upper",
    ),
    "two roots": (
        MOUNT,
        "",
        '<link name="tool"/>',
        'link "tool": expected a joint that places it',
    ),
    "no limit": ('<limit lower="-2" upper="2" effort="50" velocity="3"/>', "", 'name="shoulder"', "expected a <limit>"),
    "limits upside down": ('lower="-2"', 'lower="3"', 'lower="3"', "expected a lower limit below the upper one"),
    "negative damping": ('damping="0.1"', 'damping="-0.1"', '"-0.1"', "damping: expected nothing negative"),
    "negative friction": ('friction="0.2"', 'friction="-0.2"', '"-0.2"', "friction: expected nothing negative"),
    "negative effort": ('effort="50"', 'effort="-50"', '"-50"', "effort: expected nothing negative"),
    "axis without direction": (
        '<axis xyz="0 0 1"/>',
        '<axis xyz="0 0 0"/>',
        '<axis xyz="0 0 0"/>',
        'xyz: expected a direction, found "0 0 0"',
    ),
    "two numbers for three": (
        'xyz="0 0 -1"',
        'xyz="0 -1"',
        '"0 -1"',
        "xyz: expected 3 numbers with spaces between them",
    ),
    "commas between numbers": ('xyz="0 0 -1"', 'xyz="0,0,-1"', "0,0,-1", "xyz: expected 3 numbers with spaces"),
    "two origins": (
        '<origin xyz="0 0 -0.25"/>',
        '<origin xyz="0 0 -0.25"/>\n      <origin xyz="1 0 0"/>',
        '<origin xyz="1 0 0"/>',
        "expected one <origin>, found another one",
    ),
    "two shapes": (
        '<cylinder radius="0.05" length="0.5"/>',
        '<cylinder radius="0.05" length="0.5"/><sphere radius="1"/>',
        "<sphere",
        "expected one shape",
    ),
    "unknown shape": ("<cylinder ", "<cilinder ", "<cilinder", 'found <cilinder>; did you mean "cylinder"'),
    "negative radius": ('radius="0.05"', 'radius="-0.05"', "-0.05", "radius: expected nothing negative"),
    "no geometry": (
        '<geometry><cylinder radius="0.05" length="0.5"/></geometry>',
        "",
        "<collision></collision>",
        "expected a <geometry>, found none",
    ),
    "text between the tags": ('<child link="lower"/>', '<child link="lower"/>12', 'name="elbow"', "no text between"),
    "mimic of nothing": ('mimic joint="elbow"', 'mimic joint="elbw"', "elbw", 'found "elbw"; did you mean "elbow"'),
    "mimic of itself": ('mimic joint="elbow"', 'mimic joint="slide"', '"slide" multiplier', "follow each other"),
    "mimic without a joint": ('mimic joint="elbow" ', "mimic ", "<mimic", 'expected an attribute "joint"'),
    "no name of the robot": (' name="arm"', "", "<robot>", 'expected an attribute "name"'),
    "another root": ("<robot name", "<robt name", "<robt name", "expected a <robot>"),
    "xacro": ('<link name="tool"/>', "<xacro:link/>", "<xacro:link/>", "this is a xacro file"),
    "two attributes of one name": ('value="0.5"', 'value="0.5" value="1"', 'value="0.5" value', "duplicate attribute"),
    "a tag that is not closed": (
        '  </link>\n  <link name="tool"/>',
        '  <link name="tool"/>',
        "</robot>",
        "mismatched tag",
    ),
}


def written(folder: Path, text: str) -> Path:
    path = folder / "robot.urdf"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", CASES)
def test_a_fault_is_refused_with_its_line(name: str, tmp_path: Path):
    old, new, fragment, said = CASES[name]
    assert SOUND.count(old) == 1
    text = SOUND.replace(old, new)
    if name == "another root":
        text = text.replace("</robot>", "</robt>")
    path = written(tmp_path, text)
    with pytest.raises(da.ModelFileError) as caught:
        da.load(path)
    first = caught.value.findings[0]
    assert first.startswith(f"{path}:{line_of(text, fragment)}: error: "), first
    assert said in first


def test_the_sound_file_is_sound(tmp_path: Path):
    model = da.load(written(tmp_path, SOUND))
    assert list(model.bodies) == ["upper", "lower", "slider"]


def test_all_faults_are_listed_in_one_go(tmp_path: Path):
    text = (
        SOUND.replace('value="1.5"', 'value="x"').replace('damping="0.1"', 'damping="y"').replace("<axis ", "<axes ", 1)
    )
    with pytest.raises(da.ModelFileError) as caught:
        da.load(written(tmp_path, text))
    assert len(caught.value.findings) == 3


def test_an_attribute_has_its_own_line(tmp_path: Path):
    text = SOUND.replace('<mass value="1.5"/>', '<mass\n\n  value="x"\n/>')
    line = line_of(text, 'value="x"')
    with pytest.raises(da.ModelFileError, match=f":{line}: error"):
        da.load(written(tmp_path, text))


def test_repair_takes_the_nearest_inertia_of_a_body(tmp_path: Path):
    path = written(tmp_path, SOUND.replace('izz="0.01"', 'izz="0.4"'))
    with pytest.raises(da.ModelFileError, match="repair_inertia=True"):
        da.load(path)
    with pytest.warns(da.ModelFileWarning, match="repaired from principal moments 0.125, 0.125, 0.4"):
        model = da.load(path, repair_inertia=True)
    # second moments along the axes: 0.2, 0.2 and −0.075, which becomes zero: a flat plate
    moments = sorted(model.bodies["upper"].inertia.diagonal().tolist())
    assert moments == pytest.approx([0.2, 0.2, 0.4], rel=0, abs=1e-12)


CAMERA = """<link name="tool"><inertial>
    <mass value="1e-3"/>
    <inertia ixx="1e-6" ixy="1e-6" ixz="1e-6" iyy="1e-6" iyz="1e-6" izz="1e-6"/>
  </inertial></link>"""


def test_a_part_of_a_body_is_judged_by_the_body(tmp_path: Path):
    # moments 0, 0 and 3e-6: no camera has them, but the arm that it sits on is sound with it
    text = SOUND.replace('<link name="tool"/>', CAMERA)
    urdf = da.read_urdf(written(tmp_path, text))
    urdf.build()
    place = f"{urdf.path}:{line_of(text, CAMERA) + 2}"
    said = [note.text for note in urdf.notes if note.place == place]
    assert said[0].startswith('link "tool", inertia: expected the largest principal moment to be at most the sum')
    with pytest.raises(da.ModelFileError, match='link "tool", inertia: expected the largest'):
        urdf.build(merge_fixed=False)


def test_a_negative_moment_is_refused_wherever_it_is(tmp_path: Path):
    text = SOUND.replace('<link name="tool"/>', CAMERA.replace('ixy="1e-6"', 'ixy="2e-6"'))
    with pytest.raises(da.ModelFileError, match='link "tool", inertia: expected principal moments that are not neg'):
        da.load(written(tmp_path, text))
