"""Models from MJCF: MuJoCo's coordinates and equations of motion, its equalities as exact loops, no silence."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dalembert as da
from dalembert.studies.against_mujoco import against_mujoco, random_mujoco_state

mujoco: Any = pytest.importorskip("mujoco")

GEOM = '<geom type="box" size="0.1 0.2 0.3" density="500" pos="0.05 0.1 -0.2" euler="10 20 30"/>'
STACK = f"""<mujoco><compiler angle="radian"/><worldbody>
  <body name="trunk" pos="0.1 0.2 1" euler="0.1 0.2 0.3">
    <freejoint name="root"/>{GEOM}
    <body name="thigh" pos="0 0.2 -0.3" euler="0.3 0 0.5">
      <joint name="hip_x" axis="1 0.2 0" pos="0 0 0.1" damping="0.3" armature="0.01"/>
      <joint name="hip_y" axis="0 1 0" pos="0 0.05 0" ref="0.4" stiffness="3" springref="0.2"/>
      <joint name="hip_z" type="slide" axis="0 0.3 1" pos="0.1 0 0" range="-1 1"/>{GEOM}
      <site name="knee" pos="0 0 -0.5"/>
      <body name="shank" pos="0 0 -0.5">
        <joint name="ball" type="ball" pos="0 0 0.05" armature="0.02" stiffness="2"/>{GEOM}
        <body name="foot" pos="0 0 -0.4" euler="0 0.5 0">{GEOM}</body>
      </body>
    </body>
  </body>
  <body name="cart" pos="1 0 0">
    <joint name="slide" type="slide" axis="1 0 0" ref="0.3" frictionloss="0.5"/>{GEOM}</body>
</worldbody></mujoco>"""


def read(folder: Path, text: str) -> da.Mjcf:
    path = folder / "model.xml"
    path.write_text(text, encoding="utf-8")
    return da.read_mjcf(path)


def coordinates(mjcf: da.Mjcf, model: da.Model, state: da.State) -> np.ndarray:
    """MuJoCo's qpos of a state."""
    other = mjcf.compiled.model
    names = [mjcf.compiled.name("joint", joint) for joint in range(other.njnt)]
    return np.concatenate([state.coordinates[model.joints[name].coordinates] for name in names])


def test_equations_of_motion_are_mujocos(tmp_path: Path):
    mjcf = read(tmp_path, STACK)
    # frames without mass between the joints of a stack take 1e-12 of what they carry
    assert against_mujoco(mjcf, mjcf.build(), seed=3).worst < 1e-11


def test_only_frames_inside_a_loop_take_a_share_that_shows(tmp_path: Path):
    bar = STACK.replace("<worldbody>", '<worldbody><geom name="floor" type="plane" size="1 1 1"/>', 1)
    tied = '<equality><connect name="tie" body1="foot" anchor="0 0 0"/></equality>'
    mjcf = read(tmp_path, bar.replace("</mujoco>", tied + "</mujoco>"))
    # the stack of three joints under the trunk stands in the loop and takes 1e-7 of the thigh
    assert 1e-9 < against_mujoco(mjcf, mjcf.build(), seed=3).worst < 2e-7
    elsewhere = """<body name="a"><joint name="p" axis="0 1 0"/><geom size="0.1"/></body>
      <body name="b"><joint name="q" axis="0 1 0"/><geom size="0.1"/></body></worldbody>
      <equality><joint name="tie" joint1="p" joint2="q"/></equality>"""
    mjcf = read(tmp_path, bar.replace("</worldbody>", elsewhere))
    assert against_mujoco(mjcf, mjcf.build(), seed=3).worst < 1e-11


def test_reference_configuration_is_mujocos(tmp_path: Path):
    mjcf = read(tmp_path, STACK)
    model, other = mjcf.build(), mjcf.compiled.model
    data = mujoco.MjData(other)
    mujoco.mj_kinematics(other, data)
    state = model.state()
    assert np.abs(coordinates(mjcf, model, state) - other.qpos0).max() < 1e-15
    for name in ("trunk", "thigh", "shank", "foot", "cart"):
        assert np.abs(model.frame_pose(name, state)[0] - data.body(name).xpos).max() < 1e-15


def test_frames_are_where_mujoco_has_them(tmp_path: Path):
    mjcf = read(tmp_path, STACK)
    model, other = mjcf.build(), mjcf.compiled.model
    data = mujoco.MjData(other)
    data.qpos[:], _ = random_mujoco_state(other, np.random.default_rng(0))
    mujoco.mj_kinematics(other, data)
    state = model.state(mjcf.positions(data.qpos))
    assert np.abs(model.frame_pose("foot", state)[0] - data.body("foot").xpos).max() < 1e-14
    assert np.abs(model.frame_pose("knee", state)[0] - data.site("knee").xpos).max() < 1e-14


