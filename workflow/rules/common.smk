# What all rules share: the plan of the run, and the functions that translate wildcards into it.
# Rules know names and paths; what a suite, a backend or a table does is the package's business.
import re
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

# The code that is fingerprinted must be the code that runs: the package beside the Snakefile comes before any installed
# one, here and in the jobs.
SCRIPTS = str(Path(workflow.basedir) / "workflow" / "scripts")
sys.path.insert(0, SCRIPTS)

from afterimage.errors import AfterimageError, unknown_name
from afterimage.planning.own_path import import_from
from afterimage.planning.plan import Plan
from afterimage.planning.shards import SHARD_PATTERN

import_from(SCRIPTS)


def checked(function, *arguments):
    """Call a function of the package; a user's error becomes Snakemake's, one sentence without traceback."""
    try:
        return function(*arguments)
    except AfterimageError as error:
        raise WorkflowError(str(error)) from None


# What is known of the code is kept beside Snakemake's own records, from start to start (docs/invalidation.md).
plan = checked(Plan, config, Path(workflow.basedir), Path(".snakemake") / "afterimage")


wildcard_constraints:
    suite="|".join(map(re.escape, plan.suites)),
    model="|".join(map(re.escape, plan.models)),
    shard=SHARD_PATTERN,
    figure=r"\w+",


# ---- what a run makes ----


def all_tables():
    return expand(
        "results/tables/{table}.{kind}", table=plan.tables, kind=("csv", "md", "tex", "html", "json")
    )


def all_charts():
    return [
        *expand("results/figures/{chart}.{kind}", chart=plan.charts, kind=("png", "pdf")),
        *expand("results/figures/{page}.{kind}", page=plan.pages, kind=("png", "pdf")),
        *expand("results/figures/{sheet}.png", sheet=plan.sheets),
    ]


def all_measurements():
    return expand("results/stimuli/{suite}/measured.csv", suite=plan.suites)


def all_stimuli():
    return [
        f"results/stimuli/{suite}/{figure}/stimuli.parquet"
        for suite, figures in plan.figures.items()
        for figure in figures
    ]


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
            f"results/items/{suite}/{shard}.parquet"
            for suite in plan.suites
            for model in plan.models
            for shard in plan.shards(suite, model)
        }
    )


def caption(name):
    """Return the file with what the report says about a result; of a table without one, its title."""
    if (Path(SCRIPTS).parent / "report" / f"{name}.rst").is_file():
        return f"../report/{name}.rst"
    return "../report/title.rst" if plan.has_title(name) else None


# ---- inputs ----


def stimuli_of_image(wildcards):
    checked(plan.image_spec, wildcards.suite, wildcards.figure, wildcards.stimulus)
    return f"results/stimuli/{wildcards.suite}/{wildcards.figure}/stimuli.parquet"


def stimuli_of_sheet(sheet):
    return expand(
        "results/stimuli/{suite}/{figure}/stimuli.parquet",
        suite=plan.sheets[sheet],
        figure=plan.sheet_figures(sheet),
    )


def measurements_of_suite(wildcards):
    return expand(
        "results/stimuli/{suite}/{figure}/measured.csv",
        suite=wildcards.suite,
        figure=plan.figures[wildcards.suite],
    )


def human_responses(wildcards):
    return plan.human_responses(wildcards.suite)


def decisions_of_suite(suite):
    return [f"results/human/{suite}_decisions.csv"] if plan.has_human_filter(suite) else []


def decisions(wildcards):
    return decisions_of_suite(wildcards.suite)


def files_of_items(wildcards):
    return plan.item_files(wildcards.suite)


def stimuli_of_shard(wildcards):
    return expand(
        "results/stimuli/{suite}/{figure}/stimuli.parquet",
        suite=wildcards.suite,
        figure=checked(plan.shard_figures, wildcards.suite, wildcards.shard),
    )


def shards_of_model(wildcards):
    return expand(
        "results/responses/{suite}/{model}/{shard}.parquet",
        suite=wildcards.suite,
        model=wildcards.model,
        shard=plan.shards(wildcards.suite, wildcards.model),
    )


def items_of_model(wildcards):
    return expand(
        "results/items/{suite}/{shard}.parquet",
        suite=wildcards.suite,
        shard=plan.shards(wildcards.suite, wildcards.model),
    )


def grades_of_suite(suite):
    return expand("results/grades/{suite}/{model}.parquet", suite=suite, model=plan.models)


def responses_of_suite(suite):
    return expand("results/responses/{suite}/{model}.parquet", suite=suite, model=plan.models)


