"""Models from URDF: what moves, where it is, and the same equations of motion as Pinocchio reads from the file."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from formats.sound_urdf import SOUND, line_of

import dalembert as da
from dalembert.formats.paths import Reach
from dalembert.formats.urdf.read import read_elements
from dalembert.formats.xml_reader import Remarks
from dalembert.formats.xml_source import parse_xml
from dalembert.studies.against_pinocchio import against_pinocchio

ROD = '<inertial><origin xyz="0.5 0 0"/><mass value="1"/>{}</inertial>'.format(
    '<inertia ixx="0.001" ixy="0" ixz="0" iyy="0.083" iyz="0" izz="0.083"/>'
)
FOUR_BAR = f"""<robot name="four_bar">
  <link name="world"/>
  <link name="crank">{ROD}</link>
  <link name="coupler">{ROD}</link>
  <link name="rocker">{ROD}</link>
  <joint name="a" type="continuous">
    <parent link="world"/><child link="crank"/><axis xyz="0 1 0"/><origin rpy="0 -1.5707963267948966 0"/>
  </joint>
  <joint name="b" type="continuous">
    <parent link="crank"/><child link="coupler"/><axis xyz="0 1 0"/><origin xyz="1 0 0" rpy="0 1.5707963267948966 0"/>
  </joint>
  <joint name="c" type="continuous">
    <parent link="world"/><child link="rocker"/><axis xyz="0 1 0"/><origin xyz="1 0 0" rpy="0 -1.5707963267948966 0"/>
  </joint>
  <loop_joint name="d" type="continuous">
    <parent link="coupler"/><child link="rocker"/><axis xyz="0 1 0"/><origin xyz="1 0 0"/>{{}}
  </loop_joint>
