"""The illusions as tests draw them, and graded answers about them."""

from functools import cache
from itertools import product

import numpy as np
import pandas as pd

from afterimage.contract.parts import resolve
from afterimage.contract.stimulus import Drawing, Shown, StimulusSpec
from afterimage.suites.illusion_vqa.images import CONDITIONS, DESIGN, is_representative
from afterimage.suites.illusions.names import QUESTIONS, VARIANTS, drawn_by


def specs_of(figure: str) -> list[StimulusSpec]:
    """Return the eight stimuli of an illusion in illusion_vqa."""
    return list(DESIGN.specs(figure, {}))


def draw_illusion(figure: str, parameters: dict) -> Drawing:
    """Draw an illusion from the parameters of a stimulus."""
    return resolve(drawn_by(figure))(**parameters)


@cache
def drawn(figure: str, variant: str, condition: str) -> np.ndarray:
    """Return the pixels of a stimulus; not to be changed."""
    specs = {spec.stimulus_id: spec for spec in specs_of(figure)}
    return draw_illusion(figure, specs[f"{figure}_{variant}_{condition}"].parameters).pixels


def shown(figure: str, spec: StimulusSpec, drawing: Drawing) -> Shown:
    """Return a drawn stimulus as questions see it."""
    return Shown(spec.stimulus_id, factors={**spec.factors, **drawing.factors}, figure=figure)


def answered(
    right, figures, conditions=CONDITIONS, model="a_model", prompt="zero_shot", repeat=0, **more
) -> pd.DataFrame:
    """Return one model's graded answers to both questions about each image.

    Args:
        right: Takes figure, variant, condition and question, tells whether the answer is right; None of an unread one.
        figures: The illusions.
        conditions: Theirs.
        model: Whose answers these are.
        prompt: What was asked with.
        repeat: Which time.
        more: Further columns.
    """
    rows = []
    for figure, variant, condition, question in product(figures, VARIANTS, conditions, QUESTIONS):
        correct = right(figure, variant, condition, question)
        stimulus = f"{figure}_{variant}_{condition}"
        rows.append(
            {
                "model": model,
                "prompt": prompt,
                "repeat": repeat,
                "stimulus_id": stimulus,
                "item_id": f"{stimulus}/{question}/{prompt}",
                "figure": figure,
                "question": question,
                "outcome": "unparsed" if correct is None else "exact",
                "reason": "refused: no image" if correct is None else "",
                "correct": bool(correct),
                "variant": variant,
                "condition": condition,
                "human_subset": str(is_representative(figure, variant)).lower(),
                "option_count": "2" if figure in {"cafe_wall", "zoellner", "orbison"} else "3",
                **more,
            }
        )
    return pd.DataFrame(rows)