def items_of_page(page):
    return expand(
        "results/items/{suite}/{shard}.parquet",
        suite=plan.pages[page],
        shard=plan.page_shards(page),
    )


# ---- parameters: what a job depends on beside its input files (docs/invalidation.md) ----


def image_spec(wildcards):
    return plan.image_spec(wildcards.suite, wildcards.figure, wildcards.stimulus)


def filter_code(wildcards):
    return plan.filter_code(wildcards.suite)


def filter_spec(wildcards):
    return plan.filter_spec(wildcards.suite)


def items_code(wildcards):
    return plan.items_code(wildcards.suite)


def items_spec(wildcards):
    return checked(plan.items_spec, wildcards.suite, wildcards.shard)


def model_code(wildcards):
    return plan.model_code(wildcards.suite, wildcards.model)


def model_spec(wildcards):
    return plan.model_spec(wildcards.suite, wildcards.model)


def grading_code(wildcards):
    return plan.grading_code(wildcards.suite)


# ---- what is known without the image: docs/knowledge.md ----


def all_knowledge():
    kinds = ("csv", "md", "tex", "html", "json") if plan.asking_without_image else ()
    return expand("results/tables/knowledge_all.{kind}", kind=kinds)


def grades_without_image():
    return [path for suite in plan.asking_without_image for path in grades_of_suite(suite)]


# ---- answers to questions that are asked more than once: docs/robustness.md ----


def all_robustness():
    kinds = ("csv", "md", "tex", "html", "json") if plan.asked_again else ()
    return expand("results/tables/robustness.{kind}", kind=kinds)


def grades_asked_again():
    return [f"results/grades/{suite}/{model}.parquet" for suite, model in plan.asked_again]


def shards_asked_again():
    return [
        f"results/items/{suite}/{shard}.parquet"
        for suite in dict.fromkeys(suite for suite, _ in plan.asked_again)
        for shard in plan.report_shards(suite)
    ]


# Tables that other rules make.
TABLES_OF_NO_SUITE = ["batch_agreement", "cost", "knowledge_all", "robustness"]


# ---- what the answers took: docs/models.md ----


def all_costs():
    return expand("results/tables/cost.{kind}", kind=("csv", "md", "tex", "html", "json"))


def all_responses():
    return [path for suite in plan.suites for path in responses_of_suite(suite)]


def all_votes():
    return [
        f"results/votes/{suite}/{plan.judging.judge['name']}/{model}.parquet"
        for suite in plan.judging.suites
        for model in plan.judging.judged_models(suite)
    ]


# ---- weights that are fetched before they are needed: docs/cluster.md ----


def all_weights():
    return expand("results/weights/{model}.json", model=plan.fetched)


def weights_spec(wildcards):
    return plan.weights_spec(wildcards.model)


# ---- resources: what the registry says that a model needs ----


def model_threads(wildcards):
    return plan.models[wildcards.model]["resources"]["threads"]


def model_memory(wildcards, attempt):
    # A job that comes again may have ended for want of it.
    return plan.models[wildcards.model]["resources"]["mem_mb"] * attempt


def model_runtime(wildcards, attempt):
    return plan.models[wildcards.model]["resources"]["runtime"] * attempt


def model_gpus(wildcards):
    return plan.models[wildcards.model]["resources"]["gpu"]


def model_client(wildcards):
    return checked(plan.client, wildcards.suite, wildcards.model, wildcards.shard)


# ---- what a cluster's queue is spared (docs/cluster.md) ----

# A drawing job of so many stimuli takes minutes.
STIMULI_WORTH_A_JOB = 2000


def any_of(names):
    """Return a regular expression for these names; where there are none it matches nothing."""
    return "|".join(map(re.escape, names)) or "(?!)"


def light_rules(rules):
    """Return the rules whose jobs take seconds: they run where Snakemake runs. Who asks a model names GPUs, if only 0."""
    large = {
        f"draw_{suite}_{figure}"
        for suite, figures in plan.figures.items()
        for figure in figures
        if len(plan.stimulus_ids(suite, figure)) >= STIMULI_WORTH_A_JOB
    }
    return [rule.name for rule in rules if "gpu" not in rule.resources and rule.name not in large]


# ---- names that nothing makes ----


def nearest_name(kind, valid):
    """Return an input function that ends the run with the nearest valid name."""

    def explain(wildcards):
        raise WorkflowError(str(unknown_name(kind, wildcards.unknown, valid)))

    return explain


def none_of(names):
    """Return a regular expression for any name but these."""
    return rf"(?!(?:{'|'.join(map(re.escape, names))})\.)[^/.]+"
