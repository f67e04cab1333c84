"""Memory and calls of the pass backwards for one mechanism."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dalembert.adjoint.objectives.motion_gradient import MotionGradient
from dalembert.adjoint.pull_back import pull_back
from dalembert.adjoint.sensitivity import Sensitivity, no_sensitivity
from dalembert.adjoint.sweep import sweep_back
from dalembert.adjoint.transposed_stage import felt_memory
from dalembert.adjoint.virtual import virtual_memory
from dalembert.errors import SimulationError
from dalembert.integrators.implicit.method import ImplicitIntegrator
from dalembert.integrators.implicit.stage import stage_memory
from dalembert.integrators.implicit.stepper import loads_memory
from dalembert.integrators.implicit.steps import BDF1_METHOD
from dalembert.integrators.implicit.tape import Tape, blank_tape
from dalembert.model.system import Floats

if TYPE_CHECKING:
    from dalembert.model.model import Model


@dataclass(frozen=True)
class Look:
    """The constraints of closing joints at one instant."""

    value: Floats
    """(r,) how far each is open."""
    rows: Floats
    """(r, n_v) G."""
    by_place: Floats
    """(n_v, n_v) ∂g/∂η of the equations of motion."""


class Backward:
    """The pass backwards, and looks at single instants by the same kernels."""

    def __init__(self, model: Model, integrator: ImplicitIntegrator) -> None:
        system = model.system
        self._system, self._method = system, integrator.code
        self._stage, self._loads = stage_memory(system), loads_memory(model, integrator)
        self._felt, self._virtual = felt_memory(system), virtual_memory(system)

    def sweep(self, tape: Tape, gradient: MotionGradient, h: float) -> Sensitivity:
        """What the objective feels of everything, from what it feels of the run."""
        system, steps = self._system, len(tape.joint_force)
        felt = no_sensitivity(system, steps)
        place, rate = gradient.coordinates.copy(), gradient.rates.copy()
        felt.joint_force[:] = gradient.joint_force
        bodies = (gradient.position, gradient.turn, gradient.velocity, gradient.angular_velocity)
        at, still = self._stage.equations.tree, np.zeros(system.n_v)
        pull_back(system, at, tape, still, bodies, self._virtual, place, rate, felt)
        singular = self._sweep(tape, self._method, h, 0, place, rate, felt)
        if singular >= 0:
            raise SimulationError(
                "the transposed system is singular: this configuration leaves the motion undetermined; try another dt",
                time=h * (singular + 1),
                step=singular + 1,
            )
        felt.start[:], felt.start_rate[:] = place[0], rate[0]
        return felt

    def look(
        self,
        q: Floats,
        v: Floats,
        coordinates: Floats,
        multiplier: Floats,
        virtual: Floats,
        pushed: Floats,
        felt: Sensitivity,
    ) -> Look:
        """The equations at (q, v) without acceleration, and their terms added to ``felt``.

        Adds −∂(zᵀ g)/∂p − ∂(μᵀ c)/∂p for the virtual motion z = ``virtual`` (n_v,) and μ = ``pushed`` (r,), g taken
        with the multipliers λ = ``multiplier`` (r,). Angles of closing joints are on the branch of ``coordinates``.
        """
        system, stage = self._system, self._stage
        tape = blank_tape(system, multiplier.size, np.zeros((1, felt.joint_force.shape[1])), 1)
        # with ξ = 0 and t = 1 the stage's velocity is −b
        tape.q[0], tape.coordinates[0] = q, coordinates
        tape.offset[0], tape.carried[0], tape.multiplier[0] = -v, v, multiplier
        tape.done[:] = 1
        stage.change[:] = pushed
        place, rate = np.zeros((2, system.n_v)), np.zeros((2, system.n_v))
        rate[1] = virtual
        self._sweep(tape, BDF1_METHOD, 1.0, 1, place, rate, felt)
        loops = stage.equations.loops
        value = loops.value[loops.row_joint, loops.row_component]
        return Look(value, loops.rows.copy(), stage.equations.derivatives.by_place.copy())

    @property
    def row_count(self) -> int:
        """r, the rows of loops."""
        return self._stage.multiplier.size

    def _sweep(
        self, tape: Tape, method: int, h: float, look: int, place: Floats, rate: Floats, felt: Sensitivity
    ) -> int:
        displacement = np.zeros_like(place)
        scratch = (self._felt, self._virtual)
        return sweep_back(
            self._system,
            self._stage,
            self._loads,
            tape,
            method,
            h,
            look,
            *scratch,
            place,
            rate,
            displacement,
            felt,
        )