def test_springs_and_dampers_push_as_mujocos(tmp_path: Path):
    mjcf = read(tmp_path, STACK)
    model, other = mjcf.build(limits=False, friction=False), mjcf.compiled.model
    data = mujoco.MjData(other)
    rng = np.random.default_rng(5)
    data.qpos[:], data.qvel[:] = random_mujoco_state(other, rng)
    mujoco.mj_forward(other, data)
    still = model.state(mjcf.positions(other.qpos0))
    state = model.state(mjcf.positions(data.qpos))
    difference = float(model.energy(state).potential - model.energy(still).potential)
    other.opt.enableflags |= int(mujoco.mjtEnableBit.mjENBL_ENERGY)
    energies = []
    for q in (data.qpos.copy(), other.qpos0):
        data.qpos[:] = q
        mujoco.mj_forward(other, data)
        energies.append(data.energy[0])
    assert difference == pytest.approx(energies[0] - energies[1], rel=0, abs=1e-9)
    assert model.system.damping[model.joints["hip_x"].index, 5] == 0.3


def test_options_of_joints_are_read(tmp_path: Path):
    model = read(tmp_path, STACK).build()
    assert model.joints["hip_z"].limits[2].tolist() == [-1.0, 1.0]
    assert model.joints["slide"].friction[2] == 0.5
    assert model.system.armature[model.joints["ball"].index, 3:].tolist() == [0.02] * 3


BAR = '<geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.02" mass="1"/>'
LOOPS = {
    "connect": '<connect name="loop" body1="b" body2="c" anchor="0.5 0 0"/>',
    "connect to the world": '<connect name="loop" body1="b" anchor="0.5 0 0"/>',
    "weld": '<weld name="loop" body1="b" body2="d"/>',
    "weld with a pose": '<weld name="loop" body1="b" body2="d" relpose="0.1 0.2 0.3 1 0.1 0.2 0.3" anchor="0.1 0 0"/>',
    "connect of sites": '<connect name="loop" site1="tip" site2="end"/>',
    "weld of sites": '<weld name="loop" site1="tip" site2="free"/>',
    "coupled joints": '<joint name="loop" joint1="jb" joint2="ja" polycoef="0.2 -1.5 0 0 0"/>',
    "held joint": '<joint name="loop" joint1="jb" polycoef="0.3 0 0 0 0"/>',
    "coupling by a tendon": '<tendon name="loop" tendon1="sum"/>',
}


def looped(equality: str) -> str:
    return f"""<mujoco><worldbody>
      <body name="a"><joint name="ja" axis="0 1 0"/>{BAR}
        <body name="b" pos="0.5 0 0" euler="0 70 0"><joint name="jb" axis="0 1 0"/>{BAR}
          <site name="tip" pos="0.5 0 0"/></body>
      </body>
      <body name="c" pos="0.8 0 0" euler="0 40 0"><joint name="jc" axis="0 1 0"/>{BAR}
        <site name="end" pos="0.5 0 0"/></body>
      <body name="d" pos="0 1 0"><freejoint name="jd"/>{BAR}<site name="free" euler="10 20 30"/></body>
    </worldbody>
    <tendon><fixed name="sum"><joint joint="ja" coef="2"/><joint joint="jb" coef="3"/></fixed></tendon>
    <equality>{equality}</equality></mujoco>"""


@pytest.mark.parametrize("name", LOOPS)
def test_an_equality_holds_exactly_where_mujoco_wants_it(name: str, tmp_path: Path):
    mjcf = read(tmp_path, looped(LOOPS[name]))
    model, other = mjcf.build(), mjcf.compiled.model
    assert "loop" in model.loop_joints
    assembly = model.assemble(model.state(positions={"ja": 0.1}))
    data = mujoco.MjData(other)
    data.qpos[:] = coordinates(mjcf, model, assembly.state)
    mujoco.mj_forward(other, data)
    rows = data.efc_type[: data.nefc] == int(mujoco.mjtConstraint.mjCNSTR_EQUALITY)
    assert rows.any()
    # the assembly closes to 1e-12
    assert np.abs(data.efc_pos[: data.nefc][rows]).max() < 1e-11


def test_a_straight_tendon_is_a_spring(tmp_path: Path):
    text = looped("").replace(
        "<tendon>",
        """<tendon><spatial name="string" stiffness="30" damping="0.5" springlength="0.2">
        <site site="tip"/><site site="end"/></spatial>""",
    )
    mjcf = read(tmp_path, text)
    model = mjcf.build()
    index = model.joints["string"].index
    assert model.system.stiffness[index, 0] == 30.0
    assert model.system.damping[index, 0] == 0.5
    assert model.system.rest[index, 0] == 0.2


