"""Where the interior-point method starts: close to the central path, and to the last step where there was one."""

from math import sqrt

from dalembert._jit import kernel
from dalembert.integrators.maximal.contact_elements import (
    BETA,
    CONE,
    GAP,
    IMPULSE,
    KEY,
    LENGTH,
    MEASURE,
    PSI,
    SIDED,
    SLACK,
    SLIPS,
    UNIT,
)
from dalembert.integrators.maximal.contact_memory import first_cone, recall
from dalembert.integrators.maximal.contact_rows import cone_size, slip_size
from dalembert.solve.cone import on_central_path

INSIDE = 0.9
"""Part of its cone that a remembered friction impulse may fill."""


@kernel
def start_elements(h, elements, memory, kappa, remember):
    """Set γ, s, β, ψ at the trial, with products of about ``kappa`` units. Gaps and slips stand in the elements."""
    for k in range(elements.used[0]):
        unit = elements.fixed[k, UNIT]
        product = kappa * unit
        m = (
            recall(memory, elements.whole[k, KEY], elements.whole[k, KEY + 1], elements.whole[k, KEY + 2])
            if remember
            else -1
        )
        if elements.whole[k, SIDED]:
            gap = elements.fixed[k, MEASURE] * elements.fixed[k, GAP] + elements.fixed[k, MEASURE + 1]
            floor = sqrt(kappa) * elements.fixed[k, LENGTH]
            gamma = h * memory.force[m, 0] if m >= 0 else 0.0
            if gap < 0.0:
                # what would stop the overlap if this element alone acted
                gamma = max(gamma, -gap * unit / elements.fixed[k, LENGTH] ** 2)
            gamma = max(gamma, product / max(gap, floor))
            elements.value[k, IMPULSE] = gamma
            elements.value[k, SLACK] = max(gap, product / gamma)
        for c in range(3):
            if not elements.whole[k, CONE + c]:
                continue
            x0, size = cone_size(elements, k, c), slip_size(elements, k, c)
            w1, w2 = elements.value[k, SLIPS + 2 * c], elements.value[k, SLIPS + 2 * c + 1]
            b1, b2 = 0.0, 0.0
            if m >= 0 and c == first_cone(elements, k) and size * x0 <= product:
                b1, b2 = h * memory.force[m, 1], h * memory.force[m, 2]
                b = sqrt(b1 * b1 + b2 * b2)
                if b > INSIDE * x0:
                    b1, b2 = INSIDE * x0 / b * b1, INSIDE * x0 / b * b2
                psi = max(2.0 * size, product * x0 / (x0 * x0 - b1 * b1 - b2 * b2))
            else:
                psi = on_central_path(x0, w1, w2, product)
                b1, b2 = -x0 * w1 / psi, -x0 * w2 / psi
            elements.value[k, BETA + 2 * c], elements.value[k, BETA + 2 * c + 1], elements.value[k, PSI + c] = (
                b1,
                b2,
                psi,
            )
