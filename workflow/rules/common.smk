# What all rules share: the plan of the run, and the functions that translate wildcards into it.
# Rules know names and paths; what a suite, a backend or a table does is the package's business.
import os
import re
import time
from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.logging import logger

from afterimage.contract.results_folder import DEFAULT, with_folder
from afterimage.errors import AfterimageError, unknown_name
from afterimage.files.attempts import again_at, last_attempt
from afterimage.files.root import shipped
from afterimage.models.journaling.refreshing import last_refresh
from afterimage.planning import stages
from afterimage.planning.absent import named as named_as_missing
from afterimage.planning.announcement import announcement
from afterimage.planning.belonging import (
    FIGURES_OF_NO_SUITE,
    TABLES_OF_NO_SUITE,
    tables_of_others,
)
from afterimage.planning.checking import planned, require_reachable
from afterimage.planning.claims import asking_clean, asking_for_claims
from afterimage.planning.ending import (
    missing_answers,
    missing_files,
    other_models,
    without_numbers,
)
from afterimage.planning.outside import dated_ahead, named_as_ahead
from afterimage.planning.pictures import chosen_by, read_by, recorded_files
from afterimage.planning.retries import hand_on, left_after
from afterimage.planning.shards import SHARD_PATTERN


def checked(function, *arguments, **names):
    """Call a function of the package; a user's error becomes Snakemake's, one sentence without traceback."""
    try:
        return function(*arguments, **names)
    except AfterimageError as error:
        raise WorkflowError(str(error)) from None


# With a prefix (module: prefix:) Snakemake puts it before the paths of rules; what reads files otherwise gets it here.
RESULTS_FOLDER = config.get("results_folder", DEFAULT)
STUDIED = dict(config)
if isinstance(RESULTS_FOLDER, str):
    STUDIED["results_folder"] = with_prefix(RESULTS_FOLDER)

# What is known of the code is kept beside Snakemake's own records, from start to start (docs/invalidation.md).
GIVEN = given_settings()
plan = checked(planned, STUDIED, study_files(), GIVEN, ROOT, Path(".snakemake") / "afterimage")


# For whoever shows the run: an empty line in the log, with the study beside it.
logger.info("", extra={"afterimage_study": announcement(plan)})


# `<results>` in the paths of rules: config key results_folder.
pathvars:
    results=RESULTS_FOLDER,


wildcard_constraints:
    suite="|".join(map(re.escape, plan.suites)),
    model="|".join(map(re.escape, plan.models)),
    shard=SHARD_PATTERN,
    figure=r"\w+",


# ---- what rules are made of ----


def depends(stage, **names):
    """Return the `params:` of a stage's rule: what its jobs depend on beside their files (docs/invalidation.md).

    Functions of `wildcards` alone, since Snakemake records no others. A rule written in a loop gives names of its own.
    """

    def of_job(function):
        return lambda wildcards: checked(function, plan, stage, **dict(wildcards.items()), **names)

    return {
        "code": of_job(stages.code_of),
        "spec": of_job(stages.spec_of),
        "run": stages.STAGES[stage].run,
    }


def asked_again(answers):
    """Return the input function of a job that asks: what has a file of answers made again of which some are missing."""
    at = with_folder(answers, plan.results)

    def again(wildcards):
        names = dict(wildcards.items())
        path = at.format(**names)
        number = last_attempt(path).number
        is_there = number and again_at(path, number).is_file()
        return [str(again_at(answers.format(**names), number))] if is_there else []

    return again


def refreshed(wildcards):
    """Return a parameter that changes with a refresh of the answers of the model that is asked, and with its undoing."""
    names = dict(wildcards.items())
    return last_refresh(Path(plan.journal, names.get("judge", names["model"])))


def given(function, *names):
    """Return an input function: what a function of the plan says of the wildcards with these names."""
    return lambda wildcards: checked(function, *(getattr(wildcards, name) for name in names))


# The user's files that are dated in the future, with their content's hash: to Snakemake, inputs would be newer than what
# is made of them. Where there are any, they are parameters.
AHEAD = checked(lambda: dated_ahead(plan.users_files(), time.time()))


def files_of(choose, wildcards):
    """Return the files that an input function, a list or a path stands for."""
    chosen = choose(wildcards) if callable(choose) else choose
    return [chosen] if isinstance(chosen, str) else list(chosen)


def users(**named):
    """Return the `input:` of files of the user's, but for those that are dated in the future."""
    if not AHEAD:
        return named

    def of_today(choose):
        return lambda wildcards: [one for one in files_of(choose, wildcards) if one not in AHEAD]

    return {name: of_today(choose) for name, choose in named.items()}


def ahead(**named):
    """Return the `params:` that go with `users`: by name all files in their order, with what tells their content."""
    if not AHEAD:
        return {}

    def of_job(wildcards):
        chosen = {name: files_of(choose, wildcards) for name, choose in named.items()}
        return {
            name: {one: AHEAD.get(one) for one in files}
            for name, files in chosen.items()
            if any(one in AHEAD for one in files)
        }

    return {"ahead": of_job}


