"""The zoo by name, as the command line shows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from dalembert.model.model import Model
from dalembert.model.state import State
from dalembert.zoo.andrews_squeezer import MOTOR, andrews_squeezer
from dalembert.zoo.bricard import bricard
from dalembert.zoo.cart_pole import cart_pole, cart_pole_start
from dalembert.zoo.exoskeleton import exoskeleton, exoskeleton_start
from dalembert.zoo.flyball_governor import flyball_governor, flyball_governor_start
from dalembert.zoo.four_bar_chain import four_bar_chain
from dalembert.zoo.ladder import ladder
from dalembert.zoo.legged import humanoid, humanoid_start, quadruped, quadruped_start
from dalembert.zoo.minitaur import minitaur, minitaur_leg
from dalembert.zoo.modelica_double_pendulum import modelica_double_pendulum
from dalembert.zoo.n_four_bar import double_four_bar, n_four_bar, n_four_bar_start
from dalembert.zoo.pendulum import (
    double_pendulum,
    pendulum,
    pendulum_chain,
    pendulum_chain_start,
    pendulum_start,
    scaled_pendulum,
)
from dalembert.zoo.pinned_chain import pinned_chain
from dalembert.zoo.point_pendulum import point_pendulum
from dalembert.zoo.random_mechanisms import random_loops, random_state, random_tree
from dalembert.zoo.slider_crank import slider_crank
from dalembert.zoo.spinning_top import spinning_top, spinning_top_start
from dalembert.zoo.three_link_loop import three_link_loop
from dalembert.zoo.tumbling_box import tumbling_box, tumbling_box_start


def _at_rest(model: Model) -> State:
    """The reference configuration, nothing moving."""
    return model.state()


@dataclass(frozen=True)
class Mechanism:
    """One entry of the zoo."""

    build: Callable[..., Model]
    """Makes the model; every argument has a default."""
    text: str
    """One line for a table."""
    start: Callable[[Model], State] = _at_rest
    """The state that a simulation of it starts from."""
    wrenches: Mapping[str, Any] | None = None
    """What drives it, for ``simulate(wrenches=…)``."""


ZOO: Final[dict[str, Mechanism]] = {
    "pendulum": Mechanism(pendulum, "n equal rods in a row, joints of any kind", pendulum_start),
    "double_pendulum": Mechanism(double_pendulum, "two rods, revolute joints, chaotic", pendulum_start),
    "pendulum_chain": Mechanism(pendulum_chain, "a rope of many short rods and ball joints", pendulum_chain_start),
    "pinned_chain": Mechanism(pinned_chain, "a chain between two pins: one loop of many links"),
    "scaled_pendulum": Mechanism(scaled_pendulum, "one rod whose period is proportional to its scale", pendulum_start),
    "point_pendulum": Mechanism(point_pendulum, "a point mass at a fixed distance (IFToMM A01)"),
    "modelica_double_pendulum": Mechanism(modelica_double_pendulum, "two steel boxes and a damper (Modelica)"),
    "three_link_loop": Mechanism(three_link_loop, "links of 1, √2/2 and 1 m between two pins"),
    "four_bar_chain": Mechanism(four_bar_chain, "closed rhombi of four links, hung below one another"),
    "n_four_bar": Mechanism(
        n_four_bar, "parallel cranks in a row, singular twice a turn (IFToMM A02)", n_four_bar_start
    ),
    "double_four_bar": Mechanism(double_four_bar, "the same with three cranks", n_four_bar_start),
    "ladder": Mechanism(ladder, "a rope ladder: loops that share bodies"),
    "andrews_squeezer": Mechanism(
        andrews_squeezer, "seven small fast bodies, three loops (IFToMM A03)", wrenches=MOTOR
    ),
    "bricard": Mechanism(bricard, "a ring of six revolute joints, overconstrained (IFToMM A04)"),
    "flyball_governor": Mechanism(
        flyball_governor, "balls on a shaft, very stiff springs (IFToMM A05)", flyball_governor_start
    ),
    "cart_pole": Mechanism(cart_pole, "a pole on a cart, let go", cart_pole_start),
    "slider_crank": Mechanism(slider_crank, "crank, connecting rod and piston"),
    "spinning_top": Mechanism(spinning_top, "a heavy symmetric top on its tip", spinning_top_start),
    "tumbling_box": Mechanism(tumbling_box, "a free box that turns about its middle axis", tumbling_box_start),
    "minitaur_leg": Mechanism(minitaur_leg, "a leg of four links moved by two coaxial motors"),
    "minitaur": Mechanism(minitaur, "a free quadruped with four closed legs"),
    "quadruped": Mechanism(quadruped, "a free trunk on four open legs", quadruped_start),
    "humanoid": Mechanism(humanoid, "a person of 75 kg in a leap, ball joints and hinges", humanoid_start),
    "exoskeleton": Mechanism(exoskeleton, "an arm in an exoskeleton, two connected loops", exoskeleton_start),
    "random_tree": Mechanism(random_tree, "a random tree of joints of all kinds", random_state),
    "random_loops": Mechanism(random_loops, "a random mechanism with closed loops", random_state),
}
