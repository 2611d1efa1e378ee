"""The core promise: an edit remakes what it touches and nothing else.

Each case edits a finished study and asserts exactly which jobs a dry run plans. Edits of one file are planned one by
one and then run all at once; other cases are run by themselves. After every run a second one has nothing to do. The
rows are printed as a table at the end of the report.
"""

import shutil
from typing import NamedTuple

import numpy as np
import pytest
import yaml
from simulated_people import simulate_participants
from workspace import SMALL_STUDY, Workspace

from afterimage.suites.illusion_vqa.prompt_file import choices, load_prompts

SUITE = "illusion_vqa"
PROMPTS = "resources/prompts/illusion_vqa.yaml"
PACKAGE = "workflow/scripts/afterimage"
MODELS = SMALL_STUDY["models"]
#: These answer a suite in one job.
AT_ONCE = ("chance", "textbook_cued", "textbook_gated")
#: Added to the study by one case.
NEW_MODEL = "textbook_cued"
#: Positions of the small study's illusions in the suite; with a shard size of 8, one shard each.
SHARDS = {"fick": "000024-000031", "ebbinghaus": "000048-000055", "ponzo": "000112-000119"}

DRAW = {figure: f"Drawing the stimuli of {figure} ({SUITE})" for figure in SHARDS}
COLLECT = f"Collecting the measurements of {SUITE}"
FILTER = f"Deciding which figures of {SUITE} count"
ITEMS = {
    figure: f"Making the items of {SUITE}, stimuli {shard}" for figure, shard in SHARDS.items()
}
TABLES = {
    name: f"Making the table {name}"
    for name in (
        *(
            "genuine_vqa",
            "fake_vqa",
            "control_vqa",
            "genuine_beside_control",
            "fake_beside_control",
            "illusion_vqa_tests",
        ),
        "pairs_illusion_vqa",
    )
}
CHART = "Drawing the chart illusion_vqa"
SHEET = "Drawing the contact sheet illusion_stimuli"
COST = "Making the table cost"
LEDGER = {
    "Putting the study's numbers beside the papers'",
    "Writing the study's numbers as LaTeX macros",
}
#: For manuscripts, of all tables.
NAMES = "Naming the study's numbers for manuscripts"
PAGE = f"Making the report's page of {SUITE}"
FIRST_PAGE = "Making the report's first page"
#: Pages for people show the stimuli; how many there are is known after the listing, so a dry run names no page.
LIST = {form: f"Listing the tasks of the form {form} ({SUITE})" for form in ("actual", "apparent")}


def ask(model, *figures):
    if model in AT_ONCE:
        return {f"Asking {model} about {SUITE}"}
    return {
        f"Asking {model} about {SUITE}, stimuli {SHARDS[figure]}" for figure in figures or SHARDS
    }


def merge(*models):
    merged = {
        f"Merging the responses of {model} to {SUITE}"
        for model in models or MODELS
        if model not in AT_ONCE
    }
    # What all answers took is counted from the merged ones.
    return {*merged, COST}


def grade(*models):
    return {f"Grading {model} on {SUITE}" for model in models or MODELS}


# Every answer with its verdict: those that a page may show (the paper's figure 2, table 1 and appendix E), and all.
SHOWN = {
    *(
        f"Drawing the page of examples illusion_vqa_{name}"
        for name in ("fake", "question", "illusions")
    ),
    "Putting all answers into one file",
}
# The ledger has people's cells, which stand in the tables of genuine and fake images.
PAPER = {*TABLES.values(), CHART, PAGE, FIRST_PAGE, NAMES, *LEDGER, *SHOWN}
ANSWERED = {*ask("chance"), *ask("pixels"), *merge(), *grade(), *PAPER}
EVERYTHING = {
    *DRAW.values(),
    COLLECT,
    FILTER,
    *LIST.values(),
    *ITEMS.values(),
    *ANSWERED,
    SHEET,
}


class Study(Workspace):
    """The small study, finished; every case leaves it finished again."""

    def plans(self, table, edit, expected, *targets):
        """Assert which jobs an edit leads to."""
        planned = self.planned(*targets)
        assert set(planned) == set(expected), "\n".join(
            f"{job}: {why}" for job, why in planned.items()
        )
        table((edit, "; ".join(sorted(planned)) or "nothing", next(iter(planned.values()), "")))

    def reruns(self, table, edit, expected, *targets):
        """Assert which jobs an edit leads to, run them, and assert that nothing is left to do."""
        self.plans(table, edit, expected, *targets)
        if expected:
            self.run(*targets)
            assert self.planned(*targets) == {}

    def append(self, name, text):
        path = self.folder / name
        path.write_text(path.read_text() + text)

    def change_study(self, **changes):
        study = yaml.safe_load((self.folder / "config.yaml").read_text())
        self.configure({**study, **changes})


