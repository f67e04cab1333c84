"""What a hinge has to bear: a rod let go level pulls at its pin with 2½ times its weight as it passes below."""

import numpy as np

import dalembert as da

MASS, LENGTH = 2.0, 1.0
builder = da.ModelBuilder(gravity=(0, 0, -9.81))
builder.add_body("rod", shape=da.Cylinder(0.005, LENGTH), mass=MASS, position=(0, 0, -LENGTH / 2))
builder.add_joint("pin", da.Revolute(axis=(0, 1, 0)), parent="world", child="rod", anchor=(0, 0, 0))
model = builder.build()

start = model.state(positions={"pin": np.pi / 2})
run = da.simulate(model, start, duration=2.0, dt=0.001, integrator=da.MaximalVI())
load = np.linalg.norm(run.joint("pin").reaction_force, axis=1)

print(run.report())
print(f"largest load: {load.max():.2f} N, {load.max() / (MASS * 9.81):.4f} times the weight")
