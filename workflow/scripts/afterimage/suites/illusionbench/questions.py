"""Questions: stimuli become items, each complete in itself (paper, section III and appendix A).

What is asked in which words is handed over as plain values (``bank.py`` cuts them out of the prompt file; those about a
user's images stand in their stimulus records). The image stands before the text. Options are shuffled by the question's
own name and a seed: every model, in every repeat, sees the same order, and it stands in the item's factors.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np

from afterimage.suites.illusionbench import wording
from afterimage.suites.illusionbench.item_parts import image_part, item, text_part, user_turn
from afterimage.suites.illusionbench.names import (
    ILLUSION,
    MULTIPLE_CHOICE,
    NUMERALS,
    SEMANTIC,
    STEP_BY_STEP,
    STEP_ONE,
    TRUE_FALSE,
)
from afterimage.suites.illusionbench.subjects import Subject, by_rank, rank

_SUITE = "illusionbench"
_RULES = ("cued", "gated")
_TRUTH = ("True", "False")
#: Descriptions among which a guess is made, the right one included.
_POSSIBLE = 4


def questions(
    stimuli: Iterable[Mapping],
    bank_slice: Mapping,
    settings: Mapping,
    read_png: Callable[[Mapping], bytes],
    examples: Iterable[Mapping] = (),
) -> Iterator[dict]:
    """Yield the items of a shard: all that is asked about each stimulus, schema ITEM.

    Args:
        stimuli: Stimulus records, schema STIMULUS, of the shard.
        bank_slice: What ``bank.select`` returned for these figures.
        settings: ``questions`` (kinds to ask), ``shuffle_seed``, ``shuffle_rounds``, ``memory_mode``,
            ``reuse_step1``.
        read_png: Gives a stimulus record's PNG bytes.
        examples: All stimulus records of the shard's figures; other descriptions come from them.
    """
    others = [Subject(row, bank_slice) for row in examples]
    for row in stimuli:
        stimulus = Subject(row, bank_slice)
        image = {"pixels_sha256": row["pixels_sha256"], "png": read_png(row)}
        for kind in settings["questions"]:
            for asked in _ITEMS[kind](stimulus, bank_slice, settings, others):
                yield {**asked, "images": [image]}


def _true_false(
    stimulus: Subject, bank_slice: Mapping, settings: Mapping, others: Sequence[Subject]
) -> Iterator[dict]:
    prompt = bank_slice["prompts"][TRUE_FALSE]
    for statement in stimulus.statements:
        beliefs = {
            f"textbook_{rule}": str(
                wording.believes(stimulus.words, stimulus.facts, statement, rule)
            )
            for rule in _RULES
            if stimulus.facts
        }
        text = prompt["text"].replace("{statement}", statement.text)
        yield item(
            stimulus,
            (TRUE_FALSE, statement.item_id, prompt["id"]),
            messages=[user_turn(image_part(), text_part(text))],
            answer_type="true_false",
            options=dict(zip(_TRUTH, _TRUTH, strict=True)),
            key=str(statement.gold),
            factors={"about": statement.about, "asked": statement.text, **beliefs},
        )


def _multiple_choice(
    stimulus: Subject, bank_slice: Mapping, settings: Mapping, others: Sequence[Subject]
) -> Iterator[dict]:
    prompt = bank_slice["prompts"][MULTIPLE_CHOICE]
    for choice in stimulus.choices:
        for number in range(settings["shuffle_rounds"]):
            identity = (stimulus.stimulus_id, choice.item_id, str(number))
            order = permutation(settings["shuffle_seed"], identity, len(choice.options))
            shown = [choice.options[place] for place in order]
            asked = laid_out(choice.text, shown, bank_slice["layout"], bank_slice["numerals"])
            beliefs = {
                f"textbook_{rule}": choice.options[believed]
                for rule in _RULES
                if stimulus.facts
                and (
                    believed := wording.believed_option(
                        stimulus.words, stimulus.facts, choice, rule
                    )
                )
                is not None
            }
            yield item(
                stimulus,
                (MULTIPLE_CHOICE, choice.item_id, prompt["id"], *_round(number)),
                messages=[
                    user_turn(image_part(), text_part(prompt["text"].replace("{question}", asked)))
                ],
                answer_type="roman",
                options=dict(zip(NUMERALS, shown, strict=True)),
                key=NUMERALS[order.index(choice.gold_index)],
                factors={
                    "about": choice.about,
                    "asked": asked,
                    "question_text": choice.text,
                    "permutation": " ".join(map(str, order)),
                    "shuffle_round": str(number),
                    **beliefs,
                },
            )


def permutation(seed: int, identity: Sequence[str], count: int) -> list[int]:
    """Return the order in which options are shown: of each place, which option stands there.

    Args:
        seed: The setting ``shuffle_seed``.
        identity: Stimulus id, the question's own id, number of the shuffle.
        count: Number of options.
    """
    digest = hashlib.sha256("/".join((_SUITE, str(seed), *identity)).encode()).digest()
    return np.random.default_rng(int.from_bytes(digest)).permutation(count).tolist()


def laid_out(question: str, options: Sequence[str], layout: str, numeral_style: str) -> str:
    """Put a question and its options together, in the order in which they are shown."""
    lines = "\n".join(
        numeral_style.format(upper=numeral, lower=numeral.lower(), option=option)
        for numeral, option in zip(NUMERALS, options, strict=True)
    )
    return layout.format(question=question, options=lines)


def _semantic(
    stimulus: Subject, bank_slice: Mapping, settings: Mapping, others: Sequence[Subject]
) -> Iterator[dict]:
    prompt = bank_slice["prompts"][SEMANTIC]
    turn = user_turn(image_part(), text_part(prompt["text"]))
    yield from _described(stimulus, (SEMANTIC, prompt["id"]), [turn], others)


def _illusion(
    stimulus: Subject, bank_slice: Mapping, settings: Mapping, others: Sequence[Subject]
) -> Iterator[dict]:
    prompt = bank_slice["prompts"][ILLUSION]
    turn = user_turn(image_part(), text_part(prompt["text"]))
    yield from _described(stimulus, (ILLUSION, prompt["id"]), [turn], others)


def _step_by_step(
    stimulus: Subject, bank_slice: Mapping, settings: Mapping, others: Sequence[Subject]
) -> Iterator[dict]:
    """Yield the second step, which holds the answer to the first (paper, algorithm 1).

    Before it stands the first step, where that is an item of its own.
    """
    first, second = (bank_slice["prompts"][kind] for kind in (ILLUSION, SEMANTIC))
    prompt = f"{first['id']}+{second['id']}"
    memory = f"{stimulus.stimulus_id}/{ILLUSION}/{first['id']}"
    text = first["text"]
    if not (settings["reuse_step1"] and ILLUSION in settings["questions"]):
        # Requests of the same content share one answer; the line's end makes this one a request of its own.
        text += "\n"
        memory = f"{stimulus.stimulus_id}/{STEP_ONE}/{first['id']}"
        turn = user_turn(image_part(), text_part(text))
        yield from _described(stimulus, (STEP_ONE, first["id"]), [turn], others)
    answer = {"type": "answer", "text": memory, "image": None}
    if settings["memory_mode"] == "concat":
        parts = (text_part(f"{first['text']}\n"), answer, text_part(f"\n{second['text']}"))
        messages = [user_turn(image_part(), *parts)]
    else:
        messages = [
            user_turn(image_part(), text_part(text)),
            {"role": "assistant", "parts": [answer]},
            user_turn(text_part(second["text"])),
        ]
    identity = (STEP_BY_STEP, prompt, settings["memory_mode"])
    for asked in _described(stimulus, identity, messages, others):
        yield {**asked, "factors": asked["factors"] | {"memory_mode": settings["memory_mode"]}}


def _described(
    stimulus: Subject,
    identity: tuple[str, ...],
    messages: list[dict],
    others: Sequence[Subject],
) -> Iterator[dict]:
    if stimulus.golden is None:
        return
    beliefs = _believed_descriptions(stimulus, others)
    possible = _possible_descriptions(stimulus, others, list(beliefs.values()))
    yield item(
        stimulus,
        identity,
        messages=messages,
        answer_type="description",
        options=dict(zip(possible, possible, strict=True)),
        key=stimulus.golden,
        factors={f"textbook_{rule}": text for rule, text in beliefs.items()},
    )


def _believed_descriptions(stimulus: Subject, others: Sequence[Subject]) -> dict[str, str]:
    """Return how the textbook describes an image that it has not seen, by rule; nothing of a user's image."""
    if not stimulus.facts:
        return {}
    facts = stimulus.facts
    if not wording.knows_content(stimulus.words, facts):
        # Of a scene it knows only what scenes look like: as some other one does.
        facts = next((other.facts for other in by_rank(stimulus, others)), facts)
    return {
        rule: wording.golden(stimulus.words, facts | wording.believed(stimulus.words, facts, rule))
        for rule in _RULES
    }


def _possible_descriptions(
    stimulus: Subject, others: Sequence[Subject], believed: Sequence[str]
) -> list[str]:
    """Return what a guess is made among: the image's own description and others, in an order that tells nothing."""
    candidates = [other.golden for other in by_rank(stimulus, others) if other.golden]
    distinct = list(dict.fromkeys([stimulus.golden, *believed, *candidates]))[:_POSSIBLE]
    return sorted(distinct, key=lambda text: rank(stimulus.stimulus_id, text))


_ITEMS = {
    TRUE_FALSE: _true_false,
    MULTIPLE_CHOICE: _multiple_choice,
    SEMANTIC: _semantic,
    ILLUSION: _illusion,
    STEP_BY_STEP: _step_by_step,
}


def _round(number: int) -> tuple[str, ...]:
    return (f"shuffle_{number}",) if number else ()
