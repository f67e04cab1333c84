"""Forward, inverse and hybrid dynamics of a model at one state, as users call them.

With b = g(q, v, v̇ = 0 but where prescribed, λ = 0) of `dalembert.mechanics.reduced_equations` and M_f the block of M of
the rates that are not prescribed, the open tree accelerates with v̇_f = −M_f⁻¹ b_f, by one product with the inverse
[Sueda 2021] algorithms 9 and 10. Loops add M_f⁻¹ Gᵀ λ: in the dual form

    (G M_f⁻¹ Gᵀ) λ = −c̈(v̇),

which is small and may be singular where rows depend on each other; λ is then the shortest. What g is left with at the
end is what the prescribed joints must exert, eq. (2.113).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dalembert.errors import ModelError
from dalembert.mechanics.acceleration_components import component_motions
from dalembert.mechanics.acceleration_equations import make_equations
from dalembert.mechanics.element_forces import element_forces
from dalembert.mechanics.inverse_mass import factor_inverse_mass, inverse_mass_memory, inverse_mass_times
from dalembert.mechanics.recursive import accelerate_bodies
from dalembert.mechanics.recursive_tree import prepare_tree
from dalembert.mechanics.reduced_coordinates import no_limits
from dalembert.mechanics.reduced_equations import Loads, evaluate_equations, reduced_equations
from dalembert.mechanics.reduced_loops import fill_rows
from dalembert.mechanics.reduced_tree import place_tree, reduced_memory
from dalembert.mechanics.user_functions import potential_wrenches
from dalembert.model.checks import Findings, read_vector, suggestion
from dalembert.model.system import CUSTOM
from dalembert.model.values import read_rates

if TYPE_CHECKING:
    from dalembert.model.model import Model
    from dalembert.model.state import State
    from dalembert.model.system import Floats

DEPENDENT = 1e-11
"""Directions of scaled constraints that a unit force moves by less than this are dependent."""


class Dynamics(NamedTuple):
    """Accelerations and forces that belong together, in the order of ``state.rates[:model.system.n_v]``."""

    accelerations: Floats
    """(n_v,) of the rates of the tree's joints, m/s² or rad/s²."""
    forces: Floats
    """(n_v,) of actuators on these rates, N or N m: those given and those found for prescribed joints."""
    multipliers: Floats
    """(r,) forces of the constraints that close loops, in the order of joints and their locked components."""


def hybrid_dynamics(
    model: Model,
    state: State,
    accelerations: Mapping[str, Any],
    forces: Mapping[str, Any],
    wrenches: Mapping[str, Any],
) -> Dynamics:
    """Accelerations of all joints and forces at those whose accelerations are given: `Model.hybrid_dynamics`."""
    system, findings = model.system, Findings()
    _refuse(model, findings)
    loads = Loads(
        np.zeros(int(system.n_rates.sum())),
        _read_wrenches(model, wrenches, findings),
        no_limits(system.n_v),
        element_forces(model.elements),
    )
    prescribed, held = np.zeros(int(system.n_rates.sum())), []
    for name, value in accelerations.items():
        j = _read(model, name, value, prescribed, "acceleration", findings)
        if j >= 0:
            held.append(j)
    for name, value in forces.items():
        j = _read(model, name, value, loads.joint_force, "force", findings)
        if j in held:
            findings.add(f'joint "{name}"', "an acceleration or a force", "both", "leave one of them out")
    findings.raise_if_any()
    if model.potentials:
        position, orientation, _, _ = state.with_world()
        loads.external[:] += potential_wrenches(model, position, orientation)

    memory, inverse = reduced_equations(system), inverse_mass_memory(system)
    loops, at = memory.loops, memory.tree
    loops.coordinates[:] = state.coordinates
    inverse.held[held] = 1
    q, v = state.coordinates[: system.n_q].copy(), state.rates[: system.n_v].copy()
    multipliers, left = np.zeros(loops.row_joint.size), np.zeros(system.n_v)
    found = prescribed[: system.n_v].copy()
    evaluate_equations(system, memory, loads, q, v, found, multipliers, left)
    factor_inverse_mass(system, at, inverse)
    inverse_mass_times(system, at, inverse, left, left)
    found -= left
    if multipliers.size:
        fill_rows(system, at, loops)
        scale = np.where(loops.size > 0.0, loops.size, 1.0)
        columns = loops.rows / scale[:, None]
        for column in columns:
            inverse_mass_times(system, at, inverse, column, column)
        schur = (loops.rows / scale[:, None]) @ columns.T
        missing = -_constraint_accelerations(model, state, found) / scale
        share = np.linalg.lstsq(schur, missing, rcond=DEPENDENT)[0]
        found += columns.T @ share
        multipliers[:] = share / scale
    evaluate_equations(system, memory, loads, q, v, found, multipliers, left)
    needed = loads.joint_force[: system.n_v].copy()
    for j in held:
        rates = slice(system.v_start[j], system.v_start[j] + system.n_rates[j])
        needed[rates] += left[rates]
    return Dynamics(found, needed, multipliers)


