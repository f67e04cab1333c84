"""Models into files."""

from __future__ import annotations

from pathlib import Path

from dalembert.errors import ModelError
from dalembert.formats.json_model import write_model
from dalembert.model.model import Model


def save_model(model: Model, path: str | Path) -> Path:
    """Write a model into a JSON file, from which `load` gives it back to the last bit.

    Args:
        model: the model; parts of it that are Python functions are refused by name.
        path: ends in .json; a file that is already there is replaced.
    """
    path = Path(path)
    if path.suffix.lower() != ".json":
        raise ModelError(f'{path}: expected a file that ends in .json, found "{path.suffix}"')
    write_model(model, path)
    return path
