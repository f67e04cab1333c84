"""What comes out of a run: recorded states and everything that follows from them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.errors import ModelError
from dalembert.integrators.record import Record
from dalembert.model.state import State
from dalembert.model.system import Floats, Integers

if TYPE_CHECKING:
    from dalembert.model.model import Model
    from dalembert.trajectory_contact import ContactMotion
    from dalembert.trajectory_items import BodyMotion, JointMotion


class Trajectory:
    """The recorded instants of a run (N of them, n bodies, m joints); see `Record` for the columns.

    Attributes:
        model: the mechanism.
        time: (N,) seconds.
        final_state: the last state reached, from which `simulate` resumes with the same bits.
        dt: step in seconds.
        every: steps from one recorded instant to the next.
        integrator: name of the method; ``parameters`` are its options.
        wall_time: seconds that the run took, compilation included.
        interrupted: whether Ctrl-C ended it.
        forced: whether a controller or wrenches acted from outside.
    """

    def __init__(
        self,
        model: Model,
        time: Floats,
        record: Record,
        final_state: State,
        *,
        dt: float,
        every: int,
        integrator: str,
        parameters: Mapping[str, Any],
        wall_time: float,
        interrupted: bool = False,
        forced: bool = False,
    ) -> None:
        self.model = model
        self.time = time
        self.record = record
        self.final_state = final_state
        self.dt = dt
        self.every = every
        self.integrator = integrator
        self.parameters = dict(parameters)
        self.wall_time = wall_time
        self.interrupted = interrupted
        self.forced = forced

    def __len__(self) -> int:
        return len(self.time)

    def __repr__(self) -> str:
        return (
            f"<Trajectory: {len(self)} instants to t = {self.time[-1]:.6g} s by {self.integrator}, dt = {self.dt:g} s>"
        )

    @property
    def position(self) -> Floats:
        """(N, n, 3) centres of mass in the world, m."""
        return self.record.position

    @property
    def orientation(self) -> Floats:
        """(N, n, 4) quaternions (w, x, y, z), body to world."""
        return self.record.orientation

    @property
    def velocity(self) -> Floats:
        """(N, n, 3) of the centres of mass in the world, m/s."""
        return self.record.velocity

    @property
    def angular_velocity(self) -> Floats:
        """(N, n, 3) in body axes, rad/s."""
        return self.record.angular_velocity

    @property
    def coordinates(self) -> Floats:
        """Coordinates of all joints, angles unwrapped; columns as ``model.joints[name].coordinates``."""
        return self.record.coordinates

    @property
    def q(self) -> Floats:
        """(N, n_q) minimal coordinates: those of the joints of the spanning tree."""
        return self.record.coordinates[:, : self.model.system.n_q]

    @property
    def qdot(self) -> Floats:
        """(N, n_v) minimal rates."""
        return self.rates[:, : self.model.system.n_v]

    @property
    def constraint_error(self) -> Floats:
        """(N,) largest violation of a position constraint since the instant before, m or rad."""
        return self.record.constraint_error

    @property
    def iterations(self) -> Integers:
        """(N,) Newton iterations since the instant before."""
        return self.record.iterations

    @cached_property
    def rates(self) -> Floats:
        """Rates of all joints; columns as ``model.joints[name].rates``."""
        from dalembert.trajectory_items import all_rates

        return all_rates(self)

    @property
    def energy(self) -> Floats:
        """(N,) kinetic plus potential energy, J."""
        return self.kinetic + self.potential

    @property
    def kinetic(self) -> Floats:
        """(N,) kinetic energy of bodies and rotors, J."""
        return self._energies[0]

    @property
    def potential(self) -> Floats:
        """(N,) energy of gravity, springs, force elements and user potentials, J."""
        return self._energies[1]

    @property
    def linear_momentum(self) -> Floats:
        """(N, 3) in the world, kg m/s."""
        return self._momenta[0]

    @property
    def angular_momentum(self) -> Floats:
        """(N, 3) about the world's origin, kg m²/s."""
        return self._momenta[1]

    def body(self, name: str) -> BodyMotion:
        """The motion of one body."""
        from dalembert.trajectory_items import BodyMotion

        index = self.model.body_index(name)
        if index == self.model.n_bodies:
            raise ModelError(f'body "{name}": a recording has no motion of the world, which rests')
        return BodyMotion(self, index)

    def joint(self, name: str) -> JointMotion:
        """The motion of one joint and the forces in it."""
        from dalembert.trajectory_items import JointMotion

        return JointMotion(self, self.model.joint_index(name), name)

    def contact(self, name: str) -> ContactMotion:
        """What touched one of the model's contacts, and how."""
        from dalembert.trajectory_contact import ContactMotion

        return ContactMotion(self, name)

    @property
    def lost(self) -> Floats:
        """(N,) energy that impacts, friction of contacts, limits and dry friction of joints took so far, J.

        ``energy + lost`` is what is conserved. Forces from outside and dampers are not counted.
        """
        return self.record.lost.sum(axis=1)

    @property
    def losses(self) -> dict[str, Floats]:
        """(N,) each: the same by cause, "impact", "friction", "limits" and "joint friction"."""
        names = ("impact", "friction", "limits", "joint friction")
        return {name: self.record.lost[:, k] for k, name in enumerate(names)}

    def state(self, index: int) -> State:
        """The state at a recorded instant. Only ``final_state`` resumes with the same bits."""
        return State(
            self.position[index].copy(),
            self.orientation[index].copy(),
            self.velocity[index].copy(),
            self.angular_velocity[index].copy(),
            self.coordinates[index].copy(),
            self.rates[index].copy(),
            time=float(self.time[index]),
        )

    def report(self) -> str:
        """How accurate the run was and what it cost."""
        from dalembert.report import accuracy_report

        return accuracy_report(self)

    def save(self, path: str | Path) -> Path:
        """Write everything to one .npz file, complete or not at all; `dalembert.load_run` reads it."""
        from dalembert.run_file import save_run

        return save_run(self, path)

    def plot(self, path: str | Path) -> Path:
        """A picture of energy, constraint error and motion; the ending chooses PNG, SVG or PDF."""
        from dalembert.view.plots import overview

        return overview(self, path)

    def view(self, *, port: int = 8080, open_browser: bool = True) -> None:
        """Show the run in a browser until Ctrl-C: play, step, time, forces, energy. Needs ``dalembert[view]``.

        Args:
            port: of this machine (127.0.0.1), which nothing else can reach.
            open_browser: open the page by itself.
        """
        from dalembert.view.browser import view_run

        view_run(self, port=port, open_browser=open_browser)

    def export_html(self, path: str | Path, *, title: str = "") -> Path:
        """One HTML file that shows the run moving, without a network: to look at and to send."""
        from dalembert.view.replay import export_html

        return export_html(self, path, title=title)

    def picture(self, path: str | Path, *, time: float | None = None) -> Path:
        """A solid picture (.png) of the instant nearest to ``time``, s; the last one if not given. No display needed.

        Needs ``dalembert[view]``.
        """
        from dalembert.view.still import picture

        return picture(self, path, time=time)

    def film(self, path: str | Path, *, speed: float = 1.0) -> Path:
        """A film (.mp4), ``speed`` times as fast as life. No display needed. Needs ``dalembert[view]``."""
        from dalembert.view.still import film

        return film(self, path, speed=speed)

    def _repr_html_(self) -> str:
        """The replay, in a notebook."""
        from dalembert.view.replay import frame

        return frame(self)

    @cached_property
    def _energies(self) -> tuple[Floats, Floats]:
        from dalembert.mechanics.energy import energies

        found = energies(
            self.model.system,
            self.position,
            self.orientation,
            self.velocity,
            self.angular_velocity,
            self.coordinates,
        )
        potential = found.potential
        for user in self.model.potentials.values():
            bodies = list(user.bodies)
            poses = zip(self.position[:, bodies], self.orientation[:, bodies], strict=True)
            potential = potential + np.array([user.energy(x, q) for x, q in poses])
        if self.model.forces:
            from dalembert.mechanics.element_energy import element_potential

            potential = potential + element_potential(self.model.elements, self.position, self.orientation)
        return found.kinetic, potential

    @cached_property
    def _momenta(self) -> tuple[Floats, Floats]:
        from dalembert.mechanics.momentum import momenta

        found = momenta(self.model.system, self.position, self.orientation, self.velocity, self.angular_velocity)
        return found.linear, found.angular
