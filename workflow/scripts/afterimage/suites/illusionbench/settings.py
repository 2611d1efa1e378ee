"""The suite's part of ``config.yaml``, and the prompt file that it names, checked and cut into what a job uses.

The words are data, ``resources/prompts/illusionbench.yaml``. The Snakefile imports this module whenever it is parsed,
so besides the standard library it needs YAML only. Items are made from what :func:`select` cuts out, never from the
file.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from afterimage.contract.design import EditionSettings
from afterimage.contract.settings import key, setting, some_of
from afterimage.errors import AfterimageError, config_path
from afterimage.files.yaml import Checked, read_checked, require
from afterimage.suites.illusionbench.names import (
    CATEGORIES,
    DIFFICULTIES,
    GEOMETRIC,
    ILLUSION,
    KINDS,
    MULTIPLE_CHOICE,
    NUMERALS,
    PLATES,
    QUESTIONS,
    SCENES,
    SEMANTIC,
    SOURCES,
    TRUE_FALSE,
)

_SEED = 20250102


_RELEASE = {
    "annotations": key("data/illusionbench/Image_properties.json", "Image_properties.json."),
    "images": key("data/illusionbench/IllusionDataset.zip", "IllusionDataset.zip."),
    "categories": key(
        {},
        "Every value of the release's Category, in quotes, to a category; the release says nowhere what they mean.",
        additionalProperties={"type": "string", "enum": list(CATEGORIES)},
    ),
    "difficulties": key(
        dict(zip("012", DIFFICULTIES, strict=True)),
        "Every value of the release's Difficult Level, in quotes, to easy, neutral or hard.",
        additionalProperties={"type": "string", "enum": list(DIFFICULTIES)},
    ),
}
_PROMPTS = {
    TRUE_FALSE: key("true_false", "True-or-false questions."),
    MULTIPLE_CHOICE: key("multiple_choice", "Multiple-choice questions."),
    SEMANTIC: key("semantic", "Description of the content."),
    ILLUSION: key("illusion", "Description of the illusion."),
}
_PAGES = {
    "forms": key(
        [],
        "Which to write: vqa (the questions), description_scores (against which the judge is validated), review "
        "(judged answers).",
        uniqueItems=True,
        items={"type": "string", "enum": ["vqa", "description_scores", "review"]},
    ),
    "images": key(
        200, "Size of the sample of images, drawn in proportion to the categories.", minimum=1
    ),
    "seed": key(0, "Draws the sample.", minimum=0),
    "models": key(
        [],
        "Models whose descriptions people score; all but the reference responders where none is named.",
        uniqueItems=True,
        items={"type": "string"},
    ),
}


def _object(description: str, properties: Mapping[str, Any]) -> Any:
    """Declare a setting of several keys, each with a default of its own."""
    return setting({}, description, additionalProperties=False, properties=properties)


@dataclass(frozen=True)
class Settings(EditionSettings):
    """Where the images come from, what is asked and how, and what the tables show."""

    source: str = setting(
        "drawn",
        "Where the images come from: drawn here, a folder in the suite's own format, the official release, or "
        "the release from the hub (`afterimage fetch illusionbench`).",
        enum=list(SOURCES),
    )
    folder: str | None = setting(
        None,
        "For source folder, the folder with images.csv, tf.jsonl, mcq.jsonl, golden.jsonl and the images.",
    )
    release: Mapping[str, Any] = _object(
        "For source release the two files of the official release and, for source hub as well, what its letters and "
        "numbers mean.",
        _RELEASE,
    )
    leave_out: list[str] = setting(
        [],
        "Ids of images that are not to be used, such as one whose file is broken.",
        uniqueItems=True,
    )
    seed: int = setting(
        _SEED,
        "Chooses the dots of the plates and the objects of the scenes in the drawn set.",
        minimum=0,
    )
    prompt_file: str = setting(
        "resources/prompts/illusionbench.yaml", "Prompts, and the words of the drawn set."
    )
    prompts: Mapping[str, str] = _object(
        "Id of the prompt for each kind of question, out of the prompt file.", _PROMPTS
    )
    questions: list[str] = setting(
        list(QUESTIONS),
        "Kinds of question to ask.",
        **some_of(QUESTIONS),
    )
    numeral_style: str = setting(
        "upper_period", "How options are numbered; a style of the prompt file."
    )
    shuffle_seed: int = setting(
        _SEED, "Chooses the order of the options of each question.", minimum=0
    )
    shuffle_rounds: int = setting(
        1,
        "In how many orders each question is asked; tables use the first, the table of numerals all.",
        minimum=1,
        maximum=24,
    )
    memory_mode: str = setting(
        "concat",
        "Step by step: the first answer inside one user message (concat) or as turns of a conversation (chat).",
        enum=["concat", "chat"],
    )
    reuse_step1: bool = setting(
        True,
        "Step by step: take over the answer of the illusion description; false asks the first step anew.",
    )
    decided_by: str = setting(
        "final",
        "Whose verdicts the tables of accuracy show; final is the review's where there is one, else the judge's, else "
        "the parser's.",
        enum=["parser", "judge", "final"],
    )
    model_groups: Mapping[str, list[str]] = setting(
        {
            "Closed-Source VLMs": ["gpt-4o-2024-05-13", "gpt-4o-2024-11-20"],
            "Opened-Source VLMs": [],
        },
        "Headings of the tables to the models below them, in order; models that are not named come last.",
    )
    human_vqa: str | None = setting(
        None,
        "CSV of people's answers to the questions (evaluator,item_id,answer) for the row Human; else what pages bring "
        "back.",
    )
    pages: Mapping[str, Any] = _object("Pages for people (docs/human_forms.md).", _PAGES)

    @property
    def is_drawn(self) -> bool:
        return self.source == "drawn"


#: Kinds of question that have a prompt of their own, and the slot of their prompts.
SLOTS = {
    TRUE_FALSE: ("statement",),
    MULTIPLE_CHOICE: ("question",),
    SEMANTIC: (),
    ILLUSION: (),
}
#: What each drawn figure shows.
# ---- The prompt file ----

_KINDS_OF = {GEOMETRIC: KINDS, SCENES: ("plain_scene",), PLATES: ("colour_plate",)}
_ALL_KINDS = tuple(kind for kinds in _KINDS_OF.values() for kind in kinds)
_ABOUT = ("content", "cause")


def load_prompts(path: str | Path) -> dict[str, Any]:
    """Read and check the prompt file.

    Returns:
        ``prompts`` (id to ``question`` and ``text``), ``layout``, ``numeral_styles`` and ``drawn``, as in the file.

    Raises:
        AfterimageError: The first fault, with the file, the key, what was found and what was expected.
    """
    data = read_checked(path, "the YAML file of prompts")
    data.keys(("prompts", "layout", "numeral_styles", "drawn"))
    slots = ("question", "options")
    return {
        "prompts": {
            name: _checked_prompt(entry) for name, entry in data["prompts"].entries("prompt")
        },
        "layout": data["layout"].template(slots, required=slots),
        "numeral_styles": {
            name: style.template(("upper", "lower", "option"), required=("option",))
            for name, style in data["numeral_styles"].entries("style of numerals")
        },
        "drawn": _checked_drawn(data["drawn"]),
    }


def prompts_in_use(words: Mapping[str, Any], settings: Settings) -> dict[str, str]:
    """Return the id of the prompt for each kind of question that has one.

    Raises:
        AfterimageError: A prompt is not in the prompt file or asks another kind of question.
    """
    for kind in SLOTS:
        where = config_path(f"suites.illusionbench.prompts.{kind}")
        names = [name for name, prompt in words["prompts"].items() if prompt["question"] == kind]
        require(settings.prompts[kind], f"prompt of kind '{kind}'", names, where)
    return {kind: settings.prompts[kind] for kind in SLOTS}


def select(words: Mapping[str, Any], settings: Settings, figures: Iterable[str]) -> dict[str, Any]:
    """Cut out the words that questions about these figures are made of: one plain dict.

    Made to be a Snakemake parameter: it changes exactly when a word changes that would be shown.

    Raises:
        AfterimageError: A prompt or a style of numerals is not in the prompt file.
    """
    style = settings.numeral_style
    where = config_path("suites.illusionbench.numeral_style")
    require(style, "style of numerals", words["numeral_styles"], where)
    kinds = [kind for figure in figures for kind in _KINDS_OF.get(figure, ())]
    chosen = {
        "prompts": {
            kind: {"id": name, "text": words["prompts"][name]["text"]}
            for kind, name in prompts_in_use(words, settings).items()
        },
        "layout": words["layout"],
        "numerals": words["numeral_styles"][style],
    }
    if kinds:
        shared = {name: words["drawn"][name] for name in ("golden", "cause_sentence", "presence")}
        chosen["drawn"] = {
            **shared,
            "kinds": {kind: words["drawn"]["kinds"][kind] for kind in kinds},
        }
    return chosen


def _checked_prompt(entry: Checked) -> dict[str, Any]:
    entry.keys(("question", "text"))
    question = entry["question"].text()
    require(question, "kind of question", SLOTS, entry["question"].where)
    slots = SLOTS[question]
    return {"question": question, "text": entry["text"].template(slots, required=slots)}


def _checked_drawn(drawn: Checked) -> dict[str, Any]:
    drawn.keys(("golden", "cause_sentence", "presence", "kinds"))
    slots = ("content", "is_or_is_no", "cause_sentence")
    sentence = drawn["cause_sentence"].value
    if not isinstance(sentence, str) or sentence.count("{cause}") != 1:
        raise drawn["cause_sentence"].fault("a sentence with {cause} in it")
    drawn["kinds"].keys(_ALL_KINDS)
    return {
        "golden": drawn["golden"].template(slots, required=slots),
        "cause_sentence": sentence,
        "presence": drawn["presence"].template(("a_or_no",), required=("a_or_no",)),
        "kinds": {kind: _checked_kind(drawn["kinds"][kind]) for kind in _ALL_KINDS},
    }


def _checked_kind(entry: Checked) -> dict[str, Any]:
    entry.keys(("beliefs", "statements", "questions", "content", "cause"))
    return {
        "beliefs": {name: value.text() for name, value in entry["beliefs"].entries("fact")},
        "statements": [_checked_statement(part) for part in _parts(entry["statements"], 1)],
        "questions": [_checked_question(part) for part in _parts(entry["questions"], 3)],
        "content": _by_relation(entry["content"]),
        "cause": None if entry["cause"].value is None else _by_relation(entry["cause"]),
    }


def _checked_statement(entry: Checked) -> dict[str, Any]:
    entry.keys(("text", "says"))
    says = entry["says"].entries("fact")
    if len(says) != 1:
        raise entry["says"].fault("one fact with its value, such as {relation: same}")
    ((fact, value),) = says
    return {"text": entry["text"].line().text(), "fact": fact, "value": value.text()}


def _checked_question(entry: Checked) -> dict[str, Any]:
    entry.keys(("text", "about", "answer", "options"))
    require(entry["about"].text(), "subject", _ABOUT, entry["about"].where)
    options = entry["options"]
    if not isinstance(options.value, dict) or len(options.value) != len(NUMERALS):
        raise options.fault(f"{len(NUMERALS)} options, each an id with its text")
    # A list, since the options' order counts and that of keys does not.
    texts = [[str(name), options[name].line().text()] for name in options.value]
    _check_distinguishable(options, [text for _, text in texts])
    return {
        "text": entry["text"].line().text(),
        "about": entry["about"].value,
        "answer": entry["answer"].text(),
        "options": texts,
    }


def _check_distinguishable(entry: Checked, texts: Sequence[str]) -> None:
    """Refuse options of which one contains another: a reply with the longer one would name both."""
    plain = [text.casefold().rstrip(".") for text in texts]
    for index, text in enumerate(plain):
        for other in plain[:index] + plain[index + 1 :]:
            if text in other:
                raise AfterimageError(
                    f"{entry.where}: the option '{text}' is part of the option '{other}'; expected options of which "
                    "none holds another."
                )


def _by_relation(entry: Checked) -> str | dict[str, str]:
    if isinstance(entry.value, str):
        return entry.text()
    return {name: text.text() for name, text in entry.entries("relation")}


def _parts(entry: Checked, minimum: int) -> list[Checked]:
    if not isinstance(entry.value, list) or len(entry.value) < minimum:
        raise entry.fault(f"a list of at least {minimum}")
    return [entry[index] for index in range(len(entry.value))]
