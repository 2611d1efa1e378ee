"""HallusionBench as one value."""

from dataclasses import dataclass

from afterimage.contract.front import Front, Score
from afterimage.contract.paper import Data
from afterimage.contract.settings import SuiteSettings, prompts_in_use, setting
from afterimage.contract.stimulus import Json
from afterimage.contract.suite import Figure, Suite, prompts_alone
from afterimage.errors import config_path
from afterimage.files.hub_lock import fetched_files, link_of, locked_hashes, when_hub
from afterimage.files.yaml import Checked, read_prompts
from afterimage.suites.hallusionbench import dataset
from afterimage.suites.hallusionbench.paper import QUESTIONS

_HERE = "afterimage.suites.hallusionbench"
#: Positions reserved for each figure.
_POSITIONS_PER_FIGURE = 10_000


@dataclass(frozen=True)
class Settings(SuiteSettings):
    source: str = setting(
        "folder",
        "Where the release comes from: the folder that is named below, or the hub (`afterimage fetch hallusionbench`).",
        enum=["folder", "hub"],
    )
    folder: str | None = setting(
        None, "The folder with HallusionBench.json and the unpacked hallusion_bench.zip."
    )
    prompts: list[str] = prompts_in_use(
        ["plain"],
        "plain asks the question alone, as the authors do; short adds a request for yes or no.",
    )
    prompt_file: str = setting("resources/prompts/hallusionbench.yaml", "Prompts.")


def figures(settings: Settings) -> tuple[Figure, ...]:
    """Return the categories with their subcategories; positions depend on names, not on the order of the file."""
    names = dataset.figures(_folder(settings))
    positions = {name: index * _POSITIONS_PER_FIGURE for index, name in enumerate(sorted(names))}
    draw = "draw_from_parquet" if settings.source == "hub" else "draw"
    return tuple(
        Figure(
            name,
            f"{_HERE}.dataset:READER",
            f"afterimage.drawing.photograph:{draw}",
            position=positions[name],
        )
        for name in names
    )


def drawing(figure: str, settings: Settings) -> Json:
    """Return the folder of the release and, for the hub's copy, the hashes of its files."""
    parameters: dict[str, object] = {"folder": _folder(settings)}
    return parameters | ({"sha256": locked_hashes(dataset.HUB)} if settings.source == "hub" else {})


def data(settings: Settings) -> dict[str, Data]:
    folder = _folder(settings)
    files = locked_hashes(dataset.HUB) if settings.source == "hub" else {}
    return {QUESTIONS: Data(files, questions=dataset.questions_sha256(folder))}


def _folder(settings: Settings) -> str | None:
    if settings.source != "hub":
        return settings.folder
    fetched_files(dataset.HUB, config_path("suites.hallusionbench.source"), "hallusionbench")
    return link_of(dataset.HUB.repository).as_posix()


def words(settings: Settings) -> Json:
    """Read and check the prompt file, and that the release is where the settings say."""
    dataset.figures(_folder(settings))
    return read_prompts(settings, "hallusionbench", _check)


def _check(name: str, prompt: Checked) -> None:
    prompt.keys(("text",))
    prompt["text"].template(("question",), required=("question",))


_MEANINGS = {
    "metric": "`question`, `figure` (all its questions right), `pair` (a question right about all figures), `easy` and "
    "`hard` pairs, `yes_share`, `gold_yes_share`, `fp_ratio` (wrong yes among wrong answers)",
    "k": "questions, figures or pairs that count as right; of the last three, answers of the kind",
    "n": "questions, figures, pairs or answers that the metric is about",
    "value": "100 k / n",
    "sets": "pictures with their edited ones behind the row: the clusters of its interval",
}

SUITE = Suite(
    "HallusionBench",
    figures,
    f"{_HERE}.dataset",
    description="HallusionBench: yes/no questions in controlled pairs; needs the authors' release "
    "(docs/data.md).",
    settings=Settings,
    words=words,
    drawing=drawing,
    question_inputs=prompts_alone,
    answer_types=("yes_no_uncertain",),
    tables=(f"{_HERE}.tables:HALLUSIONBENCH",),
    pairs=f"{_HERE}.tables:PAIRS",
    front=Front(
        tuple(
            Score(
                label,
                "hallusionbench",
                "value",
                where={"metric": metric},
                # Of the other metrics n counts figures and pairs.
                counted_where={"metric": "question"},
            )
            for metric, label in (
                ("question", "Questions"),
                ("figure", "Figures"),
                ("pair", "Pairs"),
            )
        ),
        # More questions are to be answered with no than with yes; a pair needs both.
        main="Pairs",
    ),
    # The images are not ours to show.
    sheets=(),
    rescore=f"{_HERE}.rescore",
    paper=f"{_HERE}.paper",
    meanings=_MEANINGS,
    hub=when_hub(dataset.HUB),
    data=data,
)
