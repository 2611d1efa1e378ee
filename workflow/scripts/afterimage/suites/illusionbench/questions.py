"""Questions about images (paper, section III and appendix A), and what a textbook answers without seeing them."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from afterimage.contract.question import AnswerOf, Option, Question, Turn, ask
from afterimage.contract.stimulus import Json, Shown
from afterimage.errors import AfterimageError
from afterimage.items.wording import RULES, offered
from afterimage.statistics.sampling import generator_of
from afterimage.suites.illusionbench.annotations import Choice, ImageQuestions, Statement
from afterimage.suites.illusionbench.names import (
    HAS_ILLUSION,
    ILLUSION,
    MULTIPLE_CHOICE,
    NUMERALS,
    SEMANTIC,
    STEP_BY_STEP,
    STEP_ONE,
    TRUE_FALSE,
    parse_facts,
)

# Words for drawn images: facts about an image become statements, questions with options, and a golden description.


def image_questions(words: Json, facts: Mapping[str, str]) -> ImageQuestions:
    """Put an image's facts into words.

    Args:
        words: ``golden``, ``cause_sentence``, ``presence`` and ``kinds``, as ``settings.select`` returns them.
        facts: What the image shows, as its design says.

    Raises:
        AfterimageError: A sentence names a fact that the image does not have, or no option is right.
    """
    kind = words["kinds"][facts["kind"]]
    gold = facts["asked_illusion"] == facts["illusion"]
    article = "a" if facts["asked_illusion"] == "present" else "no"
    presence = words["presence"].format(a_or_no=article)
    statements = [Statement("presence", presence, gold, "presence")]
    for number, entry in enumerate(kind["statements"], start=1):
        value = _filled(entry["value"], facts)
        gold = facts.get(entry["fact"]) == value
        text = _filled(entry["text"], facts)
        statements.append(Statement(str(number), text, gold, "semantic"))
    choices = [
        _choice(str(number), entry, facts)
        for number, entry in enumerate(kind["questions"], start=1)
    ]
    return ImageQuestions(tuple(statements), tuple(choices), golden(words, facts))


def golden(words: Json, facts: Mapping[str, str]) -> str:
    """Return the description of an image with these facts, in the paper's form."""
    kind = words["kinds"][facts["kind"]]
    is_present = facts["illusion"] == "present"
    cause = kind["cause"] if is_present else None
    sentence = "" if cause is None else _of_relation(cause, facts)
    template: str = words["golden"]
    return template.format(
        content=_filled(_of_relation(kind["content"], facts), facts),
        is_or_is_no="is" if is_present else "is no",
        cause_sentence=words["cause_sentence"].format(cause=sentence) if sentence else "",
    )


def believed(words: Json, facts: Mapping[str, str], rule: str) -> dict[str, str]:
    """Return the facts as the textbook has them for the kind of image, the image itself unseen.

    Args:
        words: As in :func:`image_questions`.
        facts: What the image really shows; only its kind and what is asked are looked at.
        rule: ``gated``, or ``cued``: in a benchmark of illusions there is always one.
    """
    kind = words["kinds"][facts["kind"]]
    is_figure = kind["cause"] is not None
    present = "present" if is_figure or rule == "cued" else "absent"
    return {"kind": facts["kind"], **kind["beliefs"], "illusion": present}


def believes(words: Json, facts: Mapping[str, str], statement: Statement, rule: str) -> bool:
    """Tell what the textbook says of a statement; False where it says nothing."""
    beliefs = believed(words, facts, rule)
    if statement.about == "presence":
        return beliefs["illusion"] == facts["asked_illusion"]
    entry = words["kinds"][facts["kind"]]["statements"][int(statement.item_id) - 1]
    return beliefs.get(entry["fact"]) == _filled(entry["value"], facts)


def believed_option(words: Json, facts: Mapping[str, str], choice: Choice, rule: str) -> int | None:
    """Return the index of the option that the textbook suggests; None if it suggests none of them."""
    entry = words["kinds"][facts["kind"]]["questions"][int(choice.item_id) - 1]
    values = [_filled(value, facts) for value, _ in entry["options"]]
    value = believed(words, facts, rule).get(entry["answer"])
    return values.index(value) if value in values else None


def knows_content(words: Json, facts: Mapping[str, str]) -> bool:
    """Tell whether the textbook can describe an image of this kind without having seen it."""
    return bool({"relation", "digit"} & words["kinds"][facts["kind"]]["beliefs"].keys())


