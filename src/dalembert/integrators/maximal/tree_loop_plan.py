"""The joints outside a spanning tree, laid out for the tree solver before the first step."""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.integrators.maximal import tree_loops as at
from dalembert.integrators.maximal.plan import active_components
from dalembert.integrators.maximal.tree_loop_paths import Path, meeting, paths_of, strands_of
from dalembert.integrators.maximal.tree_loops import Loops
from dalembert.model.system import DISTANCE, GEAR, LOWER_PAIR, Floats, Integers, System
from dalembert.spatial.quaternion import relative, rotate_back, row4
from dalembert.spatial.vector import row3, sub

Frames = list[tuple[float, ...]]


def find_paths(system: System, body: Integers, parent: Integers) -> list[Path]:
    """The paths of all joints outside the tree; slots hold ``body`` and hang on ``parent``, the world last."""
    slot_of = np.empty(body.size, np.int64)
    slot_of[body] = np.arange(body.size)
    active = active_components(system)
    links = []
    for j in system.loop_joint.tolist():
        touched = system.incidence_body[system.incidence_start[j] : system.incidence_start[j + 1]]
        links.append((j, np.flatnonzero(active[j]).tolist(), [int(slot_of[b]) for b in touched]))
    return paths_of(parent, links)


def make_loops(
    system: System, paths: list[Path], body: Integers, parent: Integers, frames: Frames, points: Frames
) -> Loops:
    """Lay out all links; ``frames`` and ``points`` are H and the reference point of each slot in its body's axes."""
    strands = strands_of(paths)
    strand_at = {(slot, tie): k for k, (slot, tie, _) in enumerate(strands)}
    slots = _describe_slots(body.size, strands, paths)
    link = np.zeros((len(paths), 6), np.int64)
    ties = sum(len(path.components) for path in paths)
    tie, tie_row = np.zeros((ties, 5), np.int64), np.zeros((ties, at.TIE_ROW_WIDTH))
    for l, path in enumerate(paths):
        j, first, c = path.joint, path.first_tie, path.components
        holds = bool(system.locked[j, c].any())
        link[l, : at.HOLDS + 1] = j, first, len(c), strand_at.get((path.apex, first), 0), holds
        # what is coupled to it there: its net's links that follow, and what is carried on if that is its net
        follow = [k for k, (slot, t, on) in enumerate(strands) if slot == path.apex and t >= first and not on]
        link[l, at.LAST_STRAND] = _last_coupled(paths, l, strands, follow)
        law = (system.stiffness[j, c], system.damping[j, c], system.armature[j, c], system.rest[j, c])
        tie_row[first : first + len(c), at.TIE_STIFFNESS : at.TIE_REST + 1] = np.transpose(law)
        tie_row[first : first + len(c), at.SHIFTED] = system.offset[j]
        rows = tie[first : first + len(c)]
        rows[:, at.LOCKED], rows[:, at.TIE_JOINT], rows[:, at.TIE_COMPONENT] = system.locked[j, c], j, c
    pairs = _pairs(system, paths)
    pair, pair_row = np.zeros((len(pairs), at.PAIR_WIDTH), np.int64), np.zeros((len(pairs), at.PAIR_ROW_WIDTH))
    rays: list[tuple[int, int, int, int, float]] = []
    slot_of = np.empty(body.size, np.int64)
    slot_of[body] = np.arange(body.size)
    for p, (j, owned, seen) in enumerate(pairs):
        a, b = int(slot_of[system.joint_parent[j]]), int(slot_of[system.joint_child[j]])
        _describe_pair(system, j, a, b, meeting(parent, [a, b]), frames, points, pair[p], pair_row[p])
        pair[p, at.FIRST_RAY], pair[p, at.RAYS], pair[p, at.OWNED] = len(rays), len(seen), owned
        rays.extend((t, c, strand_at.get((a, t), -1), strand_at.get((b, t), -1), factor) for t, c, factor in seen)
        if pair[p, at.TURNS]:
            # a damper or rotor of a free rotation works on the turn of the interval; its spring acts at the knots
            for t, c, _ in seen:
                tie_row[t, at.TIE_STIFFNESS] *= c < 3
    ray, ray_row = np.zeros((len(rays), 4), np.int64), np.zeros((len(rays), 25))
    for k, (*numbers, factor) in enumerate(rays):
        ray[k], ray_row[k, at.FACTOR] = numbers, factor
    strand = np.full((len(strands), 2), -1, np.int64)
    for k, (slot, t, on) in enumerate(strands):
        strand[k, at.STRAND_TIE] = t
        if on and parent[slot] != body.size - 1:
            strand[k, at.STRAND_UP] = strand_at[int(parent[slot]), t]
    return Loops(
        at=slots,
        link=link,
        pair=pair,
        pair_row=pair_row,
        ray=ray,
        ray_row=ray_row,
        tie=tie,
        tie_row=tie_row,
        strand=strand,
        strand_row=np.zeros((len(strands), 24)),
        couple=_lay_out_couplings(paths, tie),
        inverse=np.zeros(36 * len(paths)),
        scale=np.zeros(ties),
        work=np.zeros(160),
        largest=np.zeros(1),
    )


