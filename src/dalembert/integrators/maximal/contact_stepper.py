"""The stepper of the maximal-coordinate integrator with contact, joint limits and dry friction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.contact.detect import find_features
from dalembert.contact.features import empty_features
from dalembert.integrators.base import StepFailure
from dalembert.integrators.maximal.composition import make_options, substeps
from dalembert.integrators.maximal.contact_controlled import run_contact
from dalembert.integrators.maximal.contact_elements import BODY
from dalembert.integrators.maximal.contact_failure import contact_failure
from dalembert.integrators.maximal.contact_memory import file_keys
from dalembert.integrators.maximal.contact_run import drive_contact
from dalembert.integrators.maximal.contact_scene import (
    Pairs,
    Scene,
    joint_pairs,
    limited_joints,
    make_scene,
    make_surfaces,
    place_pairs,
    with_room,
)
from dalembert.integrators.maximal.contact_step import PAIRS, ROOM
from dalembert.integrators.maximal.graph_stepper import GraphStepper
from dalembert.integrators.maximal.knot import CONVERGED, Control, Schedule
from dalembert.integrators.maximal.plan import active_components, make_knot, make_workspace, typical_length
from dalembert.integrators.record import Record
from dalembert.linalg.pattern import BlockPattern
from dalembert.mechanics.constraint_graph import ConstraintGraph, constraint_graph
from dalembert.model.state import State

if TYPE_CHECKING:
    from dalembert.integrators.maximal.method import MaximalVI
    from dalembert.model.model import Model

NEARBY = 3.0
"""Bodies within so many times their margins get blocks when blocks are laid out anew."""

STORED = ("whole", "fixed", "value")
"""Parts of the elements that the projection at the knot after them needs."""


class ContactStepper(GraphStepper):
    """A run of `GraphStepper` in which bodies touch, joints have limits, or both."""

    def __init__(self, method: MaximalVI, model: Model, state: State, dt: float) -> None:
        system = model.system
        n = system.tree_joint.size
        self._method, self._model, self._dt = method, model, dt
        self._active = active_components(system)
        limited = limited_joints(model, self._active)
        self._own_pairs = joint_pairs(model, limited)
        graph, pattern, pairs = self._lay_out(_known_pairs(state, method.name, n) or [])
        scene = make_scene(model, limited, pairs, pattern, method.friction_sides)
        surfaces = make_surfaces(model)
        length = typical_length(system)
        if scene.reach.max(initial=0.0) > 0.0 and not system.locked.any():
            length = float(scene.reach.max())
        self._schedule = Schedule(make_options(method, dt, length), *substeps(method.order))
        self._knot = make_knot(system, int(system.n_coordinates.sum()))
        self._control = Control(np.zeros(int(system.n_rates.sum())), np.zeros((n + 1, 6)))
        work = make_workspace(system, pattern)
        self._arguments = (system, graph, self._schedule, self._knot, self._control, work, surfaces, scene)
        self._applied, self._potential = np.zeros((n + 1, 6)), np.zeros((n + 1, 6))
        self._row = Record.empty(system, 1, len(model.contacts))
        self._drive_kernel, self._inside_kernel = drive_contact, run_contact
        if state.memory.get("method") == method.name and state.memory.get("dt") == dt:
            self._recall(state.memory)
        self._enter(state)

    @property
    def _scene(self) -> Scene:
        return self._arguments[7]

    def _drive(
        self, task: int, record: Record, first: int, count: int = 0, every: int = 0, part: Schedule | None = None
    ) -> tuple[int, float]:
        # there is one substep, the whole step
        self._scene.tally[:], self._scene.marks[:] = 0, 0.0
        while True:
            status, done, worst, iterations, violation = self._drive_kernel(
                *self._arguments, task, record, first, count, every
            )
            if status == CONVERGED:
                return iterations, violation
            if not self._mended(status):
                raise self._failure(status, worst, done)

    def _mended(self, status: int) -> bool:
        if status == ROOM:
            needed = max(int(found.used[0] + found.missed[0]) for found in (self._scene.found, self._scene.after))
            self._use(scene=self._refiled(with_room(self._scene, 2 * needed)))
        elif status == PAIRS:
            self._meet()
        return status in (ROOM, PAIRS)

    def _failure(self, status: int, worst: int, done: int) -> StepFailure:
        self._scene.tally[:], self._scene.marks[:] = 0, 0.0
        turns = self._dt * np.linalg.norm(self._knot.history[0, :-1, 3:], axis=1)
        return contact_failure(self._model, self._method, self._scene, status, worst, done, turns)

    def write_forces(self, record: Record, row: int) -> None:
        super().write_forces(record, row)
        share = 0.5 if self._knot.age[0] == 1 else 1.0
        record.contact_force[row] = self._scene.force / (share * self._dt)
        record.contact_state[row] = self._scene.touch

    def finish(self, record: Record, row: int) -> None:
        kept = self._remembered()
        largest = self._scene.largest.copy()
        super().finish(record, row)
        self._recall(kept)
        self._scene.largest[:] = largest

    def state(self) -> State:
        largest = self._scene.largest.copy()
        state = super().state()
        # the errors since the last row belong to the next one
        self._scene.largest[:] = largest
        return replace(state, memory={**state.memory, **self._remembered()})

    def _remembered(self) -> dict[str, Any]:
        """What the next step needs besides the knot, to the last bit."""
        scene = self._scene
        elements, memory, found = scene.elements, scene.memory, scene.found
        used, known, count = int(elements.used[0]), int(memory.used[0]), int(found.used[0])
        kept = {f"element_{name}": getattr(elements, name)[:used].copy() for name in STORED}
        kept |= {"contact_key": memory.key[:known].copy(), "contact_load": memory.force[:known].copy()}
        kept |= {"feature_integers": found.integers[:count].copy(), "feature_numbers": found.numbers[:count].copy()}
        return kept | {"lost": scene.lost.copy(), "last": scene.last.copy(), "contact_pairs": scene.pairs.key.copy()}

    def _recall(self, kept: Mapping[str, Any]) -> None:
        """Set what `_remembered` returned."""
        used, known, found = len(kept["element_whole"]), len(kept["contact_key"]), len(kept["feature_integers"])
        room = len(self._scene.found.numbers)
        if max(used, known, found) > room:
            self._use(scene=with_room(self._scene, max(used, known, found)))
        if not np.array_equal(kept["contact_pairs"], self._scene.pairs.key):
            n = self._model.n_bodies
            self._relay([divmod(int(key), n + 1) for key in kept["contact_pairs"]])
        scene = self._scene
        scene.elements.used[0], scene.memory.used[0], scene.found.used[0] = used, known, found
        for name in STORED:
            getattr(scene.elements, name)[:used] = kept[f"element_{name}"]
        scene.memory.key[:known], scene.memory.force[:known] = kept["contact_key"], kept["contact_load"]
        scene.found.integers[:found] = kept["feature_integers"]
        scene.found.numbers[:found] = kept["feature_numbers"]
        scene.lost[:], scene.last[:] = kept["lost"], kept["last"]
        self._refiled(scene)

    @staticmethod
    def _refiled(scene: Scene) -> Scene:
        file_keys(scene.memory)
        return scene

    def _meet(self) -> None:
        """Lay out blocks for all bodies that are near each other now."""
        scene, n = self._scene, self._model.n_bodies
        features = empty_features(max(256, 4 * len(scene.found.numbers)))
        surfaces = self._arguments[6]
        find_features(
            surfaces.geometry,
            surfaces.search,
            self._knot.position,
            self._knot.orientation,
            NEARBY * scene.margin,
            features,
        )
        found = int(features.used[0])
        ends = np.sort(np.column_stack([features.body_a[:found], features.body_b[:found]]), axis=1)
        used = int(scene.elements.used[0])
        ends = np.concatenate([ends, np.sort(scene.elements.whole[:used, BODY : BODY + 2], axis=1)])
        self._relay([(int(a), int(b)) for a, b in np.unique(ends[ends[:, 1] < n], axis=0)])

    def _relay(self, pairs: list[tuple[int, int]]) -> None:
        """Blocks for these pairs, and memory to match."""
        graph, pattern, placed = self._lay_out(pairs)
        fresh = make_workspace(self._model.system, pattern)
        work = self._arguments[5]
        work = fresh._replace(interval=work.interval, trial=work.trial)
        self._use(graph=graph, work=work, scene=self._scene._replace(pairs=placed))

    def _lay_out(self, pairs: list[tuple[int, int]]) -> tuple[ConstraintGraph, BlockPattern, Pairs]:
        every = sorted({*pairs, *self._own_pairs})
        dense = self._method.linear_solver == "dense"
        graph, pattern = constraint_graph(self._model.system, self._active, dense=dense, pairs=every)
        return graph, pattern, place_pairs(pattern, every, self._model.n_bodies)

    def _use(self, **new: Any) -> None:
        names = ("system", "graph", "schedule", "knot", "control", "work", "surfaces", "scene")
        self._arguments = tuple(new.get(name, old) for name, old in zip(names, self._arguments, strict=True))


def _known_pairs(state: State, name: str, n: int) -> list[tuple[int, int]] | None:
    """The pairs of the run that a state resumes."""
    keys = state.memory.get("contact_pairs")
    if keys is None or state.memory.get("method") != name:
        return None
    return [divmod(int(key), n + 1) for key in keys]
