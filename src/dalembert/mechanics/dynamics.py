"""Forward, inverse and hybrid dynamics of a model at one state, as users call them.

With b = g(q, v, v̇ = 0 but where prescribed, λ = 0) of `dalembert.mechanics.reduced_equations` and M_f the block of M of
the rates that are not prescribed, the open tree accelerates with v̇_f = −M_f⁻¹ b_f, by one product with the inverse
[Sueda 2021] algorithms 9 and 10. Loops add M_f⁻¹ Gᵀ λ: in the dual form

    (G M_f⁻¹ Gᵀ) λ = −c̈(v̇),

which is small and may be singular where rows depend on each other; λ is then the shortest. Equations of the user's are
further rows of G. Inequalities that touch and do not part, c = 0 and ċ = 0, must not accelerate inwards: with C their
rows, and everything else as above, they are the dual of the quadratic program (2.112),

    min ½ λᵀ P λ + λᵀ c̈,   λ ≥ 0,      P = C (M_f⁻¹ − M_f⁻¹ Gᵀ (G M_f⁻¹ Gᵀ)⁺ G M_f⁻¹) Cᵀ.

What g is left with at the end is what the prescribed joints must exert, eq. (2.113).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dalembert.errors import ModelError
from dalembert.mechanics.acceleration_components import component_motions
from dalembert.mechanics.acceleration_equations import make_equations
from dalembert.mechanics.inverse_mass import factor_inverse_mass, inverse_mass_memory, inverse_mass_times
from dalembert.mechanics.recursive import accelerate_bodies
from dalembert.mechanics.recursive_tree import prepare_tree
from dalembert.mechanics.reduced_coordinates import no_limits
from dalembert.mechanics.reduced_equations import Loads, evaluate_equations, reduced_equations
from dalembert.mechanics.reduced_loops import fill_rows
from dalembert.mechanics.reduced_tree import move_tree, place_tree, reduced_memory
from dalembert.mechanics.spring_laws import SpringLaws
from dalembert.mechanics.user_functions import potential_wrenches
from dalembert.mechanics.user_rows import UserRows
from dalembert.model.checks import Findings, read_vector, suggestion
from dalembert.model.system import CUSTOM
from dalembert.model.values import read_rates

if TYPE_CHECKING:
    from dalembert.model.model import Model
    from dalembert.model.state import State
    from dalembert.model.system import Floats

DEPENDENT = 1e-11
"""Directions of scaled constraints that a unit force moves by less than this are dependent."""
TOUCHING = 1e-9
"""Inequalities that are farther from zero, or faster on their way to it, do not act."""


class Dynamics(NamedTuple):
    """Accelerations and forces that belong together, in the order of ``state.rates[:model.system.n_v]``."""

    accelerations: Floats
    """(n_v,) of the rates of the tree's joints, m/s² or rad/s²."""
    forces: Floats
    """(n_v,) of actuators on these rates, N or N m: those given and those found for prescribed joints."""
    multipliers: Floats
    """(r,) forces of the constraints that close loops, in the order of joints and their locked components."""
    pushes: Floats
    """(u,) of constraints written in Python: custom joints, then those of `ModelBuilder.add_constraint`, row by row."""


def hybrid_dynamics(
    model: Model,
    state: State,
    accelerations: Mapping[str, Any],
    forces: Mapping[str, Any],
    wrenches: Mapping[str, Any],
    solve_quadratic: Callable[..., Any],
) -> Dynamics:
    """Accelerations of all joints and forces at those whose accelerations are given: `Model.hybrid_dynamics`."""
    system, findings = model.system, Findings()
    _refuse(model, findings)
    laws = SpringLaws(model)
    loads = Loads(
        np.zeros(int(system.n_rates.sum())),
        _read_wrenches(model, wrenches, findings),
        no_limits(system.n_v),
        laws.work,
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
    place_tree(system, at, q)
    move_tree(system, at, v, found)
    laws.refresh(at.position, at.orientation, at.twist)
    evaluate_equations(system, memory, loads, q, v, found, multipliers, left)
    factor_inverse_mass(system, at, inverse)
    inverse_mass_times(system, at, inverse, left, left)
    found -= left
    user = UserRows(model, potentials=False)
    pushes, along = np.zeros(user.count), np.zeros(system.n_v)
    if multipliers.size or user.count:
        fill_rows(system, at, loops)
        bend = user.accelerations(at, q, v) if user.count else np.zeros(0)
        # equations, and inequalities that touch
        bound = ~user.inequality | ((user.value <= TOUCHING) & (user.rows @ v <= TOUCHING))
        rows = np.vstack([loops.rows, user.rows[bound]])
        size = np.concatenate([loops.size, user.size[bound]])
        scale = np.where(size > 0.0, size, 1.0)
        columns = rows / scale[:, None]
        for column in columns:
            inverse_mass_times(system, at, inverse, column, column)
        schur = (rows / scale[:, None]) @ columns.T
        closing = _constraint_accelerations(model, state, found) if multipliers.size else np.zeros(0)
        parting = np.concatenate([closing, (bend + user.rows @ found)[bound]]) / scale
        may = np.concatenate([np.zeros(multipliers.size, bool), user.inequality[bound]])
        share = _constrain(schur, parting, may, solve_quadratic)
        found += columns.T @ share
        multipliers[:] = (share / scale)[: multipliers.size]
        pushes[bound] = (share / scale)[multipliers.size :]
    if user.count:
        extra, along = user.loads(pushes)
        loads.external[:] += extra
    evaluate_equations(system, memory, loads, q, v, found, multipliers, left)
    left -= along
    needed = loads.joint_force[: system.n_v].copy()
    for j in held:
        rates = slice(system.v_start[j], system.v_start[j] + system.n_rates[j])
        needed[rates] += left[rates]
    return Dynamics(found, needed, multipliers, pushes)


def _constrain(matrix: Floats, parting: Floats, may: Any, solve_quadratic: Callable[..., Any]) -> Floats:
    """Multipliers of scaled rows: S λ + c̈ = 0, or 0 ≤ λ ⊥ S λ + c̈ ≥ 0 where a row ``may`` part."""
    equal, share = ~may, np.zeros(may.size)
    inverse = np.linalg.pinv(matrix[np.ix_(equal, equal)], rcond=DEPENDENT, hermitian=True)
    if may.any():
        between = matrix[np.ix_(may, equal)] @ inverse
        left = matrix[np.ix_(may, may)] - between @ matrix[np.ix_(equal, may)]
        linear, k = parting[may] - between @ parting[equal], int(may.sum())
        unit = float(np.abs(linear).max())
        if unit > 0.0:
            program = solve_quadratic(left, linear / unit, np.eye(k), np.zeros(k), np.full(k, np.inf))
            share[may] = np.maximum(program.x, 0.0) * unit
    share[equal] = -inverse @ (parting[equal] + matrix[np.ix_(equal, may)] @ share[may])
    return share


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
    tree.coordinates[:] = state.coordinates[: system.n_q]
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
    locked = (equations.row_armature == 0.0) & (system.joint_kind[equations.row_joint] != CUSTOM)
    return equations.faster[equations.row_joint[locked], equations.row_component[locked]]


def _refuse(model: Model, findings: Findings) -> None:
    system, names = model.system, list(model.joints)
    for j in system.loop_joint.tolist():
        if system.joint_kind[j] != CUSTOM and np.any(system.armature[j] > 0.0):
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
