"""``dalembert check``: is this mechanism sound, and what is it made of?"""

from __future__ import annotations

from typing import Annotated

import typer

from dalembert.cli.source import load_source


def check(
    mechanism: Annotated[
        str, typer.Argument(help="A mechanism of the zoo, a model file, module:function, or file.py[:function].")
    ],
    setting: Annotated[
        list[str] | None, typer.Option("--set", help="An argument of the mechanism, name=value.")
    ] = None,
) -> None:
    """Build a mechanism, assemble it, and print its bodies, joints, degrees of freedom and loops."""
    from dalembert.cli.output import console, print_table

    source = load_source(mechanism, setting or [])
    model = source.model
    print_table(
        f"{len(model.bodies)} bodies",
        ("body", "mass (kg)", "principal inertia (kg m²)"),
        [(body.name, f"{body.mass:g}", _principal(body.inertia)) for body in model.bodies.values()],
        numbers=("mass (kg)",),
    )
    console.print()
    print_table(
        f"{len(model.joints)} joints",
        ("joint", "kind", "parent", "child", "coordinates", "role"),
        [
            (
                joint.name,
                joint.kind.name,
                joint.parent or ", ".join(joint.bodies),
                joint.child,
                ", ".join(joint.kind.coordinate_names),
                "places its body" if joint.in_tree else "closes a loop" if joint.kind.has_coordinates else "couples",
            )
            for joint in model.joints.values()
        ],
    )
    console.print()
    assembly = model.assemble(source.state)
    loops = sum(1 for joint in model.joints.values() if not joint.in_tree and joint.kind.has_coordinates)
    rows = [
        ("degrees of freedom", str(assembly.dof)),
        ("joints that close loops", str(loops)),
        ("redundant constraint rows", str(assembly.redundant)),
        ("constraint error when assembled (m, rad)", f"{assembly.residual:.1e}"),
    ]
    print_table(source.name, ("", ""), rows)
    if source.notes:
        console.print()
    for note in source.notes:
        console.print(str(note), markup=False, soft_wrap=True)


def _principal(inertia: object) -> str:
    import numpy as np

    return ", ".join(f"{moment:.3g}" for moment in np.linalg.eigvalsh(np.asarray(inertia, dtype=float)))
