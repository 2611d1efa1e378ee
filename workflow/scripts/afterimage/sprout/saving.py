"""Results of a training: the checkpoint folder with recipe, curves, scores and the model card.

The folder is as `save_pretrained` leaves it: half precision, processor, chat template.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from os import PathLike
from pathlib import Path
from typing import Any

import jinja2
import torch
from matplotlib.figure import Figure
from transformers import LlavaForConditionalGeneration, LlavaProcessor, PreTrainedTokenizerFast
from transformers.models.siglip.image_processing_pil_siglip import SiglipImageProcessorPil

from afterimage.files.paths import ROOT
from afterimage.sprout.evaluating import Score
from afterimage.sprout.kinds import KINDS, SHOWN
from afterimage.sprout.network import CHAT_TEMPLATE
from afterimage.sprout.recipe import Network, Recipe
from afterimage.sprout.training import Curve

_BICUBIC = 3


def save_checkpoint(
    model: LlavaForConditionalGeneration,
    tokenizer: PreTrainedTokenizerFast,
    network: Network,
    folder: str | PathLike[str],
) -> None:
    """Write a checkpoint; the model is rounded to half precision on the way."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    model.to(torch.float16).save_pretrained(folder)
    images = SiglipImageProcessorPil(
        size={"height": network.side, "width": network.side},
        resample=_BICUBIC,
        image_mean=[network.mean] * 3,
        image_std=[network.deviation] * 3,
    )
    LlavaProcessor(
        images,
        tokenizer,
        patch_size=network.patch,
        vision_feature_select_strategy="full",
        chat_template=CHAT_TEMPLATE,
    ).save_pretrained(folder)


_TEMPLATE = ROOT / "resources/models/card.md.j2"
_GOALS = {
    **dict.fromkeys(("discs_and_squares", "arches", "vividness", "lightness", "yellowness"), 0.95),
    **dict.fromkeys(("lengths_beside", "lengths_above", "lengths_oblique"), 0.90),
}


def recipe_text(recipe: Recipe, digest: str, parameters: int) -> str:
    values = {"hash": digest, "parameters": parameters, "recipe": asdict(recipe)}
    return json.dumps(values, indent=1, sort_keys=True) + "\n"


def curves_text(curves: Sequence[Curve]) -> str:
    """Return the curves as CSV: phase, step, loss, share right."""
    lines = ["phase,step,loss,right"]
    for curve in curves:
        lines += [
            f"{curve.phase},{step},{loss:.4f},{right:.4f}" for step, loss, right in curve.rows
        ]
    return "\n".join(lines) + "\n"


def scores_text(scores: Sequence[Score]) -> str:
    """Return the scores as CSV, with Wilson's intervals at 95 %."""
    lines = ["kind,truth,right,parsed,number,share,low,high"]
    for score in scores:
        low, high = score.interval
        lines.append(
            f"{score.kind},{score.truth},{score.right},{score.parsed},{score.number},"
            f"{score.share:.4f},{low:.4f},{high:.4f}"
        )
    return "\n".join(lines) + "\n"


def card_text(
    recipe: Recipe,
    digest: str,
    parameters: int,
    scores: Sequence[Score],
    training: Mapping[str, Any],
) -> str:
    """Return the model card, Markdown.

    Args:
        scores: From :func:`evaluating.score_checkpoint`.
        training: ``minutes``, ``cpu_minutes``, ``processor``, ``threads`` and ``versions`` of the training.
    """
    environment = jinja2.Environment(
        undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False
    )
    template = environment.from_string(_TEMPLATE.read_text(encoding="utf-8"))
    parsed = sum(score.parsed for score in scores) / sum(score.number for score in scores)
    return template.render(
        recipe=recipe,
        digest=digest,
        parameters=parameters,
        kinds=[_row(kind, scores) for kind in KINDS],
        parsed=parsed,
        **training,
    )


def _row(kind: str, scores: Sequence[Score]) -> dict[str, Any]:
    kind_scores = [score for score in scores if score.kind == kind]
    goal = _GOALS.get(kind)
    reached = goal is not None and all(score.share >= goal for score in kind_scores)
    return {
        "name": kind.replace("_", " "),
        "what": SHOWN[kind],
        "scores": kind_scores,
        "goal": goal,
        "reached": reached,
    }


def curves_figure(curves: Sequence[Curve]) -> Figure:
    """Draw the share right over the steps of both phases."""
    figure = Figure(figsize=(6.4, 2.6), layout="constrained")
    for axes, curve in zip(figure.subplots(1, 2, sharey=True), curves, strict=True):
        steps, _, right = zip(*curve.rows, strict=True)
        axes.plot(steps, right, color="#0173b2")
        axes.set(xlabel="step", ylim=(0, 1), title=curve.phase)
        axes.spines[["top", "right"]].set_visible(False)
    figure.axes[0].set_ylabel("share right in training")
    return figure
