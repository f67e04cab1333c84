"""The corners, edges and triangles of a height field, numbered so that a place in the grid gives their numbers.

With r rows along x and c columns along y: corner (i, j) is i c + j. Cell (i, j) lies between corners (i, j) and
(i + 1, j + 1); its diagonal joins them, and its triangles are 2 (i (c − 1) + j), on the side of +x, and the next one.
Edges along x come first, (i, j) to (i + 1, j) being i c + j; then those along y, (i, j) to (i, j + 1), i (c − 1) + j
after the first of them; then the diagonals, numbered as the cells.
"""

from __future__ import annotations

import numpy as np

from dalembert.model.polytope import Polytope
from dalembert.model.system import Floats


def terrain(heights: Floats, spacing: Floats) -> Polytope:
    """The surface of a height field (rows, columns), its grid centred at the origin; nothing closes it below."""
    rows, columns = heights.shape
    i, j = np.meshgrid(np.arange(rows), np.arange(columns), indexing="ij")
    x, y = (i - 0.5 * (rows - 1)) * spacing[0], (j - 0.5 * (columns - 1)) * spacing[1]
    corners = np.stack((x, y, heights), axis=-1).reshape(-1, 3)
    corner = i * columns + j
    cell = np.full((rows + 1, columns + 1), -1, dtype=np.int64)
    cell[1:-1, 1:-1] = np.arange((rows - 1) * (columns - 1)).reshape(rows - 1, columns - 1)

    def triangle(di: int, dj: int, which: int, shape: tuple[int, int]) -> np.ndarray:
        """The triangle of the cell at an offset from each place in the grid, −1 beyond it."""
        own = cell[1 + di : 1 + di + shape[0], 1 + dj : 1 + dj + shape[1]]
        return np.where(own >= 0, 2 * own + which, -1).reshape(-1)

    a, b, c, d = corner[:-1, :-1], corner[1:, :-1], corner[1:, 1:], corner[:-1, 1:]
    triangles = np.stack((np.stack((a, b, c), axis=-1), np.stack((a, c, d), axis=-1)), axis=2).reshape(-1, 3)
    along_x, along_y, inside = (rows - 1, columns), (rows, columns - 1), (rows - 1, columns - 1)
    edges = [np.stack((p.reshape(-1), q.reshape(-1)), axis=1) for p, q in _ends(corner)]
    sides = [
        np.stack((triangle(0, 0, 0, along_x), triangle(0, -1, 1, along_x)), axis=1),
        np.stack((triangle(0, 0, 1, along_y), triangle(-1, 0, 0, along_y)), axis=1),
        np.stack((triangle(0, 0, 0, inside), triangle(0, 0, 1, inside)), axis=1),
    ]
    first, second, third = (corners[triangles[:, k]] for k in range(3))
    normals = np.cross(second - first, third - first)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return Polytope(corners, np.concatenate(edges), np.concatenate(sides), list(triangles), normals)


def _ends(corner: np.ndarray) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
    """Both ends of the edges along x, along y, and across."""
    return (
        (corner[:-1], corner[1:]),
        (corner[:, :-1], corner[:, 1:]),
        (corner[:-1, :-1], corner[1:, 1:]),
    )
