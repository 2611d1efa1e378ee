"""Training the workflow's own vision-language model (docs/sprout.md)."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import platform
import time
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from afterimage.command_line import install
from afterimage.errors import AfterimageError, unknown_name
from afterimage.files.paths import write_text
from afterimage.files.yaml import read_yaml_mapping
from afterimage.sprout import PROMPTS
from afterimage.stages.stage import Stage

if TYPE_CHECKING:
    from afterimage.planning.plan import Plan
    from afterimage.stages.running import Files
    from afterimage.stages.stage import Names

logger = logging.getLogger(__name__)


# ---- specs and parts ----


def training_spec(plan: Plan, at: Names) -> dict[str, str]:
    """Return the recipe, and a hash of the prompts of its questions."""
    content = [
        read_yaml_mapping(f"resources/prompts/{name}.yaml", "the training questions of sprout")
        for name in PROMPTS
    ]
    words = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    return {"recipe": at.recipe, "words": words}


# ---- functions of jobs ----


def train_sprout(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, resources: Mapping[str, Any]
) -> None:
    """Draw, train, save and evaluate one recipe.

    Args:
        spec: ``recipe``, the name of one of ``sprout.recipe.RECIPES``.
        inputs: None.
        outputs: ``weights``, the checkpoint's ``model.safetensors``; everything else is written to the same folder.
        resources: ``threads``.

    Raises:
        AfterimageError: torch or transformers is not installed, there is no such recipe, or it needs a GPU.
    """
    from afterimage.sprout.recipe import RECIPES

    _require_torch()
    if spec["recipe"] not in RECIPES:
        raise unknown_name("recipe", spec["recipe"], RECIPES, "sprout")
    # Nothing may be looked up on a hub.
    os.environ["HF_HUB_OFFLINE"] = "1"
    from afterimage.sprout.evaluating import score_checkpoint
    from afterimage.sprout.saving import save_checkpoint
    from afterimage.sprout.training import train

    recipe, folder = RECIPES[spec["recipe"]], Path(outputs["weights"]).parent
    device = _device(spec["recipe"])
    began, cpu_began = time.monotonic(), _cpu_seconds()
    trained = train(recipe, resources["threads"], device)
    with TemporaryDirectory(dir=folder) as written:
        save_checkpoint(trained.model, trained.tokenizer, recipe.network, written)
        scores = score_checkpoint(written, recipe)
        for file in sorted(
            Path(written).iterdir(), key=lambda file: file.name == "model.safetensors"
        ):
            file.chmod(0o644)
            file.replace(folder / file.name)
    facts = {
        "minutes": (time.monotonic() - began) / 60,
        "cpu_minutes": (_cpu_seconds() - cpu_began) / 60,
        "processor": "a CPU, two threads" if device == "cpu" else "a GPU",
        "threads": resources["threads"],
        "versions": _versions(),
    }
    _write_companions(folder, recipe, trained, scores, facts)


def _write_companions(
    folder: Path, recipe: Any, trained: Any, scores: Any, facts: Mapping[str, Any]
) -> None:
    from afterimage.showing.charts.finished_figure import save_figure
    from afterimage.sprout import saving
    from afterimage.sprout.recipe import recipe_hash

    digest = recipe_hash(recipe)
    parameters = sum(parameter.numel() for parameter in trained.model.parameters())
    write_text(folder / "recipe.json", saving.recipe_text(recipe, digest, parameters))
    write_text(folder / "curves.csv", saving.curves_text(trained.curves))
    write_text(folder / "scores.csv", saving.scores_text(scores))
    write_text(folder / "README.md", saving.card_text(recipe, digest, parameters, scores, facts))
    save_figure(saving.curves_figure(trained.curves), [folder / "curves.png"])


def _require_torch() -> None:
    missing = [name for name in ("torch", "transformers") if find_spec(name) is None]
    if missing:
        raise AfterimageError(
            f"training sprout needs {' and '.join(missing)}; run `{install('[transformers]')}` in the environment of "
            "this job, or use the weights in resources/models/sprout."
        )


def _device(recipe: str) -> str:
    import torch

    from afterimage.sprout.recipe import LARGE

    if recipe not in LARGE:
        return "cpu"
    if not torch.cuda.is_available():
        raise AfterimageError(
            f"training {recipe} needs a GPU; torch {torch.__version__} finds none here. The recipe 'sprout' needs none."
        )
    return "cuda"


def _cpu_seconds() -> float:
    """Return the CPU time of this process and of its finished child processes."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _versions() -> str:
    import numpy as np
    import torch
    import transformers

    return (
        f"Python {platform.python_version()}, torch {torch.__version__}, transformers {transformers.__version__}, "
        f"numpy {np.__version__}, {platform.machine()} with {torch.backends.cpu.get_cpu_capability()}"
    )


STAGES = (Stage("train_sprout", train_sprout, "inference", spec=training_spec),)