def _pairs(system: System, paths: list[Path]) -> list[tuple[int, bool, list[tuple[int, int, float]]]]:
    """(joint whose frames it is, whether that is the link, (tie, component, factor) seen through it)."""
    pairs = []
    for path in paths:
        j, first = path.joint, path.first_tie
        if system.joint_kind[j] != GEAR:
            pairs.append((j, True, [(first + k, c, 1.0) for k, c in enumerate(path.components)]))
            continue
        for side in range(2):
            i, c = int(system.gear_joint[j, side]), int(system.gear_component[j, side])
            factor = 1.0 if side == 0 else float(system.parameter[j])
            pairs.append((i, False, [(first, c, factor)]))
    return pairs


def _describe_slots(slots: int, strands: list[tuple[int, int, bool]], paths: list[Path]) -> Integers:
    """`Loops.at`."""
    out = np.zeros((slots, 5), np.int64)
    out[:, at.STRANDS] = np.bincount([slot for slot, _, _ in strands], minlength=slots)
    out[:, at.CLOSING] = np.bincount([slot for slot, _, on in strands if not on], minlength=slots)
    out[1:, at.FIRST_STRAND] = np.cumsum(out[:-1, at.STRANDS])
    out[:, at.LINKS] = np.bincount([path.apex for path in paths], minlength=slots)
    out[1:, at.FIRST_LINK] = np.cumsum(out[:-1, at.LINKS])
    return out


def _last_coupled(paths: list[Path], l: int, strands: list[tuple[int, int, bool]], follow: list[int]) -> int:
    """One past the last strand at the apex of link l that is coupled to it; those between are too."""
    net_of = {path.first_tie + k: path.net for path in paths for k in range(len(path.components))}
    last = follow[0] if follow else 0
    while last < len(strands) and strands[last][0] == paths[l].apex and net_of[strands[last][1]] == paths[l].net:
        last += 1
    return last


def _lay_out_couplings(paths: list[Path], tie: Integers) -> Floats:
    """Give every net a square of couplings; zeros for all of them."""
    nets: dict[int, list[int]] = {}
    for path in paths:
        nets.setdefault(path.net, []).extend(range(path.first_tie, path.first_tie + len(path.components)))
    total = 0
    for members in nets.values():
        for place, t in enumerate(members):
            tie[t, at.COUPLES], tie[t, at.PLACE] = total + place * len(members), place
        total += len(members) ** 2
    return np.zeros(total)


def _describe_pair(
    system: System, j: int, a: int, b: int, apex: int, frames: Frames, points: Frames, pair: Integers, row: Any
) -> None:
    """The frames of joint j in the frames H of slots a and b."""
    kind, locked = int(system.joint_kind[j]), system.locked[j]
    pair[at.PAIR_JOINT], pair[at.KIND], pair[at.SLOT_A], pair[at.SLOT_B], pair[at.MEETING] = j, kind, a, b, apex
    pair[at.TURNS] = kind == LOWER_PAIR and not locked[3:].any()
    if kind != DISTANCE and not pair[at.TURNS]:
        angles = int(system.n_coordinates[j])
        if kind == LOWER_PAIR:
            angles -= int((locked[:3] == 0).sum())
        pair[at.FIRST_ANGLE], pair[at.TURN_ANGLES] = system.q_start[j] + system.n_coordinates[j] - angles, angles
    pair[at.PAIR_LOCKED : at.PAIR_LOCKED + 6] = locked
    row[at.PARAMETER] = system.parameter[j]
    row[at.TIP_A_H : at.TIP_A_H + 3] = rotate_back(frames[a], sub(row3(system.parent_point, j), points[a]))
    row[at.TURN_A_H : at.TURN_A_H + 4] = relative(frames[a], row4(system.parent_frame, j))
    row[at.TIP_B_H : at.TIP_B_H + 3] = rotate_back(frames[b], sub(row3(system.child_point, j), points[b]))
    row[at.TURN_B_H : at.TURN_B_H + 4] = relative(frames[b], row4(system.child_frame, j))