def _choice(item_id: str, entry: Json, facts: Mapping[str, str]) -> Choice:
    values = [_filled(value, facts) for value, _ in entry["options"]]
    right = facts.get(entry["answer"])
    indices = [index for index, value in enumerate(values) if value == right]
    if len(indices) != 1:
        raise AfterimageError(
            f"question '{entry['text']}': fact '{entry['answer']}' is {right!r}, which {len(indices)} of its "
            f"options have; expected one of {', '.join(values)}."
        )
    texts = tuple(_filled(text, facts) for _, text in entry["options"])
    return Choice(item_id, _filled(entry["text"], facts), texts, indices[0], entry["about"])


def _of_relation(texts: str | Mapping[str, str], facts: Mapping[str, str]) -> str:
    if isinstance(texts, str):
        return texts
    relation = facts.get("relation")
    if relation is None or relation not in texts:
        raise AfterimageError(
            f"{facts['kind']}: no sentence for relation '{relation}'; expected one of: {', '.join(texts)}."
        )
    return texts[relation]


def _filled(text: str, facts: Mapping[str, str]) -> str:
    try:
        return text.format(**facts)
    except (KeyError, IndexError, ValueError):
        raise AfterimageError(
            f"drawn set: the text {text!r} has a placeholder that is no fact of '{facts['kind']}'; expected one of: "
            f"{', '.join(sorted(facts))}."
        ) from None


# Wordings are passed as plain values, selected from the prompt file by the suite; those of a user's images come with
# the images. The image precedes the text. Options are shuffled by the question's name and a seed: every model sees the
# same order in every repeat, and it is recorded in the item's factors.

_FACTORS = ("category", "difficulty", "source", "kind", "facts")

_TRUTH = ("True", "False")
#: Descriptions among which a guess is made, the right one included.
_POSSIBLE = 4
#: Kinds of question of which an image has several; the question's own id stands before the prompt's in their identity.
_SEVERAL = (TRUE_FALSE, MULTIPLE_CHOICE)


class Subject:
    """An image and what is asked about it.

    Attributes:
        factors: What tables group by.
        words: The words of drawn images; nothing for a user's.
        facts: What a drawn image shows; empty for a user's.
        golden: Golden description; None if there is none.
    """

    def __init__(self, shown: Shown, words: Json) -> None:
        """Take an image, a user's with its source's questions, and the words of ``settings.select``."""
        self.shown = shown
        self.stimulus_id = shown.stimulus_id
        self.factors = {name: shown.factors[name] for name in _FACTORS if name in shown.factors}
        self.words: Json = words.get("drawn", {})
        self.facts = parse_facts(shown.factors.get("facts", ""))
        questions: ImageQuestions = (
            image_questions(self.words, self.facts) if self.facts else shown.questions[0]
        )
        self.statements, self.choices, self.golden = questions


def by_rank(stimulus: Subject, others: Sequence[Subject]) -> list[Subject]:
    """Return the other subjects of the same figure, in an order that follows from the names alone."""
    same = [
        other
        for other in others
        if other.shown.figure == stimulus.shown.figure and other.stimulus_id != stimulus.stimulus_id
    ]
    return sorted(same, key=lambda other: rank(stimulus.stimulus_id, other.stimulus_id))


def rank(stimulus_id: str, other: str) -> str:
    """Return a sort key that puts others in an order that tells nothing about them."""
    return hashlib.sha256(f"{stimulus_id}/{other}".encode()).hexdigest()


def questions(
    images: Sequence[Shown], words: Json, settings: Json, available: Sequence[Shown]
) -> Iterator[Question]:
    """Yield all that is asked about each image.

    Args:
        words: What ``settings.select`` returned for these figures.
        settings: ``questions`` (kinds to ask), ``shuffle_seed``, ``shuffle_rounds``, ``memory_mode``,
            ``reuse_step1``.
        available: All images of the shard's figures; other descriptions come from them.
    """
    others = [Subject(shown, words) for shown in available]
    for shown in images:
        stimulus = Subject(shown, words)
        for kind in settings["questions"]:
            yield from _QUESTIONS_OF[kind](stimulus, words, settings, others)


