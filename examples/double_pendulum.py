"""Two links, one of them a box, swinging without friction in the shoulder: the first program to try."""

import dalembert as da

builder = da.ModelBuilder(gravity=(0, 0, -9.81))
builder.add_body("upper", mass=1.0, inertia=(0.083, 0.083, 0.001), position=(0, 0, -0.5))
builder.add_body("lower", shape=da.Box(0.05, 0.05, 1.0), density=400.0, position=(0, 0, -1.5))
hinge = da.Revolute(axis=(0, 1, 0))
builder.add_joint("shoulder", hinge, parent="world", child="upper", anchor=(0, 0, 0))
builder.add_joint("elbow", hinge, parent="upper", child="lower", anchor=(0, 0, -1), damping=0.01)
model = builder.build()

state = model.state(positions={"shoulder": 1.2}, velocities={"elbow": -0.5})
run = da.simulate(model, state, duration=10.0, dt=0.01, integrator=da.MaximalVI())

print(run.report())
print(f"the elbow ends at {run.joint('elbow').position[-1]:.3f} rad")