@pytest.fixture(scope="module")
def study(finished_study, tmp_path_factory):
    """One finished study for all cases."""
    study = Study.copy(finished_study, tmp_path_factory.mktemp("reruns") / "study")
    assert study.planned() == {}
    return study


def test_a_first_run_makes_everything(workspace):
    assert set(workspace.planned()) == EVERYTHING


def test_looks_of_the_code(study, rerun_table):
    for name in (
        "workflow/scripts/job.py",
        f"{PACKAGE}/stages/inference.py",
        f"{PACKAGE}/suites/illusions/figures/lengths.py",
        f"{PACKAGE}/suites/{SUITE}/suite.py",
        f"{PACKAGE}/models/pixels.py",
        f"{PACKAGE}/grading/readers/choice.py",
    ):
        study.edit(name, r'\A"""', '"""Edited. ')
        study.append(name, "\n\n\n# A remark.\n")
    study.edit(
        f"{PACKAGE}/models/chance.py",
        r"texts\[(.+)\]$",
        r"(\n        texts[\n            \1\n        ]\n    )",
    )
    study.edit("workflow/rules/inference.smk", r"\A", "# A remark.\n")
    study.edit("envs/stimuli.txt", r"\A", "# A remark.\n")
    study.reruns(
        rerun_table, "comment, docstring, blank line or reformatting in any module or script", {}
    )


def test_time_stamps(study, rerun_table):
    for folder in ("workflow", "envs", "resources", "config", "results"):
        for path in (study.folder / folder).rglob("*"):
            if path.is_file():
                path.touch()
    study.reruns(rerun_table, "touch of any source, script or result", {})


def test_a_fresh_clone_with_results_and_metadata(study, rerun_table, root, tmp_path):
    clone = Study(root, tmp_path / "elsewhere")
    for folder in ("workflow", "envs", "resources", "config"):
        shutil.rmtree(clone.folder / folder)
        shutil.copytree(study.folder / folder, clone.folder / folder, copy_function=shutil.copy)
    shutil.copy(study.folder / "config.yaml", clone.folder / "config.yaml")
    # Results first or last: their order of time must not matter.
    shutil.copytree(study.folder / "results", clone.folder / "results", copy_function=shutil.copy)
    shutil.copytree(
        study.folder / ".snakemake" / "metadata",
        clone.folder / ".snakemake" / "metadata",
        copy_function=shutil.copy,
    )
    clone.reruns(rerun_table, "a fresh clone with results/ and .snakemake/metadata kept", {})


class Edit(NamedTuple):
    """An edit of one file and the jobs that it leads to."""

    what: str
    file: str
    pattern: str
    replacement: str
    jobs: set[str]