def _true_false(
    stimulus: Subject, words: Json, settings: Json, others: Sequence[Subject]
) -> Iterator[Question]:
    prompt = words["prompts"][TRUE_FALSE]
    for statement in stimulus.statements:
        beliefs = {
            f"textbook_{rule}": str(believes(stimulus.words, stimulus.facts, statement, rule))
            for rule in RULES
            if stimulus.facts
        }
        text = prompt["text"].replace("{statement}", statement.text)
        yield _question(
            stimulus,
            (TRUE_FALSE, statement.item_id, prompt["id"]),
            ask(stimulus.shown, text),
            answer_type="true_false",
            options=dict(zip(_TRUTH, _TRUTH, strict=True)),
            key=str(statement.gold),
            factors={"about": statement.about, "asked": statement.text, **beliefs},
        )


def _multiple_choice(
    stimulus: Subject, words: Json, settings: Json, others: Sequence[Subject]
) -> Iterator[Question]:
    prompt = words["prompts"][MULTIPLE_CHOICE]
    for choice in stimulus.choices:
        for number in range(settings["shuffle_rounds"]):
            identity = (stimulus.stimulus_id, choice.item_id, str(number))
            order = permutation(settings["shuffle_seed"], identity, len(choice.options))
            shown = [choice.options[index] for index in order]
            text = with_options(choice.text, shown, words["layout"], words["numerals"])
            beliefs = {
                f"textbook_{rule}": choice.options[believed]
                for rule in RULES
                if stimulus.facts
                and (believed := believed_option(stimulus.words, stimulus.facts, choice, rule))
                is not None
            }
            again = (f"shuffle_{number}",) if number else ()
            yield _question(
                stimulus,
                (MULTIPLE_CHOICE, choice.item_id, prompt["id"], *again),
                ask(stimulus.shown, prompt["text"].replace("{question}", text)),
                answer_type="roman",
                options=dict(zip(NUMERALS, shown, strict=True)),
                key=NUMERALS[order.index(choice.gold_index)],
                factors={
                    "about": choice.about,
                    "asked": text,
                    "question_text": choice.text,
                    "permutation": " ".join(map(str, order)),
                    "shuffle_round": str(number),
                    **beliefs,
                },
            )


def permutation(seed: int, identity: Sequence[str], count: int) -> list[int]:
    """Return the order in which options are shown: the index of the option at each position.

    Args:
        seed: The setting ``shuffle_seed``.
        identity: Stimulus id, the question's own id, number of the shuffle.
    """
    draw = generator_of("illusionbench", str(seed), *identity)
    order: list[int] = draw.permutation(count).tolist()
    return order


def with_options(question: str, options: Sequence[str], layout: str, numeral_style: str) -> str:
    """Put a question and its options together, in the order in which they are shown."""
    lines = "\n".join(
        numeral_style.format(upper=numeral, lower=numeral.lower(), option=option)
        for numeral, option in zip(NUMERALS, options, strict=True)
    )
    return layout.format(question=question, options=lines)


def _description(
    kind: str, stimulus: Subject, words: Json, settings: Json, others: Sequence[Subject]
) -> Iterator[Question]:
    prompt = words["prompts"][kind]
    turns = ask(stimulus.shown, prompt["text"])
    yield from _described(stimulus, (kind, prompt["id"]), turns, others)


def _step_by_step(
    stimulus: Subject, words: Json, settings: Json, others: Sequence[Subject]
) -> Iterator[Question]:
    """Yield the second step, which holds the answer to the first (paper, algorithm 1).

    The first step comes before it where that is an item of its own.
    """
    first, second = (words["prompts"][kind] for kind in (ILLUSION, SEMANTIC))
    prompt = f"{first['id']}+{second['id']}"
    memory = f"{stimulus.stimulus_id}/{ILLUSION}/{first['id']}"
    text = first["text"]
    if not (settings["reuse_step1"] and ILLUSION in settings["questions"]):
        # Requests of the same content share one answer; the line's end makes this one a request of its own.
        text += "\n"
        memory = f"{stimulus.stimulus_id}/{STEP_ONE}/{first['id']}"
        turns = ask(stimulus.shown, text)
        yield from _described(stimulus, (STEP_ONE, first["id"]), turns, others)
    answer = AnswerOf(memory)
    if settings["memory_mode"] == "concat":
        turns = ask(stimulus.shown, f"{first['text']}\n", answer, f"\n{second['text']}")
    else:
        turns = (*ask(stimulus.shown, text), Turn("assistant", (answer,)), *ask(second["text"]))
    mode = settings["memory_mode"]
    yield from _described(
        stimulus, (STEP_BY_STEP, prompt, mode), turns, others, {"memory_mode": mode}
    )


