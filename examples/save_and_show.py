"""A run that is kept and shown: one file with everything, one page that replays it in any browser, one picture."""

import numpy as np

import dalembert as da

model = da.zoo.flyball_governor()
start = da.zoo.flyball_governor_start(model)
run = da.simulate(model, start, duration=2.0, dt=0.001, integrator=da.MaximalVI(), every=10)

run.save("governor.npz")
again = da.load_run("governor.npz")
print(f"the same bits: {np.array_equal(again.position, run.position)}")

page = run.export_html("governor.html", title="Watt's governor")
print(f"{page}: {page.stat().st_size / 1000:.0f} kB, open it in a browser")
da.save_model(model, "governor.json")
print(f"the model again: {da.load('governor.json').n_bodies} bodies")