# Suffix of each form of a table.
FORMS = {"csv": "csv", "markdown": "md", "latex": "tex", "json": "json", "html": "html"}
# The same of the form in which a table's paper prints it, of tables that have one.
PAPER_FORMS = {"paper_markdown": "paper.md", "paper_latex": "paper.tex"}


def forms(table, caption, suite, prefix=""):
    """Return a table's outputs, one of each form; the report shows the page, with this caption."""
    files = {form: f"<results>/tables/{table}.{suffix}" for form, suffix in FORMS.items()}
    files["html"] = report(
        files["html"],
        caption=caption,
        category="Tables",
        subcategory=suite,
        labels={"table": table},
    )
    return {f"{prefix}{form}": file for form, file in files.items()}


def paper_forms(table):
    """Return the outputs, in its paper's form, of a table that has one."""
    return {form: f"<results>/tables/{table}.{suffix}" for form, suffix in PAPER_FORMS.items()}


def forms_of(tables):
    return expand("<results>/tables/{table}.{kind}", table=tables, kind=FORMS.values())


def stimuli_of(suite, figures):
    return expand("<results>/stimuli/{suite}/{figure}/stimuli.parquet", suite=suite, figure=figures)


def items_of(suite, shards):
    return expand("<results>/items/{suite}/{shard}.parquet", suite=suite, shard=shards)


def responses_of(suite, models):
    return expand("<results>/responses/{suite}/{model}.parquet", suite=suite, model=models)


def grades_of(suite, models):
    return expand("<results>/grades/{suite}/{model}.parquet", suite=suite, model=models)


# ---- what a run makes ----


def screens_of(chart):
    """Return a chart's pictures for pages on other screens: on a dark ground, and of a phone's width."""
    return {
        kind: f"<results>/figures/screens/{chart}.{kind}.png"
        for kind in ("dark", "narrow", "narrow_dark")
    }


def all_tables():
    return [
        *forms_of(plan.tables),
        *(one for name in plan.printed for one in paper_forms(name).values()),
    ]


def all_charts():
    return [
        *expand("<results>/figures/{chart}.{kind}", chart=plan.charts, kind=("png", "pdf")),
        *expand("<results>/figures/{page}.{kind}", page=plan.pages, kind=("png", "pdf")),
        *expand("<results>/figures/{sheet}.png", sheet=plan.sheets),
    ]


def all_measurements():
    return expand("<results>/stimuli/{suite}/measured.csv", suite=plan.suites)


def all_stimuli():
    return [path for suite, figures in plan.figures.items() for path in stimuli_of(suite, figures)]


def all_side_files():
    return [
        path
        for suite in plan.suites
        for files in plan.side_files(suite).values()
        for path in files.outputs
    ]


def all_items():
    return sorted(
        {
            path
            for suite in plan.suites
            for model in plan.models
            for path in items_of(suite, plan.shards(suite, model))
        }
    )


def caption(name):
    """Return the file with what the report says about a result; of a table without one, its title."""
    own = "pairs" if name.startswith("pairs_") else name
    if (Path(SCRIPTS).parent / "report" / f"{own}.rst").is_file():
        return f"../report/{own}.rst"
    return "../report/title.rst" if plan.has_title(name) else None


# ---- inputs ----


def stimuli_of_image(wildcards):
    suite, figure = wildcards.suite, wildcards.figure
    checked(plan.require_stimulus, suite, figure, wildcards.stimulus)
    return f"<results>/stimuli/{suite}/{figure}/stimuli.parquet"


def measurements_of_suite(wildcards):
    return expand(
        "<results>/stimuli/{suite}/{figure}/measured.csv",
        suite=wildcards.suite,
        figure=plan.figures[wildcards.suite],
    )


def decisions_of_suite(suite):
    return [f"<results>/human/{suite}_decisions.csv"] if plan.has_human_filter(suite) else []


def decisions(wildcards):
    return decisions_of_suite(wildcards.suite)


def stimuli_of_shard(wildcards):
    figures = checked(plan.shard_figures, wildcards.suite, wildcards.shard)
    return stimuli_of(wildcards.suite, figures)


def shards_of_model(wildcards):
    return expand(
        "<results>/responses/{suite}/{model}/{shard}.parquet",
        suite=wildcards.suite,
        model=wildcards.model,
        shard=plan.shards(wildcards.suite, wildcards.model),
    )


def items_of_model(wildcards):
    return items_of(wildcards.suite, plan.shards(wildcards.suite, wildcards.model))


def recorded_answers(wildcards):
    matched = f"<results>/recorded/{wildcards.suite}/{wildcards.model}.parquet"
    return [matched] if wildcards.model in plan.recorded else []


