"""The equations of motion allocate nothing: the count of a call does not depend on the size of the mechanism."""

from __future__ import annotations

import numpy as np
import pytest
from mechanics.random_systems import random_state, random_system

from dalembert.mechanics.acceleration import close_loops, open_accelerations
from dalembert.mechanics.acceleration_equations import make_equations

pytestmark = pytest.mark.compiled
rtsys = pytest.importorskip("numba.core.runtime").rtsys
counter = pytest.importorskip("numba.core.runtime._nrt_python")


def allocations(n: int) -> int:
    """Memory blocks that one evaluation asks for with n bodies and n/2 loops; unpacking the arguments takes some."""
    rng = np.random.default_rng(n)
    system = random_system(rng, ["floating", "universal"] * (n // 2), ["spherical"] * (n // 2), options=True)
    q, v = random_state(rng, system)
    equations, out = make_equations(system), np.zeros(system.n_v)
    force, external = np.zeros(int(system.n_rates.sum())), np.zeros((n + 1, 6))

    def evaluate() -> None:
        open_accelerations(system, equations, q, v, force, external, out)
        close_loops(system, equations, (1.0, 1.0), out)

    evaluate()
    counter.memsys_enable_stats()
    before = rtsys.get_allocation_stats()
    evaluate()
    after = rtsys.get_allocation_stats()
    assert np.isfinite(out).all()
    return after.alloc - before.alloc


def test_no_allocation_in_the_equations_of_motion():
    assert allocations(4) == allocations(20)
