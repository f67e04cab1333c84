"""The equations of motion of the tree as one function of coordinates, rates and accelerations, with derivatives.

    g(q, v, v̇, λ) = M v̇ + c − f(q, v) − Gᵀ λ,      c(q) = 0,

f being gravity, springs, dampers, limits, drives, force elements and wrenches from outside, G the rows of loops.
[Sueda 2021] (3.53).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dalembert._jit import kernel
from dalembert.mechanics.element_equations import add_element_wrenches, couple_elements, form_element_blocks
from dalembert.mechanics.element_forces import ElementForces
from dalembert.mechanics.recursive_tree import angular6, linear6, set_row6
from dalembert.mechanics.reduced_coordinates import (
    Limits,
    subtract_coordinate_derivatives,
    subtract_coordinate_forces,
)
from dalembert.mechanics.reduced_derivatives import fill_derivatives, start_composites
from dalembert.mechanics.reduced_inverse import gather_demand
from dalembert.mechanics.reduced_loops import (
    Loops,
    add_loop_wrenches,
    add_pair_derivatives,
    evaluate_loops,
    fill_rows,
    form_pairs,
    loop_memory,
)
from dalembert.mechanics.reduced_tree import Reduced, move_tree, place_tree, reduced_memory
from dalembert.model.system import Floats, System
from dalembert.spatial.quaternion import rotate, row4


class Loads(NamedTuple):
    """What acts from outside, held for a step, and the limits of joints."""

    joint_force: Floats
    """Force or torque on each joint rate, all joints."""
    external: Floats
    """(n + 1, 6) wrenches: force in the world at the centre of mass, torque in body axes."""
    limits: Limits
    elements: ElementForces
    """Cables, drag and other force elements."""


class Derivatives(NamedTuple):
    """∂g by place (turns from the right), by rate and by acceleration, (n_v, n_v) each."""

    by_place: Floats
    by_rate: Floats
    mass: Floats


class ReducedEquations(NamedTuple):
    """Memory of the equations; made by `reduced_equations`."""

    tree: Reduced
    loops: Loops
    derivatives: Derivatives


def reduced_equations(system: System) -> ReducedEquations:
    """Memory for the equations of motion of this mechanism."""
    n_v = system.n_v
    square = Derivatives(np.zeros((n_v, n_v)), np.zeros((n_v, n_v)), np.zeros((n_v, n_v)))
    return ReducedEquations(reduced_memory(system), loop_memory(system), square)


@kernel
def evaluate_equations(system, equations, loads, q, v, acceleration, multiplier, out):
    """g into ``out`` (n_v,); constraints are left in ``equations.loops.value``."""
    tree, loops = equations.tree, equations.loops
    place_tree(system, tree, q)
    move_tree(system, tree, v, acceleration)
    for i in range(system.mass.size):
        turn = row4(tree.orientation, i)
        set_row6(tree.wrench, i, linear6(loads.external, i), rotate(turn, angular6(loads.external, i)))
    if loads.elements.elements.code.size > 0:
        add_element_wrenches(loads.elements, tree.position, tree.orientation, tree.twist, tree.wrench)
    if loops.pair_owner.size > 0:
        evaluate_loops(system, tree, loops)
        add_loop_wrenches(system, tree, loops, loads.joint_force, multiplier)
    gather_demand(system, tree, acceleration, out)
    for k in range(system.n_v):
        out[k] -= loads.joint_force[k]
    subtract_coordinate_forces(system, loads.limits, q, v, out)


@kernel
def differentiate_equations(system, equations, loads, q):
    """Fill ``equations.derivatives`` and the rows G where `evaluate_equations` was last called."""
    tree, loops, derivatives = equations.tree, equations.loops, equations.derivatives
    start_composites(system, tree)
    for i in range(system.mass.size):
        # a force that stays in the world turns against the body: −∂w/∂θ = −f×
        x, y, z = linear6(loads.external, i)
        tree.place[i, 0, 4] += z
        tree.place[i, 0, 5] -= y
        tree.place[i, 1, 3] -= z
        tree.place[i, 1, 5] += x
        tree.place[i, 2, 3] += y
        tree.place[i, 2, 4] -= x
    if loops.pair_owner.size > 0:
        form_pairs(system, tree, loops, loads.joint_force)
        fill_rows(system, tree, loops)
    if loads.elements.elements.code.size > 0:
        form_element_blocks(loads.elements, tree)
    fill_derivatives(system, tree, derivatives.by_place, derivatives.by_rate, derivatives.mass)
    if loops.pair_owner.size > 0:
        add_pair_derivatives(system, tree, loops, derivatives.by_place, derivatives.by_rate)
    if loads.elements.elements.code.size > 0:
        couple_elements(system, loads.elements, tree, derivatives.by_place, derivatives.by_rate)
    subtract_coordinate_derivatives(system, loads.limits, q, derivatives.by_place, derivatives.by_rate)


@kernel
def largest_gap(loops):
    """(largest |c| of a constraint, its row), −1 if there is none; NaN is the largest."""
    worst, row = 0.0, -1
    for i in range(loops.row_joint.size):
        size = abs(loops.value[loops.row_joint[i], loops.row_component[i]])
        if size > worst or size != size:
            worst, row = size, i
    return worst, row
