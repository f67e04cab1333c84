"""A satellite that turns by turning a wheel: what it has of angular momentum stays, whatever the motor does."""

import numpy as np

import dalembert as da

builder = da.ModelBuilder(gravity=(0, 0, 0))
builder.add_body("satellite", shape=da.Box(1.0, 0.8, 0.6), mass=60.0, position=(0, 0, 0))
builder.add_body("wheel", shape=da.Cylinder(0.2, 0.05), mass=8.0, position=(0, 0, 0.33))
builder.add_joint("free", da.Floating(), parent="world", child="satellite", anchor=(0, 0, 0))
builder.add_joint("motor", da.Revolute(axis=(0, 0, 1)), parent="satellite", child="wheel", anchor=(0, 0, 0.33))
model = builder.build()


def motor(time: float, state: da.State) -> dict[str, float]:
    """Speed the wheel up for five seconds, and down for as long."""
    return {"motor": 0.5 if time < 5.0 else -0.5 if time < 10.0 else 0.0}


run = da.simulate(model, duration=12.0, dt=0.002, integrator=da.MaximalVI(), controller=motor)
turn = 2.0 * np.arctan2(run.body("satellite").orientation[-1, 3], run.body("satellite").orientation[-1, 0])
spun = run.joint("motor").position[-1]

print(run.report())
print(f"the wheel turned by {spun:.1f} rad, the satellite by {turn:.4f} rad")
print(f"largest angular momentum: {np.abs(run.angular_momentum).max():.1e} kg m²/s")
