"""A URDF file without faults, to which each case adds one."""

from __future__ import annotations

SOUND = """<?xml version="1.0"?>
<robot name="arm">
  <material name="grey"><color rgba="0.5 0.5 0.5 1"/></material>
  <link name="base"/>
  <link name="upper">
    <inertial>
      <origin xyz="0 0 -0.5" rpy="0 0 0"/>
      <mass value="1.5"/>
      <inertia ixx="0.125" ixy="0" ixz="0" iyy="0.125" iyz="0" izz="0.01"/>
    </inertial>
    <visual>
      <origin xyz="0 0 -0.5"/>
      <geometry><box size="0.1 0.1 1.0"/></geometry>
      <material name="grey"/>
    </visual>
    <collision>
      <geometry><mesh filename="meshes/upper.stl" scale="1 1 1"/></geometry>
    </collision>
  </link>
  <link name="lower">
    <inertial>
      <origin xyz="0 0 -0.25"/>
      <mass value="0.5"/>
      <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0.001" izz="0.005"/>
    </inertial>
    <collision><geometry><cylinder radius="0.05" length="0.5"/></geometry></collision>
  </link>
  <link name="tool"/>
  <link name="slider">
    <inertial>
      <mass value="0.2"/>
      <inertia ixx="0.001" ixy="0" ixz="0" iyy="0.001" iyz="0" izz="0.001"/>
    </inertial>
  </link>
  <joint name="shoulder" type="revolute">
    <parent link="base"/>
    <child link="upper"/>
    <origin xyz="0 0 1" rpy="0 0 0"/>
    <axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" effort="50" velocity="3"/>
    <dynamics damping="0.1" friction="0.2"/>
  </joint>
  <joint name="elbow" type="continuous">
    <parent link="upper"/>
    <child link="lower"/>
    <origin xyz="0 0 -1"/>
    <axis xyz="0 1 0"/>
  </joint>
  <joint name="mount" type="fixed">
    <parent link="lower"/>
    <child link="tool"/>
    <origin xyz="0 0 -0.5"/>
  </joint>
  <joint name="slide" type="prismatic">
    <parent link="upper"/>
    <child link="slider"/>
    <axis xyz="0 0 1"/>
    <limit lower="-0.5" upper="0.5" effort="10" velocity="1"/>
    <mimic joint="elbow" multiplier="0.1" offset="0.05"/>
  </joint>
</robot>
"""


def line_of(text: str, fragment: str) -> int:
    """The line on which a fragment begins; it must be there once."""
    assert text.count(fragment) == 1, fragment
    return text[: text.index(fragment)].count("\n") + 1
