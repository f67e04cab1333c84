"""Mechanisms for examples, tests, studies and benchmarks: each a function that returns a `Model`.

`ZOO` lists them by name with a line of text and, where the start matters, the state to start from.
"""

from dalembert.zoo.andrews_squeezer import andrews_squeezer
from dalembert.zoo.bricard import bricard
from dalembert.zoo.cart_pole import cart_pole
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
from dalembert.zoo.registry import ZOO, Mechanism
from dalembert.zoo.slider_crank import slider_crank
from dalembert.zoo.spinning_top import spinning_top, spinning_top_start
from dalembert.zoo.three_link_loop import three_link_loop
from dalembert.zoo.tumbling_box import tumbling_box, tumbling_box_start

__all__ = [
    "ZOO",
    "Mechanism",
    "andrews_squeezer",
    "bricard",
    "cart_pole",
    "double_four_bar",
    "double_pendulum",
    "exoskeleton",
    "exoskeleton_start",
    "flyball_governor",
    "flyball_governor_start",
    "four_bar_chain",
    "humanoid",
    "humanoid_start",
    "ladder",
    "minitaur",
    "minitaur_leg",
    "modelica_double_pendulum",
    "n_four_bar",
    "n_four_bar_start",
    "pendulum",
    "pendulum_chain",
    "pendulum_chain_start",
    "pendulum_start",
    "pinned_chain",
    "point_pendulum",
    "quadruped",
    "quadruped_start",
    "random_loops",
    "random_state",
    "random_tree",
    "scaled_pendulum",
    "slider_crank",
    "spinning_top",
    "spinning_top_start",
    "three_link_loop",
    "tumbling_box",
    "tumbling_box_start",
]