EDITS = (
    Edit(
        "one number in the drawing of one illusion",
        f"{PACKAGE}/suites/illusions/figures/sizes.py",
        r"28\.0, 116\.0",
        "28.0, 115.0",
        {
            DRAW["ebbinghaus"],
            COLLECT,
            *LIST.values(),
            ITEMS["ebbinghaus"],
            *ask("chance", "ebbinghaus"),
            *ask("pixels", "ebbinghaus"),
            *merge(),
            *grade(),
            *PAPER,
            SHEET,
        },
    ),
    Edit(
        "wording of a prompt in use",
        PROMPTS,
        "I will provide answer options",
        "You will be given answer options",
        {*ITEMS.values(), *ANSWERED},
    ),
    Edit(
        "wording of a prompt not in use",
        PROMPTS,
        "Before you choose, work through",
        "Before choosing, work through",
        set(),
    ),
    Edit("a comment beside the prompts", PROMPTS, r"\A", "# A remark.\n", set()),
    Edit(
        "wording of an option of one illusion",
        PROMPTS,
        r"- red: The red line is longer\.",
        "- red: The red line is the longer one.",
        {
            LIST["actual"],
            ITEMS["fick"],
            *ask("chance", "fick"),
            *ask("pixels", "fick"),
            *merge(),
            *grade(),
            *PAPER,
        },
    ),
    Edit(
        "the option parser",
        f"{PACKAGE}/grading/readers/choice.py",
        "the reply names no option",
        "the reply names none of the options",
        {*grade(), *PAPER},
    ),
    Edit(
        "a table's code",
        f"{PACKAGE}/suites/{SUITE}/tables.py",
        r'"Fake illusions: the inducer',
        '"The fake illusions: the inducer',
        {TABLES["fake_vqa"], CHART, NAMES, PAGE, FIRST_PAGE, *LEDGER},
    ),
    Edit(
        "a chart's code",
        f"{PACKAGE}/suites/{SUITE}/charts.py",
        "= 0.95, 0.5",
        "= 0.96, 0.5",
        {CHART, PAGE},
    ),
    Edit("a caption", "workflow/report/fake_vqa.rst", "inducer", "cause", {PAGE}),
    Edit(
        "a module that only one backend uses",
        f"{PACKAGE}/models/chance.py",
        r'f"\{seed\} ',
        'f"{seed}: ',
        {*ask("chance"), *merge("chance"), *grade("chance"), *PAPER},
    ),
    Edit(
        "one kind of column of the module that holds all",
        f"{PACKAGE}/showing/tables/columns.py",
        r'sign = "\+" if difference > 0 else ""',
        'sign = "+" if difference >= 0 else ""',
        {TABLES["illusion_vqa_tests"], TABLES["pairs_illusion_vqa"], NAMES, PAGE, FIRST_PAGE},
    ),
    Edit(
        "words of the readers' module that this suite's reader does not use",
        f"{PACKAGE}/grading/language/reply_text.py",
        "consequently",
        "as a consequence",
        set(),
    ),
    Edit(
        "a new function in a shared module, and what it imports",
        f"{PACKAGE}/showing/tables/columns.py",
        r"\Z",
        "\n\ndef new():\n    from afterimage.files.paths import write_text\n    return write_text\n",
        set(),
    ),
    Edit(
        "what a module does when it is imported",
        f"{PACKAGE}/showing/tables/renderers.py",
        "tabulate.WIDE_CHARS_MODE = False",
        "tabulate.WIDE_CHARS_MODE = 0",
        {*TABLES.values(), COST, CHART, NAMES, PAGE, FIRST_PAGE, *LEDGER},
    ),
    Edit(
        "a module that only one suite's questions use",
        f"{PACKAGE}/suites/{SUITE}/questions.py",
        r'Turn\("assistant", ',
        'Turn("assist" + "ant", ',
        {*ITEMS.values(), *ANSWERED},
    ),
    Edit(
        "a model added to the config",
        "config.yaml",
        "- chance",
        f"- chance\n- {NEW_MODEL}",
        {*ask(NEW_MODEL), *merge(NEW_MODEL), *grade(NEW_MODEL), *PAPER},
    ),
)


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.what)
def test_an_edit(study, rerun_table, edit):
    path = study.folder / edit.file
    before = path.read_text()
    study.edit(edit.file, edit.pattern, edit.replacement)
    try:
        study.plans(rerun_table, edit.what, edit.jobs)
    finally:
        path.write_text(before)


def test_all_these_edits_at_once_and_then_nothing_is_left_to_do(study, rerun_table):
    for edit in EDITS:
        study.edit(edit.file, edit.pattern, edit.replacement)
    study.reruns(
        rerun_table, "all these edits at once", set().union(*(edit.jobs for edit in EDITS))
    )
    study.change_study(models=MODELS)
    study.run()


def test_the_way_of_measuring(study, rerun_table):
    study.edit(
        f"{PACKAGE}/suites/illusions/seeing.py",
        "NATIVE_SIDE_PX = 672",
        "NATIVE_SIDE_PX = 336 * 2",
    )
    study.plans(
        rerun_table,
        "the way of measuring, in one call",
        {*DRAW.values(), COLLECT, *LIST.values(), *ITEMS.values(), *ANSWERED, SHEET},
    )
    study.reruns(
        rerun_table,
        "the way of measuring, the measurement alone",
        {*DRAW.values(), COLLECT},
        f"results/stimuli/{SUITE}/measured.csv",
    )
    study.reruns(
        rerun_table,
        "the same values, then everything: the model that measures",
        {*ask("pixels"), *merge("pixels"), *grade("pixels"), *PAPER},
    )


