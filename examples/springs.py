"""A weight on a spring and a damper: joints have stiffness, damping and a rest position of their own.

They are solved for together with the motion, so that a spring may be as stiff as it likes.
"""

import numpy as np

import dalembert as da

MASS, STIFFNESS, DAMPING = 2.0, 200.0, 4.0
builder = da.ModelBuilder(gravity=(0, 0, -9.81))
builder.add_body("weight", shape=da.Box(0.2, 0.2, 0.2), mass=MASS, position=(0, 0, 0))
builder.add_joint(
    "guide",
    da.Prismatic(axis=(0, 0, 1)),
    parent="world",
    child="weight",
    anchor=(0, 0, 0),
    stiffness=STIFFNESS,
    damping=DAMPING,
)
model = builder.build()
run = da.simulate(model, duration=4.0, dt=0.002, integrator=da.MaximalVI())

# m z'' + d z' + k z = −m g from rest at z = 0
decay = DAMPING / (2.0 * MASS)
rate = np.sqrt(STIFFNESS / MASS - decay**2)
sag = MASS * 9.81 / STIFFNESS
swing = np.cos(rate * run.time) + decay / rate * np.sin(rate * run.time)
exact = -sag * (1.0 - np.exp(-decay * run.time) * swing)
error = np.abs(np.ravel(run.joint("guide").position) - exact).max()

print(run.report())
print(f"it comes to rest {sag:.4f} m below; largest distance from the exact motion: {error:.1e} m")
