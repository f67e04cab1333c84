"""A run as a function of its parameters: value and gradient."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.adjoint.backward import Backward
from dalembert.adjoint.forward import DrivenRun, run_on_tape
from dalembert.adjoint.inputs import Inputs, state_at
from dalembert.adjoint.objectives.base import ObjectiveFunction
from dalembert.adjoint.objectives.motion_gradient import MotionGradient
from dalembert.adjoint.parameters.base import Parameter
from dalembert.adjoint.start_rows import StartRows
from dalembert.errors import ModelError
from dalembert.integrators.base import Integrator
from dalembert.integrators.implicit.method import ImplicitIntegrator
from dalembert.integrators.implicit.tape import Tape
from dalembert.mechanics.user_rows import has_user_rows
from dalembert.model.checks import shown
from dalembert.model.state import State
from dalembert.model.system import Floats
from dalembert.run_inputs import check_start, check_support, step_count

if TYPE_CHECKING:
    from dalembert.model.model import Model

Values = dict[Parameter, Floats]


@dataclass(frozen=True, eq=False)
class Evaluation:
    """One run and what it was judged."""

    value: float
    gradient: Values
    """By parameter, of the shape of its value."""
    values: Values
    run: DrivenRun

    @property
    def model(self) -> Model:
        """The mechanism with these values."""
        return self.run.model

    @property
    def state(self) -> State:
        """The start with these values."""
        return self.run.start


@dataclass(frozen=True, eq=False)
class _Trial:
    """One run with what its gradient takes."""

    inputs: Inputs
    backward: Backward
    run: DrivenRun
    tape: Tape


class Problem:
    """An objective as a function of parameters; everything else is held."""

    def __init__(
        self,
        model: Model,
        state: State | None,
        objective: ObjectiveFunction,
        parameters: Sequence[Parameter],
        *,
        duration: float,
        dt: float,
        integrator: Integrator,
        hold: Sequence[str] = (),
    ) -> None:
        if not isinstance(integrator, ImplicitIntegrator) or integrator.name not in ("BDF1", "SDIRK2", "BDF2"):
            raise ModelError(
                f"integrator: expected BDF1, SDIRK2 or BDF2, whose derivatives are known, found {shown(integrator)}"
            )
        if not callable(objective):
            raise ModelError(f"objective: expected objective(run, gradient), found {shown(objective)}")
        self._steps, self._dt = step_count(duration, dt, 1), float(dt)
        if self._steps < 1:
            raise ModelError(f"duration: expected at least one step, found {duration!r} s")
        check_support(model, integrator, True)
        changes = [name for name, joint in model.joints.items() if getattr(joint.kind, "switch", 0.0) > 0.0]
        if changes:
            raise ModelError(
                f'joint "{changes[0]}" changes the axes of its Euler angles, over which there is no gradient; use a '
                "Spherical joint"
            )
        if has_user_rows(model):
            raise ModelError(
                "model: expected one without functions written in Python, whose runs have no gradient; "
                "close loops with joints, and write inequalities into the objective or as a PenaltyGround"
            )
        self._model, self._integrator, self._objective = model, integrator, objective
        given = model.state() if state is None else state
        # a run that is differentiated starts by itself, whatever came before
        self._state = replace(given, memory={})
        self.parameters = tuple(parameters)
        self._hold = (hold,) if isinstance(hold, str) else tuple(hold)
        for name in self._hold:
            model.joint_index(name)
        inputs = self._inputs()
        self._check(inputs)
        self._start = self._start_rows(inputs)
        if self._start is None:
            check_start(model, self._state)

    def start_values(self) -> Values:
        """What stands in the model and the state."""
        inputs = self._inputs()
        return {one: one.read(inputs) for one in self.parameters}

    def complete(self, values: Mapping[Any, Any] | None) -> Values:
        """The start values with some replaced, checked."""
        out = self.start_values()
        for one, value in (values or {}).items():
            if one not in out:
                raise ModelError(f"values: expected one of the parameters, found {one}")
            array = np.asarray(value, dtype=np.float64)
            if array.shape != out[one].shape or not np.isfinite(array).all():
                raise ModelError(f"{one}: expected finite numbers of shape {out[one].shape}, found {shown(value)}")
            out[one] = array
        return out

    def value(self, values: Mapping[Any, Any] | None = None) -> float:
        """Run and judge, without the gradient."""
        trial = self._run(self.complete(values))
        return float(self._objective(trial.run, MotionGradient(trial.run)))

    def evaluate(self, values: Mapping[Any, Any] | None = None) -> Evaluation:
        """Run, judge, and differentiate."""
        complete = self.complete(values)
        trial = self._run(complete)
        gradient = MotionGradient(trial.run)
        value = float(self._objective(trial.run, gradient))
        felt = trial.backward.sweep(trial.tape, gradient, self._dt)
        if self._start is not None:
            state, system = trial.run.start, trial.run.model.system
            q, v = state.coordinates[: system.n_q], state.rates[: system.n_v]
            self._start.pull(trial.backward, system, q, v, felt)
        slopes = {one: one.pull(trial.inputs, felt) for one in self.parameters}
        if not (np.isfinite(value) and all(np.isfinite(slope).all() for slope in slopes.values())):
            raise ModelError("objective: expected a finite value and gradient, found some that are not")
        return Evaluation(value, slopes, complete, trial.run)

    def _run(self, values: Values) -> _Trial:
        inputs = self._inputs()
        for one, value in values.items():
            one.write(inputs, value)
        model = inputs.changed_model()
        backward = Backward(model, self._integrator)
        q, v = inputs.q.copy(), inputs.v.copy()
        if self._start is not None:
            self._start.close(backward, model.system, q, v)
        state = state_at(model, q, v, self._state)
        run, tape = run_on_tape(model, state, inputs.joint_force, self._dt, self._integrator)
        return _Trial(inputs, backward, run, tape)

    def _inputs(self) -> Inputs:
        return Inputs.of(self._model, self._state, self._steps, self._dt)

    def _check(self, inputs: Inputs) -> None:
        taken: dict[tuple[str, object], Parameter] = {}
        for k, one in enumerate(self.parameters):
            if not isinstance(one, Parameter):
                raise ModelError(f"parameters: expected some such as da.Mass(…), found {shown(one)}")
            if one in self.parameters[:k]:
                raise ModelError(f"parameters: expected each once, found {one} twice")
            one.read(inputs)
            for number in one.touches(inputs):
                if number in taken:
                    raise ModelError(f"{one}: expected to set numbers of its own, but {taken[number]} sets them too")
                taken[number] = one

    def _start_rows(self, inputs: Inputs) -> StartRows | None:
        """None where the start need not be closed anew."""
        backward = Backward(self._model, self._integrator)
        if not backward.row_count or not any(one.moves_start for one in self.parameters):
            return None
        return StartRows(
            self._model,
            backward,
            inputs.q,
            self._state.coordinates,
            [*self._hold, *(name for one in self.parameters for name in one.held_positions)],
            [*self._hold, *(name for one in self.parameters for name in one.held_velocities)],
        )