def test_an_unrelated_key_and_the_order_of_keys(study, rerun_table):
    settings = yaml.safe_load((study.folder / "config.yaml").read_text())
    settings["statistics"] = {"seed": 20250101, "confidence": 0.95, **settings["statistics"]}
    other_order = dict(reversed(settings.items()))
    study.configure({**other_order, "own_models": {"later": {"backend": "chance"}}})
    study.edit("config/models.yaml", "Seeded guess over the options", "A guess")
    study.edit(
        "config/models.yaml",
        r"^  backend: pixels$",
        "  backend: pixels\n  resources: {mem_mb: 2000}",
    )
    study.reruns(rerun_table, "an unrelated config key; order of keys; a model's resources", {})


FINAL_FILES = {
    "figures/illusion_vqa.pdf": {CHART, PAGE},
    "tables/illusion_vqa_tests.csv": {TABLES["illusion_vqa_tests"], NAMES, PAGE, FIRST_PAGE},
    # A chart shows it.
    "tables/fake_vqa.csv": {TABLES["fake_vqa"], CHART, NAMES, PAGE, FIRST_PAGE, *LEDGER},
    "tables/fake_vqa.paper.tex": {TABLES["fake_vqa"], CHART, NAMES, PAGE, FIRST_PAGE, *LEDGER},
    "report/index.html": {FIRST_PAGE},
}


def test_a_final_file_deleted(study, rerun_table):
    """One by one in dry runs, then all of them."""
    for name, jobs in FINAL_FILES.items():
        file = study.folder / "results" / name
        put_away = file.rename(study.folder.parent / "put_away")
        study.plans(rerun_table, f"a final file deleted: {name}", jobs)
        put_away.rename(file)
    for name in FINAL_FILES:
        (study.folder / "results" / name).unlink()
    study.reruns(rerun_table, "all of them deleted", set().union(*FINAL_FILES.values()))


@pytest.mark.parametrize(
    ("name", "job"),
    [
        (f"results/grades/{SUITE}/chance.parquet", *grade("chance")),
        (f"results/responses/{SUITE}/pixels/{SHARDS['fick']}.parquet", *ask("pixels", "fick")),
        (f"results/items/{SUITE}/{SHARDS['fick']}.parquet", ITEMS["fick"]),
    ],
)
def test_an_intermediate_deleted(study, rerun_table, name, job):
    (study.folder / name).unlink()
    study.reruns(rerun_table, f"an intermediate deleted: {name}", {})
    study.reruns(rerun_table, f"the same, asked for by name: {name}", {job}, name)
    study.reruns(rerun_table, "then everything", {})


def test_images_as_files_deleted(study, rerun_table):
    folder = study.folder / f"results/stimuli/{SUITE}/fick"
    images = sorted(folder.glob("*.png"))
    before = [image.read_bytes() for image in images]
    assert len(images) == 8
    for image in images:
        image.unlink()
    study.reruns(rerun_table, "the images that are files for people deleted", {})
    target = images[0].relative_to(study.folder).as_posix()
    study.reruns(
        rerun_table,
        "one of them asked for by name",
        {f"Writing the image {images[0].stem} ({SUITE})"},
        target,
    )
    assert images[0].read_bytes() == before[0]
    study.reruns(rerun_table, "then everything", {})


def test_human_responses_that_change_no_decision(study, rerun_table):
    study.change_study(
        suites={
            SUITE: {
                **SMALL_STUDY["suites"][SUITE],
                "human_filter": {"responses": "people.csv", "synthetic": True},
            }
        }
    )
    answers = simulated_responses(study.folder, participants=5)
    write_responses(study.folder / "people.csv", answers)
    study.run()
    more = [
        answer
        for answer in simulated_responses(study.folder, participants=6)
        if answer not in answers
    ]
    write_responses(study.folder / "people.csv", [*answers, *more])
    study.reruns(
        rerun_table,
        "human responses that change no decision, the filter alone",
        {FILTER},
        f"results/human/{SUITE}_decisions.csv",
    )
    study.reruns(rerun_table, "the same, then everything", {})


def simulated_responses(folder, participants):
    """Answers of percept-driven observers to the workspace's own questions."""
    bank = load_prompts(folder / PROMPTS)
    offered = choices(bank, SHARDS)
    generator = np.random.default_rng(1)
    return simulate_participants(offered, list(SHARDS), participants, generator, lapse_rate=0.0)


def write_responses(path, answers):
    rows = [
        ",".join(map(str, (a.participant_id, a.image_id, a.question, a.option_id))) for a in answers
    ]
    path.write_text("participant_id,image_id,question,option_id\n" + "\n".join(rows) + "\n")
