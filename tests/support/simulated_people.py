"""Observers who trust their eyes, for exercising the human filter."""

from collections.abc import Mapping, Sequence

import numpy as np

from afterimage.files.human_responses import HumanResponse
from afterimage.suites.illusion_vqa import human_filter
from afterimage.suites.illusions.names import QUESTIONS

#: The share of answers that are blind guesses.
LAPSE_RATE = 0.1


def simulate_participants(
    choices: Mapping[str, Mapping[str, Mapping]],
    figures: Sequence[str],
    number: int,
    generator: np.random.Generator,
    lapse_rate: float = LAPSE_RATE,
) -> list[HumanResponse]:
    """Make up responses of observers who trust their eyes; only for exercising the filter.

    Each answers the percept, which is the intended apparent feature, to both questions about each
    representative image (docs/illusion_figures.md, section 6), and now and then guesses. Nothing about people
    follows from these responses; wherever they are used, ``synthetic`` must be true.

    Args:
        choices: What :func:`afterimage.suites.illusion_vqa.prompt_file.choices` returned for ``figures``.
        figures: The illusions to answer questions about.
        number: How many observers.
        generator: Source of the lapses.
        lapse_rate: Share of answers that are guesses among all options, from 0 to 1.
    """
    responses = []
    for participant in range(1, number + 1):
        for image in human_filter._images(figures):
            if not image.representative:
                continue
            offered = choices[image.figure][image.variant]
            for question in QUESTIONS:
                option = offered["intended"][image.condition]["apparent"]
                if generator.random() < lapse_rate:
                    option = str(generator.choice(offered["options"]))
                # The header is line 1 of the file that these rows would make.
                line = len(responses) + 2
                name = f"synthetic_{participant:03d}"
                responses.append(HumanResponse(line, name, image.stimulus_id, question, option))
    return responses