</robot>"""


LAST = '<child link="coupler"/><axis xyz="0 1 0"/><origin xyz="1 0 1"/>'


def read(folder: Path, text: str) -> da.Urdf:
    path = folder / "robot.urdf"
    path.write_text(text, encoding="utf-8")
    return da.read_urdf(path)


def quiet(path: Path, **options: Any) -> da.Model:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", da.ModelFileWarning)
        return da.load(path, **options)


def test_joints_have_what_the_file_says(tmp_path: Path):
    model = read(tmp_path, SOUND).build()
    shoulder, elbow, slide = (model.joints[name] for name in ("shoulder", "elbow", "slide"))
    assert (shoulder.kind.name, elbow.kind.name, slide.kind.name) == ("Revolute", "Revolute", "Prismatic")
    assert shoulder.limits[5].tolist() == [-2.0, 2.0]
    assert shoulder.friction[5] == 0.2
    assert model.system.damping[shoulder.index, 5] == 0.1
    assert not np.isfinite(elbow.limits).any()
    assert slide.limits[2].tolist() == [-0.5, 0.5]


def test_choices_leave_limits_friction_and_damping_out(tmp_path: Path):
    model = read(tmp_path, SOUND).build(limits=False, friction=False, damping=False)
    assert not any(np.isfinite(joint.limits).any() or joint.friction.any() for joint in model.joints.values())
    assert not model.system.damping.any()


def test_a_link_without_mass_is_a_frame_of_the_body_it_is_fixed_to(tmp_path: Path):
    model = read(tmp_path, SOUND).build()
    assert "tool" not in model.bodies
    assert model.frames["tool"].body == "lower"
    state = model.state(positions={"shoulder": np.pi / 2})
    # upper points along −x, 1 m long, lower 0.5 m
    assert np.allclose(model.frame_pose("tool", state)[0], (-1.5, 0.0, 1.0), rtol=0, atol=1e-15)


def test_every_link_is_a_frame_where_its_joint_puts_it(tmp_path: Path):
    model = read(tmp_path, SOUND).build()
    assert list(model.frames) == ["base", "upper", "lower", "slider", "tool"]
    state = model.state()
    assert model.frame_pose("upper", state)[0].tolist() == [0.0, 0.0, 1.0]
    assert np.allclose(state.position[0], (0.0, 0.0, 0.5), rtol=0, atol=1e-15)


def test_a_joint_that_follows_another_is_a_gear_that_holds_at_the_reference(tmp_path: Path):
    model = read(tmp_path, SOUND).build()
    gear = model.joints["slide:mimic"]
    assert isinstance(gear.kind, da.Gear)
    slide, elbow = model.joints["slide"].coordinates, model.joints["elbow"].coordinates
    start = model.state()
    assert start.coordinates[slide][0] == pytest.approx(0.05, rel=0, abs=1e-16)
    found = model.assemble(model.state(positions={"elbow": 0.7}), hold=("elbow",)).state.coordinates
    assert found[elbow][0] == pytest.approx(0.7, rel=0, abs=1e-12)
    assert found[slide][0] == pytest.approx(0.1 * 0.7 + 0.05, rel=0, abs=1e-12)


def test_a_root_with_mass_floats_and_its_joint_is_the_pose_of_its_frame(tmp_path: Path):
    text = SOUND.replace('<link name="base"/>', f'<link name="base">{ROD}</link>')
    urdf = read(tmp_path, text)
    model = urdf.build()
    assert model.joints["floating_base"].kind.name == "Floating"
    state = model.state(positions={"floating_base": ((1, 2, 3), (np.pi / 2, 0, 0))})
    assert np.allclose(model.frame_pose("base", state)[0], (1, 2, 3), rtol=0, atol=1e-15)
    assert np.allclose(state.position[0], (1.5, 2, 3), rtol=0, atol=1e-15)
    fixed = urdf.build(base="fixed")
    assert "base" not in fixed.bodies
    assert fixed.frames["base"].body == "world"


def test_a_base_that_cannot_float_is_refused(tmp_path: Path):
    urdf = read(tmp_path, SOUND)
    with pytest.raises(da.ModelFileError, match='base, link "base": expected a root link that can float'):
        urdf.build(base="floating")
    with pytest.raises(da.ModelFileError, match='expected "fixed", "floating" or None'):
        urdf.build(base="loose")


def test_fixed_links_with_mass_are_one_body_or_two(tmp_path: Path):
    text = SOUND.replace('<link name="tool"/>', f'<link name="tool">{ROD}</link>')
    urdf = read(tmp_path, text)
    one, two = urdf.build(), urdf.build(merge_fixed=False)
    assert (one.n_bodies, two.n_bodies) == (3, 4)
    assert two.joints["mount"].kind.name == "Fixed"
    assert one.bodies["lower"].mass == two.bodies["lower"].mass + two.bodies["tool"].mass
    positions = {"shoulder": 0.3, "elbow": -0.4}
    difference = one.mass_matrix(one.state(positions)) - two.mass_matrix(two.state(positions))
    # a body of several links and its links one by one carry the same inertia; entries are up to 4 kg m²
    assert np.abs(difference).max() < 1e-14


def test_a_loop_joint_closes_a_loop(tmp_path: Path):
    model = read(tmp_path, FOUR_BAR.format("")).build()
    assert model.loop_joints == ("d",)
    assembly = model.assemble(model.state(positions={"a": 0.3}), hold=("a",))
    assert assembly.dof == 1
    assert assembly.residual < 1e-12
    run = da.simulate(model, assembly.state, duration=1.0, dt=0.01, integrator=da.MaximalVI())
    assert run.constraint_error.max() < 1e-9


def test_the_joints_of_the_file_keep_the_coordinates(tmp_path: Path):
    # to the world it is two joints less by the loop joint
    text = FOUR_BAR.format("").replace('<parent link="coupler"/>', '<parent link="world"/>')
    model = read(tmp_path, text.replace('<child link="rocker"/><axis xyz="0 1 0"/><origin xyz="1 0 0"/>', LAST)).build()
    assert model.loop_joints == ("d",)


def test_a_loop_joint_may_say_where_it_sits_in_its_child(tmp_path: Path):
    model = read(tmp_path, FOUR_BAR.format('<child_origin xyz="1 0 0" rpy="0 1.5707963267948966 0"/>')).build()
    # the same place as it follows from the reference configuration
    assert model.assemble(model.state()).residual < 1e-12
    longer = read(tmp_path, FOUR_BAR.format('<child_origin xyz="1.1 0 0"/>')).build()
    assert longer.assemble(longer.state(positions={"a": 0.1}), hold=("a",)).residual < 1e-12


def test_a_link_without_mass_in_a_stack_of_joints_takes_no_visible_share(tmp_path: Path):
    bare = f'<link name="base"/><link name="a"/><link name="b"/><link name="c">{ROD}</link>'
    joint = '<joint name="{0}" type="continuous"><parent link="{1}"/><child link="{2}"/><axis xyz="{3}"/></joint>'
    joints = [("x", "base", "a", "1 0 0"), ("y", "a", "b", "0 1 0"), ("z", "b", "c", "0 0 1")]
    text = "".join(joint.format(*entry) for entry in joints)
    urdf = read(tmp_path, f'<robot name="stack">{bare}{text}</robot>')
    model = urdf.build()
    assert sum(body.mass for body in model.bodies.values()) == pytest.approx(1.0, rel=0, abs=1e-15)
    assert urdf.notes[0].text.startswith('link "a" moves and has no mass; it takes 1e-12 of the mass')
    assert against_pinocchio_if_there(urdf.path, model) < 1e-11


def test_what_is_not_mapped_is_listed(tmp_path: Path):
    text = SOUND.replace("</robot>", "<gazebo/><transmission/></robot>").replace('effort="50"', 'effort="50" jerk="1"')
    with pytest.warns(da.ModelFileWarning, match="read with 3 notes"):
        da.load(read(tmp_path, text).path)
    lines = [int(note.place.rsplit(":", 1)[1]) for note in read(tmp_path, text).notes]
    assert lines == [line_of(text, "jerk"), line_of(text, "<transmission"), line_of(text, "<gazebo")]


def test_a_file_that_is_written_and_read_again_is_the_same(tmp_path: Path):
    text = SOUND.replace("</robot>", '<gazebo reference="tool"><a b="&gt;"/>x</gazebo></robot>')
    for source in (text, FOUR_BAR.format('<child_origin xyz="0.1 0.2 0.30000000000000004"/>')):
        urdf = read(tmp_path, source)
        remarks = Remarks()
        again = read_elements(parse_xml(urdf.text.encode(), "again"), Reach.of(urdf.path), remarks)
        assert not remarks.faults.lines
        assert again == urdf.robot


def against_pinocchio_if_there(path: Path, model: da.Model) -> float:
    pytest.importorskip("pinocchio")
    return against_pinocchio(path, model, seed=1).worst


@pytest.mark.parametrize("floating", [False, True])
def test_equations_of_motion_are_those_that_pinocchio_reads(tmp_path: Path, floating: bool):
    text = SOUND.replace('xyz="0 0 -0.25"', 'xyz="0.1 0.05 -0.25" rpy="0.3 -0.2 0.5"')
    text = text.replace('<link name="tool"/>', f'<link name="tool">{ROD}</link>')
    text = text.replace('<origin xyz="0 0 -1"/>', '<origin xyz="0.1 0.2 -1" rpy="1 -2 3"/>')
    text = text.replace('<axis xyz="0 0 1"/>', '<axis xyz="1 2 3"/>')
    if floating:
        text = text.replace('<link name="base"/>', f'<link name="base">{ROD}</link>')
    urdf = read(tmp_path, text)
    # rounding of a chain of three joints
    assert against_pinocchio_if_there(urdf.path, urdf.build()) < 1e-13
