"""A four-bar linkage driven by a motor: a closed loop of four revolute joints, three of whose rows are redundant.

The crank turns all the way round, the rocker swings. Nothing has to be said about the loop: it is found.
"""

import numpy as np

import dalembert as da

TARGET = 3.0  # rad/s
GAIN = 50.0  # N m s/rad


def link(builder: da.ModelBuilder, name: str, start: np.ndarray, end: np.ndarray) -> None:
    """A round steel bar of 2 cm between two points in the xz plane."""
    along = end - start
    angle = np.arctan2(along[0], along[2])
    turn = (np.cos(angle / 2), 0.0, np.sin(angle / 2), 0.0)
    bar = da.Cylinder(radius=0.01, length=float(np.linalg.norm(along)))
    builder.add_body(name, shape=bar, density=7800.0, position=(start + end) / 2, orientation=turn)


a, b = np.array([0.0, 0.0, 0.0]), np.array([0.0, 0.0, 0.2])
c, d = np.array([0.72, 0.0, 0.54]), np.array([0.7, 0.0, 0.0])
builder = da.ModelBuilder(gravity=(0, 0, -9.81))
link(builder, "crank", a, b)
link(builder, "coupler", b, c)
link(builder, "rocker", d, c)
hinge = da.Revolute(axis=(0, 1, 0))
# the motor's torque is GAIN (wanted speed − speed): its second part is a damper, which the step treats implicitly
builder.add_joint("motor", hinge, parent="world", child="crank", anchor=a, damping=GAIN)
builder.add_joint("knee", hinge, parent="crank", child="coupler", anchor=b)
builder.add_joint("wrist", hinge, parent="coupler", child="rocker", anchor=c)
builder.add_joint("pivot", hinge, parent="world", child="rocker", anchor=d)
model = builder.build()
assembly = model.assemble(model.state())
print(f"degrees of freedom: {assembly.dof}, redundant rows: {assembly.redundant}")


def motor(time: float, state: da.State) -> dict[str, float]:
    """The torque that asks for the target speed, reached in one second."""
    return {"motor": GAIN * TARGET * min(time, 1.0)}


run = da.simulate(model, duration=5.0, dt=0.005, integrator=da.MaximalVI(), controller=motor)
print(run.report())
print(f"speed at the end: {run.joint('motor').velocity[-1]:.3f} rad/s of {TARGET} rad/s")
print(f"largest force in the wrist: {np.linalg.norm(run.joint('wrist').reaction_force, axis=1).max():.1f} N")