def grades_of_suite(suite):
    return grades_of(suite, plan.models)


def responses_of_suite(suite):
    return responses_of(suite, plan.models)


def shards_of_suite(suite):
    return items_of(suite, plan.report_shards(suite))


# ---- what is known without the image: docs/knowledge.md ----


def all_knowledge():
    return forms_of(["knowledge_all"] if plan.asking_without_image else [])


def grades_without_image():
    return [path for suite in plan.asking_without_image for path in grades_of_suite(suite)]


# ---- who claims to see what was not shown: docs/claims.md ----


def all_claims():
    if not asking_for_claims(plan):
        return []
    clean = ["claims_clean"] if asking_clean(plan) else []
    return [*forms_of(["claims", *clean]), "<results>/figures/claims.png"]


def answered_without_image(suites):
    return {
        "grades": [path for suite in suites for path in grades_of_suite(suite)],
        "responses": [path for suite in suites for path in responses_of_suite(suite)],
        "shards": [path for suite in suites for path in shards_of_suite(suite)],
    }


# ---- answers to questions that are asked more than once: docs/robustness.md ----


def all_robustness():
    return forms_of(["robustness"] if plan.asked_again else [])


def grades_asked_again():
    return [f"<results>/grades/{suite}/{model}.parquet" for suite, model in plan.asked_again]


def shards_asked_again():
    suites = dict.fromkeys(suite for suite, _ in plan.asked_again)
    return [path for suite in suites for path in shards_of_suite(suite)]


# ---- what the answers took: docs/models.md ----


def all_costs():
    return forms_of(["cost"])


def all_responses():
    return [path for suite in plan.suites for path in responses_of_suite(suite)]


def all_grades():
    return [path for suite in plan.suites for path in grades_of_suite(suite)]


def all_shards():
    return [path for suite in plan.suites for path in shards_of_suite(suite)]


def all_votes():
    return [
        f"<results>/votes/{suite}/{plan.judging.judge.name}/{model}.parquet"
        for suite in plan.judging.suites
        for model in plan.judging.judged_models(suite)
    ]


# ---- the papers' printed numbers: docs/ledger.md ----


def all_numbers():
    return ["<results>/numbers.csv", "<results>/numbers.tex"]


# ---- weights that are fetched before they are needed: docs/cluster.md ----


def all_weights():
    return expand("<results>/weights/{model}.json", model=plan.fetched)


# ---- resources: what the registry says that a model needs ----


def model_resource(name):
    return lambda wildcards: plan.models[wildcards.model].resources[name]


def model_memory(wildcards, attempt):
    # A job that comes again may have ended for want of it.
    return plan.models[wildcards.model].resources["mem_mb"] * attempt


def model_runtime(wildcards, attempt):
    return plan.models[wildcards.model].resources["runtime"] * attempt


def starts_left(wildcards, attempt):
    """Return how often Snakemake starts a job again that fails: the last time it makes a file of what was answered.

    A cluster's job is started without retries of its own and inherits how many the run was given.
    """
    if is_whole_run() and (given := retries()) is not None:
        hand_on(given)
    return left_after(attempt)


# ---- what comes first: a small suite's tables need not wait for a large one's images ----

# The fewer images, the more urgent. Images come before what is asked about them, for the last one drawn holds up most, and
# both before charts, sheets and pages, which have no urgency and fill what cores are left.
URGENCY = {
    suite: 2 * rank + 1
    for rank, suite in enumerate(
        sorted(plan.suites, key=lambda name: -len(plan.studied[name].positions))
    )
}


def urgency(wildcards):
    return URGENCY[wildcards.suite]


# ---- what a cluster's queue is spared (docs/cluster.md) ----

# A drawing job of so many stimuli takes minutes.
STIMULI_WORTH_A_JOB = 2000


def any_of(names):
    """Return a regular expression for these names; where there are none it matches nothing."""
    return "|".join(map(re.escape, names)) or "(?!)"


def light_rules():
    """Return the rules whose jobs take seconds: they run where Snakemake runs. Who asks a model names GPUs, if only 0."""
    # A module may have put something before the names.
    large = tuple(
        f"draw_{suite}_{figure}"
        for suite, figures in plan.figures.items()
        for figure in figures
        if len(plan.stimulus_ids(suite, figure)) >= STIMULI_WORTH_A_JOB
    )
    light = [one.name for one in own_rules() if "gpu" not in one.resources]
    return [name for name in light if not name.endswith(large)]


# ---- names that nothing makes ----


def nearest_name(kind, valid):
    """Return an input function that ends the run with the nearest valid name."""

    def explain(wildcards):
        raise WorkflowError(str(unknown_name(kind, wildcards.unknown, valid)))

    return explain


def none_of(names):
    """Return a regular expression for any name but these."""
    return rf"(?!(?:{'|'.join(map(re.escape, names))})\.)[^/.]+"