def test_actuators_drive_joints_as_in_mujoco(tmp_path: Path):
    text = looped("").replace(
        "<equality>",
        """<actuator><motor name="m" joint="ja" gear="5" ctrlrange="-1 1" ctrllimited="true"/>
        <position name="p" joint="jb" kp="10" kv="0.5" forcerange="-2 2" forcelimited="true"/>
        <velocity name="v" joint="jc" kv="3"/></actuator><equality>""",
    )
    mjcf = read(tmp_path, text)
    model, other = mjcf.build(), mjcf.compiled.model
    data = mujoco.MjData(other)
    data.qpos[:], data.qvel[:] = random_mujoco_state(other, np.random.default_rng(2))
    data.ctrl[:] = (1.7, 0.4, -0.3)
    mujoco.mj_forward(other, data)
    state = model.state(mjcf.positions(data.qpos), mjcf.velocities(data.qvel))
    forces = mjcf.controller(model, {"m": 1.7, "p": 0.4, "v": -0.3})(0.0, state)
    for joint in ("ja", "jb", "jc"):
        assert forces[joint] == pytest.approx(data.joint(joint).qfrc_actuator[0], rel=0, abs=1e-13)
    with pytest.raises(da.ModelError, match='did you mean "m"'):
        mjcf.controller(model, {"mm": 1.0})(0.0, state)


def test_geoms_become_contacts_on_request(tmp_path: Path):
    text = STACK.replace("<worldbody>", '<worldbody><geom name="floor" type="plane" size="1 1 1"/>', 1)
    mjcf = read(tmp_path, text)
    assert not mjcf.build().contacts
    assert any("load with contacts=True" in note.text for note in mjcf.notes)
    model = mjcf.build(contacts=True)
    assert len(model.contacts) == 6
    assert model.contacts["floor"].body == "world"


def test_what_is_not_mapped_is_listed(tmp_path: Path):
    text = looped('<joint name="curve" joint1="jb" joint2="ja" polycoef="0 1 1 0 0"/>').replace(
        "<worldbody>", '<option density="1.2"/><sensor><jointpos joint="ja"/></sensor><worldbody>'
    )
    mjcf = read(tmp_path, text)
    mjcf.build()
    said = "\n".join(str(note) for note in mjcf.notes)
    for part in (
        'equality "curve": not mapped (it couples joints by a curve)',
        "1 sensors",
        "density 1.2",
        "geoms can touch",
    ):
        assert part in said
    with pytest.warns(da.ModelFileWarning):
        da.load(mjcf.path)


def test_a_fault_that_mujoco_finds_has_its_line(tmp_path: Path):
    path = tmp_path / "model.xml"
    path.write_text('<mujoco>\n<worldbody>\n<geom size="1" colour="1"/>\n</worldbody>\n</mujoco>', encoding="utf-8")
    with pytest.raises(da.ModelFileError, match=r"model\.xml:3: error: MuJoCo refuses it: .*colour"):
        da.load(path)


REFERENCES = {
    "include upwards": '<include file="../secret.xml"/>',
    "absolute include": '<include file="/etc/passwd"/>',
    "network": '<asset><mesh name="m" file="http://127.0.0.1:9/x.stl"/></asset>',
    "mesh upwards": '<asset><mesh name="m" file="a/../../x.stl"/></asset>',
    "mesh folder": '<compiler meshdir="../"/>',
    "absolute folder": '<compiler assetdir="/etc"/>',
    "texture": '<asset><texture name="t" type="cube" fileright="/etc/passwd"/></asset>',
    "missing include": '<include file="nothing.xml"/>',
}


@pytest.mark.parametrize("name", REFERENCES)
def test_a_reference_that_leads_out_is_refused(name: str, tmp_path: Path):
    path = tmp_path / "model.xml"
    path.write_text(f"<mujoco>\n{REFERENCES[name]}\n</mujoco>", encoding="utf-8")
    begun = time.process_time()
    with pytest.raises(da.ModelFileError, match=r"model\.xml:2: error: "):
        da.load(path)
    assert time.process_time() - begun < 1.0


def test_a_document_type_is_refused_before_mujoco_sees_it(tmp_path: Path):
    path = tmp_path / "model.xml"
    path.write_text('<!DOCTYPE mujoco [<!ENTITY x "y">]>\n<mujoco/>', encoding="utf-8")
    with pytest.raises(da.ModelFileError, match="without a DOCTYPE"):
        da.load(path)
