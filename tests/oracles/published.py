"""Values published by others, in SI units: see the sources named with each."""

# IFToMM benchmark problems, González et al., Multibody System Dynamics 16 (2006)
POINT_PENDULUM = {
    1.0: (0.9862917511319, -0.1650108531255),
    5.0: (-0.9423054350439, -0.3347543384137),
    9.99: (-0.3164364699141, -0.9486137045754),
    10.0: (-0.2750874625772, -0.9614192050988),
}
"""A01: x and y by time."""
POINT_PENDULUM_PERIOD = 2.3678419475762

FOUR_BAR = (-0.1950203019, -0.9807992057, -6.676678037, 1.327578325)
"""A02, N = 2: position and velocity of B0 at t = 1."""
FOUR_BAR_OTHER_CODE = (
    (1e-2, None, 1.14e-1),
    (1e-3, (0.3284112372, 0.9445348375), 1.14e-3),
    (5e-4, (0.3284465114, 0.9445225721), 2.86e-4),
    (2.5e-4, (0.3284552113, 0.9445195467), 7.15e-5),
)
"""A02, N = 2, t = 10, a generalised-α code: step, B0, largest energy error in J."""

BRICARD = {1.0: (0.51050146, -1.64916760, 0.14012311), 2.0: (-0.96934034, -1.22124689, 0.75427801)}
"""A04: P3 by time."""

GOVERNOR = {0.1: 0.5238364756, 0.5: 0.7432494248, 1.0: 0.5014209224}
"""A05: height of the slider by time."""

# Bari Test Set for IVP Solvers
SQUEEZER = (
    15.81077119629904,
    -15.75637105984298,
    0.04082224013073101,
    -0.5347301163226948,
    0.5244099658805304,
    0.5347301163226948,
    1.048080741042263,
)
"""A03: β, Θ, γ, Φ, δ, Ω, ε at t = 0.03."""

# Modelica Standard Library, MultiBody.Examples.Elementary.DoublePendulum
MODELICA_DOUBLE_PENDULUM = (-2.31791567544, 4.09416473, -1.73653457, -0.05039453)
"""φ₁ from the level, ω₁, φ₂ (relative), ω₂ at t = 3."""
