"""The pass backwards over a recorded run: stage by stage what the objective feels of each knot and of all parameters.

With b̄, c̄ of a stage and η̄₀ from `dalembert.adjoint.transposed_stage`, the steps of
`dalembert.integrators.implicit.steps` hand to earlier knots

* BDF1 (b = 0, c = vₖ):  v̄ₖ += c̄;
* BDF2 (b = ξₖ/3, c = (4 vₖ − vₖ₋₁)/3):  ξ̄ₖ += b̄/3,  v̄ₖ += 4 c̄/3,  v̄ₖ₋₁ −= c̄/3;
* SDIRK2, second stage (b = ρ ξ_α, c = (1 − ρ) vₖ + ρ v_α, ρ = (1 − α)/α):  ξ̄_α = ρ b̄,  v̄_α = ρ c̄,  v̄ₖ += (1 − ρ) c̄;
  first stage (b = 0, c = vₖ):  v̄ₖ += c̄;

and η̄ₖ += η̄₀ in every one. [Sueda 2021] eq. (3.95), (3.104).
"""

from dalembert._jit import kernel
from dalembert.adjoint.body_terms import add_body_terms
from dalembert.adjoint.closing_terms import add_closing_terms
from dalembert.adjoint.coordinate_terms import add_coordinate_terms
from dalembert.adjoint.point_terms import add_point_terms
from dalembert.adjoint.transposed_stage import recall_stage, transpose_stage
from dalembert.adjoint.virtual import move_virtually
from dalembert.integrators.implicit.steps import ALPHA, BDF1_METHOD, BDF2_METHOD, SDIRK2_METHOD


@kernel
def sweep_back(system, stage, loads, tape, method, h, look, felt, virtual, place, rate, displacement, sensitivity):
    """From the end of the run to its start; the step whose system is singular, −1 if none.

    With ``look`` set to 1 nothing is solved: the virtual motion z is the row of ``rate`` at the step's end and μ what
    stands in ``stage.change``; the equations are left in ``stage.equations``. So the rows of a start are differentiated
    (`dalembert.adjoint.start_rows`), without compiling all of this once more.

    Args:
        felt: scratch, a `Felt`.
        virtual: scratch, a `Virtual`.
        place: (N + 1, n_v) what the objective feels of every knot by itself, and in the end of all of it; so ``rate``.
        displacement: (N + 1, n_v) zeros.
        sensitivity: filled, but for its start.
    """
    ratio = (1.0 - ALPHA) / ALPHA
    s, n = tape.done[1], system.n_v
    for k in range(tape.done[0] - 1, -1, -1):
        double = method == SDIRK2_METHOD or (method == BDF2_METHOD and k == 0)
        for i in range(n):
            felt.place[i], felt.rate[i] = place[k + 1, i], rate[k + 1, i]
            felt.displacement[i] = displacement[k + 1, i]
        for part in range(1 if double else 0, -1, -1):
            s -= 1
            t = ALPHA * h if double else (h if method == BDF1_METHOD else 2.0 * h / 3.0)
            regular, rank = recall_stage(system, stage, loads, tape, k, s, t)
            if look == 1:
                for i in range(n):
                    stage.step[i] = rate[k + 1, i]
            elif regular:
                transpose_stage(system, stage, rank, t, felt)
            else:
                return k
            add_terms(system, stage, loads, -t * t, virtual, sensitivity.joint_force[k], sensitivity)
            if look == 1:
                continue
            for i in range(n):
                place[k, i] += felt.base[i]
            if part == 1:
                for i in range(n):
                    rate[k, i] += (1.0 - ratio) * felt.carried[i]
                    felt.place[i], felt.rate[i] = 0.0, ratio * felt.carried[i]
                    felt.displacement[i] = ratio * felt.offset[i]
            elif method == BDF2_METHOD and not double:
                for i in range(n):
                    displacement[k, i] += felt.offset[i] / 3.0
                    rate[k, i] += 4.0 / 3.0 * felt.carried[i]
                    rate[k - 1, i] -= felt.carried[i] / 3.0
            else:
                for i in range(n):
                    rate[k, i] += felt.carried[i]
    return -1


@kernel
def add_terms(system, stage, loads, factor, virtual, force, sensitivity):
    """Add ``factor`` ∂(zᵀ g)/∂p − ∂(μᵀ c)/∂p for z in ``stage.step`` and μ in ``stage.change``."""
    z, mu, at = stage.step, stage.change, stage.equations.tree
    move_virtually(system, at, z, virtual.twist)
    add_body_terms(system, at, factor, virtual, sensitivity)
    add_coordinate_terms(system, stage, z, factor, force, sensitivity)
    add_closing_terms(system, stage, mu, factor, virtual, force, sensitivity)
    add_point_terms(system, stage, loads, mu, factor, virtual, sensitivity)
