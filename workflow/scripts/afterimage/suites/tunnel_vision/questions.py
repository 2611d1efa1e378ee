"""The questions about each image, and how a model answers them that does not look."""

from collections.abc import Iterator, Sequence

from afterimage.contract.question import Option, Question, ask
from afterimage.contract.stimulus import Json, Shown
from afterimage.items.wording import offered
from afterimage.suites.tunnel_vision.design import COLOURS, WIRE_COLOURS


def questions(
    images: Sequence[Shown], words: Json, settings: Json, available: Sequence[Shown]
) -> Iterator[Question]:
    """Yield the questions about the images of a shard.

    Args:
        images: Those of the shard.
        words: ``prompts`` by id.
        settings: ``prompts`` (ids).
        available: Not read; no prompt uses examples.
    """
    for shown in images:
        for prompt in settings["prompts"]:
            wording = words["prompts"][prompt]
            if wording["task"] != shown.figure:
                continue
            options, key = _options(wording), shown.factors["end"]
            if key not in options:
                # Two true copies, where only the sides can be named.
                continue
            hops = shown.factors["level"]
            text = wording["text"].format(
                start=shown.factors.get("start"),
                steps=f"{hops} step" if hops == "1" else f"{hops} steps",
                options="\n".join(options.values()),
            )
            yield Question(
                shown,
                prompt,
                ask(shown, text),
                "choice",
                key,
                tuple(Option(name, text) for name, text in options.items()),
                prompt=prompt,
                question=wording["task"],
            )


def _options(wording: Json) -> dict[str, str]:
    """Return what can be answered: words of the prompt, or colours by their names."""
    named = {"follow": tuple(COLOURS), "trace": WIRE_COLOURS}
    return wording.get("options") or {name: name for name in named[wording["task"]]}


# ---- textbook ----


def answer(beside: Json, rule: str) -> str:
    """Return the option of the most frequent colour, the heuristic that the authors report; else the first one.

    Args:
        beside: What stands beside the request: ``options`` as pairs of option id and text, and ``factors``, of which
            ``frequent`` names the colour where one is.
        rule: ``cued`` or ``gated``, which are the same here.

    Raises:
        AfterimageError: The rule is unknown, or there are no options.
    """
    texts = offered(beside, rule)
    return texts.get(beside["factors"].get("frequent"), next(iter(texts.values())))
