"""Questions about training pictures, in the words of the suites' own prompts (``resources/prompts``)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from string import Template
from typing import Any

import numpy as np

from afterimage.files.yaml import read_yaml_mapping
from afterimage.sprout import PROMPTS
from afterimage.sprout.picture import FIRST, NEITHER, SECOND, Picture

_CATEGORIES = {"first": FIRST, "second": SECOND, "neither": NEITHER}
_QUESTIONS = ("actual", "apparent")
#: What the suites' placeholders for the targets' colour become.
_COLOURED = {"col": "{colour}", "hue": "{colour}"}
_NAMED = re.compile(r"\b(red|blue)\b")


@dataclass(frozen=True)
class Option:
    """An answer, and the categories of pictures for which it is true."""

    text: str
    true_for: frozenset[int]


@dataclass(frozen=True)
class Form:
    """A way of asking: by question (actual, apparent) the stem and its options.

    Attributes:
        stems: Question to stem, with ``{colour}`` where the targets have one colour.
        options: Question to options, in the order shown.
        named_by_colour: Whether red and blue stand for the colours of the first and the second target.
        same_words: Words of the wording to the key of the picture's words that takes their place.
    """

    stems: Mapping[str, str]
    options: Mapping[str, Sequence[Option]]
    named_by_colour: bool
    same_words: Mapping[str, str]


@dataclass(frozen=True)
class Naming:
    """A way of asking what is shown, without options.

    Attributes:
        text: What is asked, with ``{shapes}`` where things are counted.
        answer: How the answer is said.
    """

    text: str
    answer: Template


@dataclass(frozen=True)
class Question:
    """What a model is asked about a picture, and what it should say.

    Attributes:
        text: The text next to the picture.
        options: The options, in the order shown; where none are shown, all that can be said.
    """

    text: str
    options: tuple[str, ...]
    answer: str


@dataclass(frozen=True)
class Words:
    """All wordings of ``resources/prompts``: questions and the text around them."""

    forms: Mapping[str, Form]
    namings: Mapping[str, Sequence[Naming]]
    preambles: Mapping[str, str]
    layout: str
    openings: Sequence[str]
    synonyms: Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Variety:
    """How often questions differ from the suites' own, as shares of all.

    Attributes:
        preamble: With the suite's preamble; the others have a line or nothing before them.
        synonym: With synonyms.
        shuffled: With options in another order.
        forced: Without the option that nothing differs, where something does.
    """

    preamble: float = 0.4
    synonym: float = 0.15
    shuffled: float = 0.3
    forced: float = 0.1


#: As the suite asks it: preamble, the suite's words and order.
AS_THE_SUITE = Variety(preamble=1.0, synonym=0.0, shuffled=0.0, forced=0.0)


@cache
def words() -> Words:
    prompts, suite, directional, blindtest = map(_read, PROMPTS)
    figures = {"illusion_vqa": suite["figures"], "illusion_strength": directional["figures"]}
    forms = {
        name: _form(entry, figures[entry.get("suite", "illusion_vqa")])
        for name, entry in prompts["forms"].items()
    }
    namings = {
        name: [_naming(given, blindtest["prompts"]) for given in entry]
        for name, entry in prompts["namings"].items()
    }
    return Words(
        forms,
        namings,
        suite["preambles"],
        suite["layout"],
        prompts["openings"],
        prompts["synonyms"],
    )


def ask(random: np.random.Generator, picture: Picture, variety: Variety) -> Question:
    """Ask one of the picture's questions.

    Args:
        random: Generator; the same state gives the same question.
        variety: How often words differ from the suites'.
    """
    fitting = picture.asked + picture.unmirrored
    name = fitting[random.integers(len(fitting))]
    if name in words().namings:
        return _ask_for_a_name(random, picture, words().namings[name])
    form = words().forms[name]
    question = _QUESTIONS[random.integers(2)]
    category, names = picture.category, dict(picture.words)
    if form.named_by_colour and random.random() < 0.5:
        names["first"], names["second"] = names["second"], names["first"]
        category = {FIRST: SECOND, SECOND: FIRST}.get(category, NEITHER)
    options = list(form.options[question])
    if category != NEITHER and len(options) == 3 and random.random() < variety.forced:
        options = [option for option in options if NEITHER not in option.true_for]
    if random.random() < variety.shuffled:
        options = [options[index] for index in random.permutation(len(options))]
    say = _speaker(form, names, _synonyms(random) if random.random() < variety.synonym else {})
    (answer,) = (say(option.text) for option in options if category in option.true_for)
    texts = tuple(say(option.text) for option in options)
    opening = _opening(random, question, variety)
    text = words().layout.format(
        preamble=opening, stem=say(form.stems[question]), options="\n".join(texts)
    )
    return Question(text.strip(), texts, answer)


def _ask_for_a_name(
    random: np.random.Generator, picture: Picture, namings: Sequence[Naming]
) -> Question:
    naming = namings[int(random.integers(len(namings)))]
    texts = tuple(naming.answer.substitute(name=name) for name in picture.names)
    # Not by format: the suite's own words hold "{3}".
    text = naming.text.replace("{shapes}", f"{picture.words.get('noun')}s")
    return Question(text, texts, texts[picture.category])


def _opening(random: np.random.Generator, question: str, variety: Variety) -> str:
    if random.random() < variety.preamble:
        return words().preambles[question]
    openings = words().openings
    return openings[int(random.integers(len(openings)))]


def _synonyms(random: np.random.Generator) -> dict[str, str]:
    return {word: str(random.choice(others)) for word, others in words().synonyms.items()}


def _speaker(form: Form, names: Mapping[str, str], synonyms: Mapping[str, str]) -> Any:
    """Return the function that puts a wording into words for a picture."""
    others = {**synonyms}
    for word, key in form.same_words.items():
        noun = names[key]
        others |= {word: noun, f"{word}s": f"{noun}s"}

    def say(text: str) -> str:
        if form.named_by_colour:
            text = _NAMED.sub(lambda found: names["first" if found[0] == "red" else "second"], text)
        text = text.format(colour=names["colour"])
        return re.sub(r"[a-z]+", lambda found: others.get(found[0], found[0]), text)

    return say


def _form(entry: Mapping[str, Any], figures: Mapping[str, Any]) -> Form:
    figure, variant = figures[entry["figure"]], entry.get("variant", "A")
    # illusion_strength has one wording of each figure.
    wording = figure.get("wordings", {"default": figure})[entry.get("wording", "default")]
    values = {**figure.get("values", {}).get(variant, {}), **_COLOURED}
    stems, options = {}, {}
    for question in _QUESTIONS:
        stems[question] = wording[question]["stem"].format(**values)
        listed = wording[question]["options"]
        if isinstance(listed, dict):
            listed = listed[variant]
        options[question] = [_option(given, entry["answers"], values) for given in listed]
    named_by_colour = entry.get("named_by_colour", False)
    return Form(stems, options, named_by_colour, entry.get("same_words", {}))


def _naming(given: Mapping[str, str], prompts: Mapping[str, Any]) -> Naming:
    text = given["text"] if "text" in given else prompts[given["prompt"]]["text"]
    return Naming(text, Template(given["answer"]))


def _option(
    given: Mapping[str, str], answers: Mapping[str, Any], values: Mapping[str, str]
) -> Option:
    ((name, text),) = given.items()
    true_for = answers[name] if isinstance(answers[name], list) else [answers[name]]
    categories = frozenset(_CATEGORIES[category] for category in true_for)
    return Option(text.format(**values), categories)


def _read(name: str) -> dict[str, Any]:
    return read_yaml_mapping(f"resources/prompts/{name}.yaml", "the training questions of sprout")