def _described(
    stimulus: Subject,
    identity: tuple[str, ...],
    turns: tuple[Turn, ...],
    others: Sequence[Subject],
    factors: Mapping[str, str] | None = None,
) -> Iterator[Question]:
    if stimulus.golden is None:
        return
    beliefs = _believed_descriptions(stimulus, others)
    possible = _possible_descriptions(stimulus, others, [stimulus.golden, *beliefs.values()])
    textbook = {f"textbook_{rule}": text for rule, text in beliefs.items()}
    yield _question(
        stimulus,
        identity,
        turns,
        answer_type="description",
        options=dict(zip(possible, possible, strict=True)),
        key=stimulus.golden,
        factors={**textbook, **(factors or {})},
    )


def _believed_descriptions(stimulus: Subject, others: Sequence[Subject]) -> dict[str, str]:
    """Return the textbook's description of the unseen image by each rule; none of a user's image."""
    if not stimulus.facts:
        return {}
    facts = stimulus.facts
    if not knows_content(stimulus.words, facts):
        # Of a scene it knows only what scenes look like, so it describes another one.
        facts = next((other.facts for other in by_rank(stimulus, others)), facts)
    return {
        rule: golden(stimulus.words, facts | believed(stimulus.words, facts, rule))
        for rule in RULES
    }


def _possible_descriptions(
    stimulus: Subject, others: Sequence[Subject], required: Sequence[str]
) -> list[str]:
    """Return the descriptions to guess among: the image's own and others', in an order that tells nothing."""
    candidates = [other.golden for other in by_rank(stimulus, others) if other.golden]
    distinct = list(dict.fromkeys([*required, *candidates]))[:_POSSIBLE]
    return sorted(distinct, key=lambda text: rank(stimulus.stimulus_id, text))


_QUESTIONS_OF: dict[str, Callable[[Subject, Json, Json, Sequence[Subject]], Iterator[Question]]] = {
    TRUE_FALSE: _true_false,
    MULTIPLE_CHOICE: _multiple_choice,
    SEMANTIC: partial(_description, SEMANTIC),
    ILLUSION: partial(_description, ILLUSION),
    STEP_BY_STEP: _step_by_step,
}


def _question(
    stimulus: Subject,
    identity: tuple[str, ...],
    turns: tuple[Turn, ...],
    answer_type: str,
    options: Mapping[str, str],
    key: str,
    factors: Mapping[str, str],
) -> Question:
    """Return a question; the options of a description are those among which a guess is made.

    Its identity beyond the image: kind of question, the question's own id where an image has several of the kind, id of
    the prompt, and further parts.
    """
    kind = identity[0]
    return Question(
        stimulus.shown,
        "/".join(identity),
        turns,
        answer_type,
        key,
        tuple(Option(name, text) for name, text in options.items()),
        prompt=identity[2] if kind in _SEVERAL else identity[1],
        question=kind,
        factors={**stimulus.factors, **factors},
    )


# Answers of a textbook, which does not see the image: the classical figures are known, so nothing in them differs.
#
# The knowledge behind the reference responder ``textbook``: the paper's suspicion about models made executable (section
# V-A: traps catch a model that has learnt the figure by heart). What it believes of each kind of image stands in the
# prompt file and, worked out, in the items' factors. Of a user's images it knows nothing.


def answer(item: Json, rule: str) -> str:
    """Return the option that the textbook suggests: "True" or "False", an option's text, or a description.

    Where it has no belief, a statement is false, and of several options it takes the first.

    Args:
        item: Its ``question``, ``options`` as pairs of option id and text, and
            ``factors`` with ``textbook_cued`` and ``textbook_gated`` (an option's text) for drawn images, with
            ``category`` and ``about`` for a user's.
        rule: ``cued`` (in a benchmark of illusions there is always one) or ``gated`` (only in a classical figure).

    Raises:
        AfterimageError: The rule is unknown, or there are no options.
    """
    texts = list(offered(item, rule).values())
    factors = item["factors"]
    believed: str | None = factors.get(f"textbook_{rule}")
    if believed is not None:
        return believed
    if item["question"] == TRUE_FALSE:
        is_presence = factors.get("about") == "presence"
        return str(is_presence and _claims(factors, rule))
    return texts[0]


def _claims(factors: Mapping[str, str], rule: str) -> bool:
    """Tell whether a user's statement on the presence of an illusion is believed.

    The statement itself may deny the illusion; that it does is looked for in its words.
    """
    present = rule == "cued" or HAS_ILLUSION[factors["category"]]
    words = factors.get("asked", "").casefold().split()
    denied = any(word in ("no", "not", "isn't", "without") for word in words)
    return present != denied
