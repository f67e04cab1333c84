"""A robot from a URDF file, with a loop that URDF cannot say: `<loop_joint>` closes it, and it stays closed.

The file is written here, so that the program stands alone; `da.load("robot.urdf")` is all that a file of yours needs.
"""

from pathlib import Path

import dalembert as da

BAR = """<inertial><origin xyz="0.5 0 0"/><mass value="1"/>
    <inertia ixx="0.001" ixy="0" ixz="0" iyy="0.0833333333" iyz="0" izz="0.0833333333"/></inertial>
    <visual><origin xyz="0.5 0 0"/><geometry><box size="1 0.06 0.06"/></geometry></visual>"""
HINGE = '<axis xyz="0 1 0"/>'
ROBOT = f"""<robot name="parallelogram">
  <link name="world"/>
  <link name="left">{BAR}</link> <link name="top">{BAR}</link> <link name="right">{BAR}</link>
  <joint name="a" type="continuous"><parent link="world"/><child link="left"/>{HINGE}
    <origin rpy="0 1.5707963267948966 0"/></joint>
  <joint name="b" type="continuous"><parent link="left"/><child link="top"/>{HINGE}
    <origin xyz="1 0 0" rpy="0 -1.5707963267948966 0"/></joint>
  <joint name="c" type="continuous"><parent link="world"/><child link="right"/>{HINGE}
    <origin xyz="1 0 0" rpy="0 1.5707963267948966 0"/></joint>
  <loop_joint name="d" type="continuous"><parent link="top"/><child link="right"/>{HINGE}
    <origin xyz="1 0 0"/></loop_joint>
</robot>"""

Path("parallelogram.urdf").write_text(ROBOT, encoding="utf-8")
urdf = da.read_urdf("parallelogram.urdf")
print(*urdf.notes, sep="\n")
model = urdf.build()
state = model.assemble(model.state(positions={"a": 0.1}), hold=("a",)).state
run = da.simulate(model, state, duration=10.0, dt=0.01, integrator=da.MaximalVI())

print(run.report())
print(f"largest gap in the loop: {run.constraint_error.max():.1e} m")
