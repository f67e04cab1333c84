"""How long are the links of a linkage? Found from the path of one point, watched for a second.

The lengths are inside a closed loop: when one changes, the linkage closes anew, and the gradient knows it.
"""

import numpy as np

import dalembert as da

TRUE = {"crank": 0.25, "coupler": 0.80, "rocker": 0.60}  # m
ASSUMED = {"crank": 0.28, "coupler": 0.72, "rocker": 0.66}
GROUND = 0.75
WATCHED = (0.1, 0.0, 0.15)  # a point of the coupler, from its centre of mass


def linkage(crank: float, coupler: float, rocker: float) -> da.Model:
    """A four-bar linkage in the xz plane, its crank upright."""
    a, b, d = np.zeros(3), np.array([0.0, 0.0, crank]), np.array([GROUND, 0.0, 0.0])
    # the joint c lies where circles about b and d meet
    span = float(np.linalg.norm(d - b))
    along = (coupler**2 - rocker**2 + span**2) / (2 * span)
    u = (d - b) / span
    c = b + along * u + np.sqrt(coupler**2 - along**2) * np.array([-u[2], 0.0, u[0]])
    builder = da.ModelBuilder(gravity=(0, 0, 0))
    for name, start, end in (("crank", a, b), ("coupler", b, c), ("rocker", d, c)):
        line = end - start
        half = 0.5 * np.arctan2(line[0], line[2])
        turn = (np.cos(half), 0.0, np.sin(half), 0.0)
        builder.add_body(name, mass=1.0, inertia=(0.05, 0.05, 0.01), position=(start + end) / 2, orientation=turn)
    hinge = da.Revolute(axis=(0, 1, 0))
    builder.add_joint("a", hinge, parent="world", child="crank", anchor=a)
    builder.add_joint("b", hinge, parent="crank", child="coupler", anchor=b)
    builder.add_joint("d", hinge, parent="world", child="rocker", anchor=d)
    builder.add_joint("c", hinge, parent="coupler", child="rocker", anchor=c)
    return builder.build()


def spun(model: da.Model) -> da.State:
    """The crank turning at 5 rad/s."""
    return model.assemble(model.state(velocities={"a": 5.0}), hold=("a",)).state


real = linkage(**TRUE)
seen = da.simulate(real, spun(real), duration=1.0, dt=0.02, integrator=da.BDF2()).body("coupler").point(WATCHED)

model = linkage(**ASSUMED)
lengths = {
    "crank": da.LinkLength("crank", ("a", "b")),
    "coupler": da.LinkLength("coupler", ("b", "c")),
    "rocker": da.LinkLength("rocker", ("d", "c")),
}
objective = da.PointTarget("coupler", position=seen[1:], point=WATCHED, time="all")
found = da.optimize(
    model,
    spun(model),
    objective,
    list(lengths.values()),
    duration=1.0,
    dt=0.02,
    hold=("a",),
    bounds=dict.fromkeys(lengths.values(), (0.2, 1.0)),
    scales=dict.fromkeys(lengths.values(), 0.05),
    tol=1e-14,
)
run = found.run
print(found.report())
errors = {name: abs(float(found.values[one]) - TRUE[name]) for name, one in lengths.items()}
for name, one in lengths.items():
    print(f"{name}: assumed {ASSUMED[name]:.3f} m, found {float(found.values[one]):.6f} m, true {TRUE[name]:.3f} m")
