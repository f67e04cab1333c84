"""A mechanism of revolute joints in Exudyn: a tree in minimal coordinates, or bodies with joints as constraints.

A planar mechanism with loops is made of planar bodies, three coordinates each, which is the cheapest way there.
Redundant constraints of a spatial one take the dense solver that passes over singular pivots.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from time import process_time
from typing import Any

import numpy as np

from dalembert.errors import SimulationError
from dalembert.model.bodies import rotation_matrix
from dalembert.model.model import Model
from dalembert.model.state import State
from dalembert.model.system import Floats
from dalembert.spatial.quaternion import rotate
from dalembert.studies.work_error import INSTANTS, Curve, Motion, measured, spatial

IMPLICIT = "GeneralizedAlpha"
"""Second order, damps the fastest motion a little (spectral radius 0.9). Other names are of explicit methods."""


def exudyn_curve(motion: Motion, method: str, steps: Sequence[int], tree: bool = True, repeats: int = 3) -> Curve:
    """Errors and times of one of Exudyn's methods, its steps looped over in C++."""

    def positions(n: int) -> Floats:
        run, out = ExudynRun(motion.model, motion.state, tree), []
        for _ in range(INSTANTS):
            run.advance(motion.duration / n, n // INSTANTS, method)
            out.append(run.positions())
        return np.array(out)

    def seconds(n: int) -> float:
        return ExudynRun(motion.model, motion.state, tree).advance(motion.duration / n, n, method)

    return measured(f"Exudyn {method}", motion, steps, positions, seconds, repeats)


class ExudynRun:
    """A system in motion, as a ``tree`` in minimal coordinates or as bodies joined by constraints."""

    def __init__(self, model: Model, state: State, tree: bool = True) -> None:
        self._engine: Any = import_module("exudyn")
        self._items: Any = import_module("exudyn.itemInterface")
        self._container = self._engine.SystemContainer()
        self._system, self._model, self._nodes = self._container.AddSystem(), model, []
        self._tree = tree
        self._plane: tuple[int, int] | None = None
        # a tree has few and dense coordinates
        self._solver, self._singular = self._engine.LinearSolverType.EXUdense, False
        if tree:
            self._add_tree(state)
        elif spatial(model):
            self._solver, self._singular = self._engine.LinearSolverType.EigenDense, True
            self._add_spatial(state)
        else:
            self._solver = self._engine.LinearSolverType.EigenSparse
            normal = rotate(tuple(state.orientation[0]), rotate(tuple(model.system.child_frame[0]), (0.0, 0.0, 1.0)))
            k = int(np.argmax(np.abs(normal)))
            if abs(normal[k]) < 1.0 - 1e-12:
                raise ValueError("expected a plane mechanism in a coordinate plane")
            self._plane = (k + 1) % 3, (k + 2) % 3
            self._add_planar(state)
        self._system.Assemble()

    def advance(self, dt: float, steps: int, method: str) -> float:
        """Take so many steps; seconds of processor time that they took, without what comes before and after."""
        settings = self._engine.SimulationSettings()
        settings.solutionSettings.writeSolutionToFile = False
        settings.parallel.numberOfThreads = 1
        settings.linearSolverType = self._solver
        settings.linearSolverSettings.ignoreSingularJacobian = self._singular
        how = settings.timeIntegration
        how.numberOfSteps, how.endTime, how.verboseMode = steps, steps * dt, 0
        how.automaticStepSize = how.adaptiveStep = False
        if method == IMPLICIT:
            solver = self._engine.MainSolverImplicitSecondOrder()
            how.generalizedAlpha.spectralRadius = 0.9
        else:
            solver = self._engine.MainSolverExplicit()
            how.solverType = getattr(self._engine.DynamicSolverType, method)
            how.explicit.useLieGroupIntegration = how.explicit.computeEndOfStepAccelerations = False
        begun = ended = 0.0
        try:
            good = solver.InitializeSolver(self._system, settings)
            if good:
                begun = process_time()
                good = solver.SolveSteps(self._system, settings)
                ended = process_time()
        except RuntimeError:
            good = False
        solver.FinalizeSolver(self._system, settings)
        if not good:
            raise SimulationError(f"Exudyn's {method} did not converge with steps of {dt:g} s")
        # the next steps begin where these ended
        values = self._system.systemData
        initial = self._engine.ConfigurationType.Initial
        values.SetODE2Coordinates(values.GetODE2Coordinates(), configuration=initial)
        values.SetODE2Coordinates_t(values.GetODE2Coordinates_t(), configuration=initial)
        return ended - begun

    def positions(self) -> Floats:
        """(n, 3) centres of mass."""
        kinds = self._engine.OutputVariableType
        if self._tree:
            angles = self._system.GetNodeOutput(self._nodes[0], kinds.Coordinates)
            system, names = self._model.system, list(self._model.joints)
            turned = zip(system.tree_joint, system.tree_reversed, np.atleast_1d(angles), strict=True)
            return self._model.state(positions={names[j]: -a if back else a for j, back, a in turned}).position
        found = np.array([self._system.GetNodeOutput(node, kinds.Position) for node in self._nodes])
        if self._plane is None:
            return found
        out = np.zeros((len(self._nodes), 3))
        out[:, list(self._plane)] = found[:, :2]
        return out

    def _add_tree(self, state: State) -> None:
        """One object for all bodies; the frame of a link is that of its joint."""
        system, bodies, n = self._model.system, list(self._model.bodies.values()), len(self._model.system.tree_joint)
        angles, rates = np.zeros(n), np.zeros(n)
        number, frames = {len(bodies): -1}, {len(bodies): (np.zeros(3), np.eye(3))}
        turns, offsets, inertias, centres, masses, parents = [], [], [], [], [], []
        for k, (j, crossed, body, parent) in enumerate(
            zip(system.tree_joint, system.tree_reversed, system.tree_body, system.tree_parent, strict=True)
        ):
            ends = [(system.parent_point[j], system.parent_frame[j]), (system.child_point[j], system.child_frame[j])]
            (near, near_turn), (far, far_turn) = ends[::-1] if crossed else ends
            point, turn = frames[int(parent)]
            own, record = rotation_matrix(far_turn), bodies[body]
            offsets.append(turn.T @ (near - point))
            turns.append(turn.T @ rotation_matrix(near_turn))
            inertias.append(own.T @ record.inertia @ own)
            centres.append(-own.T @ far)
            masses.append(float(record.mass))
            parents.append(number[int(parent)])
            number[int(body)], frames[int(body)] = k, (np.array(far), own)
            sign = -1.0 if crossed else 1.0
            angles[k] = sign * state.coordinates[system.q_start[j]]
            rates[k] = sign * state.rates[system.v_start[j]]
        node = self._system.AddNode(
            self._items.NodeGenericODE2(
                referenceCoordinates=[0.0] * n,
                initialCoordinates=angles.tolist(),
                initialCoordinates_t=rates.tolist(),
                numberOfODE2Coordinates=n,
            )
        )
        self._nodes.append(node)
        self._system.AddObject(
            self._items.ObjectKinematicTree(
                nodeNumber=node,
                jointTypes=[self._engine.JointType.RevoluteZ] * n,
                linkParents=parents,
                jointTransformations=self._engine.Matrix3DList(turns),
                jointOffsets=self._engine.Vector3DList(offsets),
                linkInertiasCOM=self._engine.Matrix3DList(inertias),
                linkCOMs=self._engine.Vector3DList(centres),
                linkMasses=masses,
                gravity=system.gravity.tolist(),
            )
        )

    def _add_planar(self, state: State) -> None:
        """Bodies in a plane, joined by constraints."""
        assert self._plane is not None
        a, b = self._plane
        normal, system, add = 3 - a - b, self._model.system, self._system
        gravity = [system.gravity[a], system.gravity[b], 0.0]
        objects = []
        for i, body in enumerate(self._model.bodies.values()):
            turn, velocity = rotation_matrix(state.orientation[i]), state.velocity[i]
            spin = (turn @ state.angular_velocity[i])[normal]
            node = add.AddNode(
                self._items.NodeRigidBody2D(
                    referenceCoordinates=[*state.position[i, [a, b]], np.arctan2(turn[b, a], turn[a, a])],
                    initialVelocities=[velocity[a], velocity[b], spin],
                )
            )
            made = self._items.ObjectRigidBody2D(
                nodeNumber=node, physicsMass=float(body.mass), physicsInertia=float(body.inertia[normal, normal])
            )
            self._nodes.append(node)
            objects.append(add.AddObject(made))
            marker = add.AddMarker(self._items.MarkerBodyMass(bodyNumber=objects[-1]))
            add.AddLoad(self._items.LoadMassProportional(markerNumber=marker, loadVector=gravity))
        objects.append(add.AddObject(self._items.ObjectGround()))
        for parent, child, near, far in zip(
            system.joint_parent, system.joint_child, system.parent_point, system.child_point, strict=True
        ):
            markers = [
                add.AddMarker(
                    self._items.MarkerBodyPosition(bodyNumber=objects[body], localPosition=[point[a], point[b], 0.0])
                )
                for body, point in ((parent, near), (child, far))
            ]
            add.AddObject(self._items.RevoluteJoint2D(markerNumbers=markers))

    def _add_spatial(self, state: State) -> None:
        """Bodies in space, joined by constraints."""
        helpers: Any = import_module("exudyn.utilities")
        system, add = self._model.system, self._system
        numbers, turns = [], [rotation_matrix(turn) for turn in state.orientation]
        for i, body in enumerate(self._model.bodies.values()):
            made = add.CreateRigidBody(
                referencePosition=state.position[i].tolist(),
                referenceRotationMatrix=turns[i],
                inertia=helpers.RigidBodyInertia(mass=float(body.mass), inertiaTensor=body.inertia, com=np.zeros(3)),
                gravity=system.gravity.tolist(),
                initialVelocity=state.velocity[i].tolist(),
                initialAngularVelocity=(turns[i] @ state.angular_velocity[i]).tolist(),
                returnDict=True,
            )
            self._nodes.append(made["nodeNumber"])
            numbers.append(made["bodyNumber"])
        numbers.append(add.CreateGround())
        for parent, child, point, frame in zip(
            system.joint_parent, system.joint_child, system.child_point, system.child_frame, strict=True
        ):
            axis = turns[child] @ np.array(rotate(tuple(frame), (0.0, 0.0, 1.0)))
            add.CreateRevoluteJoint(
                bodyNumbers=[numbers[parent], numbers[child]],
                position=(state.position[child] + turns[child] @ point).tolist(),
                axis=axis.tolist(),
                useGlobalFrame=True,
            )
