"""A motor too weak to lift a pendulum pumps it up: a controller that numba compiles runs inside the loop over steps.

The law is an ordinary function of numbers and arrays. It writes the forces, and is called without entering Python.
"""

import numpy as np

import dalembert as da

MASS, LENGTH, GRAVITY = 1.0, 0.5, 9.81  # kg, m, m/s²: the motor would need m g l = 4.9 N m to hold it level
LIMIT = 1.0  # N m
UPRIGHT = MASS * GRAVITY * LENGTH  # J, at rest above the pivot


def pump(time, motion, parameters, memory, force):
    """Push along the motion, the harder the more energy is missing; keep the largest torque in ``memory``."""
    gain, limit, inertia = parameters[0], parameters[1], parameters[2]
    angle, rate = motion.coordinates[0], motion.rates[0]
    energy = 0.5 * inertia * rate**2 - UPRIGHT * np.cos(angle)
    force[0] = min(max(gain * (UPRIGHT - energy) * rate, -limit), limit)
    memory[0] = max(memory[0], abs(force[0]))


builder = da.ModelBuilder(gravity=(0, 0, -GRAVITY))
ball = 0.4 * MASS * 0.05**2  # kg m², about its centre; the rod is for the eye
shape = [da.Sphere(0.05), da.Part(da.Capsule(0.01, LENGTH), (0, 0, 0.5 * LENGTH))]
builder.add_body("bob", shape=shape, mass=MASS, inertia=(ball, ball, ball), position=(0, 0, -LENGTH))
builder.add_joint("pivot", da.Revolute(axis=(0, 1, 0)), parent="world", child="bob", anchor=(0, 0, 0))
model = builder.build()
inertia = MASS * LENGTH**2 + ball

controller = da.CompiledController(model, pump, parameters=[2.0, LIMIT, inertia], memory=1)
state = model.state(positions={"pivot": 0.1})
run = da.simulate(model, state, duration=20.0, dt=0.005, integrator=da.MaximalVI(), controller=controller)
energy = run.energy - run.energy[0] - UPRIGHT * np.cos(0.1)
print(run.report())
print(f"pumped up to {energy[-1]:.4f} J of {UPRIGHT:.4f} J with at most {controller.memory[0]:.2f} N m")
