"""What a failed step with contact says to people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dalembert.integrators.base import StepFailure
from dalembert.integrators.maximal.contact_elements import CONTACT, GEOM, IMPULSE, ITEM, KIND, LINE, SLACK, UNIT
from dalembert.integrators.maximal.contact_step import WHOLE
from dalembert.integrators.maximal.failure import step_failure
from dalembert.integrators.maximal.knot import NO_CONVERGENCE

if TYPE_CHECKING:
    from dalembert.integrators.maximal.contact_scene import Scene
    from dalembert.integrators.maximal.method import MaximalVI
    from dalembert.model.model import Model
    from dalembert.model.system import Floats


def contact_failure(
    model: Model, method: MaximalVI, scene: Scene, status: int, worst: int, done: int, turns: Floats
) -> StepFailure:
    """The failure of a step with ``status``; ``worst`` numbers the bodies, then the joints, then the elements."""
    first = model.n_bodies + len(model.joints)
    if worst < first and status != NO_CONVERGENCE:
        return step_failure(model, method, status, worst, done, turns)
    elements = scene.elements
    k = worst - first
    if k < 0:
        k = _most_open(scene)
    if k < 0:
        return step_failure(model, method, status, worst, done, turns)
    item = int(elements.whole[k, ITEM])
    if elements.whole[k, KIND] in (CONTACT, LINE):
        contacts = list(model.contacts)
        geoms = elements.whole[k, GEOM : GEOM + 2]
        one, other = (contacts[int(model.geometry.contact[g])] for g in geoms)
        name = f'contact of "{one}" and "{other}"'
    else:
        name = f'joint "{list(model.joints)[item]}"'
    reason = (
        f"contact impulses were not found in {method.max_iterations} iterations of the interior-point method, "
        f"nor in parts of the step down to 1/{WHOLE}; try a smaller dt or more max_iterations"
    )
    return StepFailure(reason, name, done)


def _most_open(scene: Scene) -> int:
    """The element whose complementarity is violated most, −1 if there is none."""
    elements, used = scene.elements, int(scene.elements.used[0])
    if not used:
        return -1
    products = abs(elements.value[:used, SLACK] * elements.value[:used, IMPULSE]) / elements.fixed[:used, UNIT]
    return int(products.argmax())
