"""A top that goes round without nodding: spin, tilt and precession that suit one another.

With inertia A across and C along its axis, leaning by θ, spinning at n and going round at Ω, a top of weight m g and
arm l does not nod if  A Ω² cos θ − C (n + Ω cos θ) Ω + m g l = 0,  where A is about the tip.
"""

import numpy as np

import dalembert as da

MASS, ARM, ACROSS, ALONG = 1.0, 0.1, 0.01, 0.02
TILT, ROUND = 0.5, 2.0  # rad, rad/s
about_tip = ACROSS + MASS * ARM**2
spin = (about_tip * ROUND**2 * np.cos(TILT) + MASS * 9.81 * ARM) / (ALONG * ROUND) - ROUND * np.cos(TILT)

builder = da.ModelBuilder(gravity=(0, 0, -9.81))
builder.add_body("top", mass=MASS, inertia=(ACROSS, ACROSS, ALONG), position=(0, 0, ARM))
builder.add_joint("tip", da.Spherical(), parent="world", child="top", anchor=(0, 0, 0))
model = builder.build()

# it leans towards −y: in its own axes the way round has a part along y and one along its axis
rates = (0.0, ROUND * np.sin(TILT), spin + ROUND * np.cos(TILT))
start = model.state(positions={"tip": (TILT, 0.0, 0.0)}, velocities={"tip": rates})
run = da.simulate(model, start, duration=3.0, dt=0.001, integrator=da.MaximalVI())

center = run.body("top").position
angle = np.unwrap(np.arctan2(center[:, 1], center[:, 0]))
nodding = np.ptp(center[:, 2])
print(run.report())
print(f"it goes round at {(angle[-1] - angle[0]) / run.time[-1]:.5f} rad/s and nods by {nodding:.1e} m")