def inverse_products(model: Model, state: State, x: Floats) -> Floats:
    """M⁻¹ x for (n_v,) or for each row of (k, n_v)."""
    system = model.system
    rows = np.array(x, dtype=np.float64)
    if rows.shape[-1:] != (system.n_v,) or rows.ndim > 2:
        raise ModelError(f"x: expected {system.n_v} numbers or rows of them, found an array of shape {rows.shape}")
    at, inverse = reduced_memory(system), inverse_mass_memory(system)
    place_tree(system, at, state.coordinates[: system.n_q].copy())
    factor_inverse_mass(system, at, inverse)
    for row in rows.reshape(-1, system.n_v):
        inverse_mass_times(system, at, inverse, row, row)
    return rows


def _constraint_accelerations(model: Model, state: State, accelerations: Floats) -> Floats:
    """c̈ (r,) of the locked components of loops."""
    system = model.system
    equations = make_equations(system)
    position, orientation, velocity, angular_velocity = state.with_world()
    tree, v = equations.tree, state.rates[: system.n_v].copy()
    prepare_tree(system, tree, v, position, orientation, angular_velocity)
    accelerate_bodies(system, tree, accelerations)
    component_motions(
        system,
        equations.active,
        position,
        orientation,
        velocity,
        tree.omega,
        tree.acceleration,
        equations.rate,
        equations.faster,
    )
    locked = equations.row_armature == 0.0
    return equations.faster[equations.row_joint[locked], equations.row_component[locked]]


def _refuse(model: Model, findings: Findings) -> None:
    system, names = model.system, list(model.joints)
    for j in system.loop_joint.tolist():
        if system.joint_kind[j] == CUSTOM:
            findings.add(f'joint "{names[j]}"', "joints whose derivatives are known", "a custom constraint")
        elif np.any(system.armature[j] > 0.0):
            remedy = "declare it before the joints that the tree should leave out"
            findings.add(f'joint "{names[j]}"', "armature on joints of the spanning tree", "it closes a loop", remedy)


def _read(model: Model, name: str, value: Any, out: Floats, what: str, findings: Findings) -> int:
    """Put the numbers of a joint of the tree into ``out``; its number, or −1."""
    if name not in model.joints:
        findings.add(f'{what} of joint "{name}"', "the name of a joint", f'"{name}"', suggestion(name, model.joints))
        return -1
    joint = model.joints[name]
    if not joint.in_tree and what == "acceleration":
        findings.add(f'{what} of joint "{name}"', "a joint of the spanning tree", "one that closes a loop")
        return -1
    with findings.separate() as own:
        out[joint.rates] = read_rates(joint, value, own)
    return joint.index


def _read_wrenches(model: Model, wrenches: Mapping[str, Any], findings: Findings) -> Floats:
    external = np.zeros((model.n_bodies + 1, 6))
    for name, wrench in wrenches.items():
        item = f'wrench on body "{name}"'
        if name not in model.bodies:
            findings.add(item, "the name of a body", f'"{name}"', suggestion(name, model.bodies))
            continue
        force, torque = wrench
        row = external[model.bodies[name].index]
        row[:3] = read_vector(findings, f"{item}, force", force, "newtons")
        row[3:] = read_vector(findings, f"{item}, torque", torque, "newton metres")
    return external
