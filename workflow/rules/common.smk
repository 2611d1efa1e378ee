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
from afterimage.own_path import import_from
from afterimage.plan import Plan
from afterimage.sharding import SHARD_PATTERN

import_from(SCRIPTS)


def checked(function, *arguments):
    """Call a function of the package; a user's error becomes Snakemake's, one sentence without traceback."""
    try:
        return function(*arguments)
    except AfterimageError as error:
        raise WorkflowError(str(error)) from None


plan = checked(Plan, config, Path(workflow.basedir))


wildcard_constraints:
    suite="|".join(map(re.escape, plan.suites)),
    model="|".join(map(re.escape, plan.models)),
    shard=SHARD_PATTERN,
    figure=r"\w+",


# ---- what a run makes ----


def all_tables():
    return expand(
        "results/tables/{table}.{kind}", table=plan.tables, kind=("csv", "md", "tex", "html")
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
        for path in files["outputs"]
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


# ---- inputs ----


def figure_images(suite, figure):
    return expand(
        "results/stimuli/{suite}/{figure}/{stimulus}.png",
        suite=suite,
        figure=figure,
        stimulus=plan.stimulus_ids(suite, figure),
    )


def images_of_figure(wildcards):
    return figure_images(wildcards.suite, wildcards.figure)


def images_of_sheet(sheet):
    return [
        f"results/stimuli/{plan.sheets[sheet]}/{figure}/{stimulus}.png"
        for figure, stimulus in plan.sheet_stimuli(sheet)
    ]


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


def images_of_shard(wildcards):
    return [
        f"results/stimuli/{wildcards.suite}/{figure}/{stimulus}.png"
        for figure, stimulus in checked(plan.shard_stimuli, wildcards.suite, wildcards.shard)
    ]


def files_of_items(wildcards):
    return plan.item_files(wildcards.suite)


def stimuli_of_shard(wildcards):
    return expand(
        "results/stimuli/{suite}/{figure}/stimuli.parquet",
        suite=wildcards.suite,
        figure=checked(plan.shard_figures, wildcards.suite, wildcards.shard),
    )


def measurements_of_shard(wildcards):
    return expand(
        "results/stimuli/{suite}/{figure}/measured.csv",
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


def measure_figure_code(wildcards):
    return plan.measurement_code(wildcards.suite)


def measure_figure_spec(wildcards):
    return {"figure": wildcards.figure, "suite": wildcards.suite}


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


# ---- answers that were given elsewhere: docs/recorded.md ----


def recorded_files(wildcards):
    return checked(plan.recorded_files, wildcards.suite, wildcards.model)


def recorded_ids(wildcards):
    return checked(plan.recorded_ids, wildcards.model)


def recorded_spec(wildcards):
    return plan.recorded_spec(wildcards.model)


def recorded_answers(wildcards):
    matched = f"results/recorded/{wildcards.suite}/{wildcards.model}.parquet"
    return [matched] if wildcards.model in plan.recorded else []


# ---- what is known without the image: docs/knowledge.md ----


def all_knowledge():
    kinds = ("csv", "md", "tex", "html") if plan.asking_without_image else ()
    return expand("results/tables/knowledge_all.{kind}", kind=kinds)


def grades_without_image():
    return [path for suite in plan.asking_without_image for path in grades_of_suite(suite)]


# ---- answers to questions that are asked more than once: docs/robustness.md ----


def all_robustness():
    kinds = ("csv", "md", "tex", "html") if plan.asked_again else ()
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
    return expand("results/tables/cost.{kind}", kind=("csv", "md", "tex", "html"))


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


# ---- the papers' printed numbers: docs/ledger.md ----


def all_numbers():
    return ["results/numbers.csv", "results/numbers.tex"]


def files_of_number(wildcards):
    return checked(plan.ledger.files, [wildcards.number])


def number_spec(wildcards):
    return checked(plan.ledger.number_spec, wildcards.number)


def recorded_outcomes(wildcards):
    return plan.ledger.recorded_files(wildcards.suite)


def rescore_code(wildcards):
    return plan.rescore_code(wildcards.suite)


def rescore_spec(wildcards):
    return {"folder": plan.ledger.recorded[wildcards.suite]}


# ---- the report: docs/report.md ----


def all_report():
    return [
        "results/report/index.html",
        *expand("results/report/{suite}.html", suite=plan.suites),
    ]


# What makes pages look as they do: a change there makes them anew from the same results.
REPORT_TEMPLATES = sorted(
    path.relative_to(workflow.basedir).as_posix()
    for path in (Path(workflow.basedir) / "resources" / "report").iterdir()
)


def captions(names):
    return expand("workflow/report/{name}.rst", name=names)


def captions_of(tables):
    return captions(Path(table).stem for table in tables)


def report_tables(wildcards):
    return expand("results/tables/{table}.csv", table=plan.report_tables(wildcards.suite))


def report_readers_tables(wildcards):
    return expand("results/tables/{table}.html", table=plan.report_tables(wildcards.suite))


def report_captions(wildcards):
    return captions(plan.report_tables(wildcards.suite))


def report_figures(wildcards):
    return expand("results/figures/{figure}.png", figure=plan.report_figures(wildcards.suite))


def report_figure_captions(wildcards):
    return captions(plan.report_figures(wildcards.suite))


def report_shards(wildcards):
    return expand(
        "results/items/{suite}/{shard}.parquet",
        suite=wildcards.suite,
        shard=plan.report_shards(wildcards.suite),
    )


def report_responses(wildcards):
    return responses_of_suite(wildcards.suite)


def report_grades(wildcards):
    return grades_of_suite(wildcards.suite)


def report_sources(wildcards):
    return plan.ledger.files_of_suite(wildcards.suite)


def suite_page_spec(wildcards):
    return plan.suite_page_spec(wildcards.suite)


def tables_of_no_suite(kind):
    made = [*all_costs(), *all_batch_agreement(), *all_knowledge(), *all_robustness()]
    return [path for path in made if path.endswith(f".{kind}")]


def shards_of_suites():
    return [
        f"results/items/{suite}/{shard}.parquet"
        for suite in plan.suites
        for shard in plan.report_shards(suite)
    ]


def samples_of_suites():
    return [figure_images(suite, figures[0])[0] for suite, figures in plan.figures.items()]


def all_grades():
    return [path for suite in plan.suites for path in grades_of_suite(suite)]


# ---- what models that run here see, and whether their answers depend on the batch: docs/transformers.md ----


def all_seen():
    return expand(
        "results/stimuli/{suite}/seen_by_{model}.csv", suite=plan.measurable, model=plan.seeing
    )


def all_batch_agreement():
    kinds = ("csv", "md", "tex", "html") if plan.batching else ()
    return expand("results/tables/batch_agreement.{kind}", kind=kinds)


def images_of_suite(wildcards):
    return [
        image
        for figure in plan.figures[wildcards.suite]
        for image in figure_images(wildcards.suite, figure)
    ]


def stimuli_of_suite(wildcards):
    return expand(
        "results/stimuli/{suite}/{figure}/stimuli.parquet",
        suite=wildcards.suite,
        figure=plan.figures[wildcards.suite],
    )


def items_of_model_in_all_suites(wildcards):
    return [
        f"results/items/{suite}/{shard}.parquet"
        for suite in plan.suites
        for shard in plan.shards(suite, wildcards.model)
    ]


def responses_of_model_in_all_suites(wildcards):
    return expand(
        "results/responses/{suite}/{model}.parquet", suite=plan.suites, model=wildcards.model
    )


def seen_code(wildcards):
    return plan.seen_code(wildcards.suite, wildcards.model)


def seen_spec(wildcards):
    return plan.seen_spec(wildcards.suite, wildcards.model)


def batches_code(wildcards):
    return plan.batches_code(wildcards.model)


def batches_spec(wildcards):
    return plan.batches_spec(wildcards.model)


# ---- pages for people: docs/human_forms.md ----


def all_form_tasks():
    return [f"results/human/tasks/{suite}/{form}.parquet" for suite, form in plan.forms.names]


def all_form_pages(wildcards):
    """Return the pages and sheets of all forms; how many a form has is known when its tasks are listed."""
    kinds = ["html", *(f"{language}.csv" for language in plan.forms.languages)]
    pages = []
    for suite, form in plan.forms.names:
        listed = checkpoints.list_form_tasks.get(suite=suite, form=form).output.pages
        rows = Path(listed).read_text(encoding="utf-8").splitlines()[1:]
        pages += expand(
            "results/human/forms/{suite}/{form}-{page}.{kind}",
            suite=suite,
            form=form,
            page=[row.partition(",")[0] for row in rows],
            kind=kinds,
        )
    return pages


def all_answers():
    return [path for suite in plan.suites for path in plan.forms.results(suite).values()]


def form_stimuli(wildcards):
    return expand(
        "results/stimuli/{suite}/{figure}/stimuli.parquet",
        suite=wildcards.suite,
        figure=form_figures(wildcards),
    )


def form_images(wildcards):
    return [
        image
        for figure in form_figures(wildcards)
        for image in figure_images(wildcards.suite, figure)
    ]


def form_measurements(wildcards):
    return expand(
        "results/stimuli/{suite}/{figure}/measured.csv",
        suite=wildcards.suite,
        figure=form_figures(wildcards),
    )


def form_figures(wildcards):
    suite = wildcards.suite
    return checked(plan.forms.figures, suite, wildcards.form, plan.figures[suite])


def form_shards(wildcards):
    if not checked(plan.forms.reads, wildcards.suite, wildcards.form, "items"):
        return []
    return expand(
        "results/items/{suite}/{shard}.parquet",
        suite=wildcards.suite,
        shard=plan.shards(wildcards.suite, next(iter(plan.models))),
    )


def form_responses(wildcards):
    asked = checked(plan.forms.reads, wildcards.suite, wildcards.form, "responses")
    return responses_of_suite(wildcards.suite) if asked else []


def form_grades(wildcards):
    asked = checked(plan.forms.reads, wildcards.suite, wildcards.form, "grades")
    return grades_of_suite(wildcards.suite) if asked else []


def form_files(wildcards):
    return checked(plan.forms.files, wildcards.suite, wildcards.form)


def form_code(wildcards):
    return plan.form_code(wildcards.suite, wildcards.form)


def form_spec(wildcards):
    return checked(plan.form_spec, wildcards.suite, wildcards.form)


def page_spec(wildcards):
    return checked(plan.page_form_spec, wildcards.suite, wildcards.form)


def answers_tasks(wildcards):
    return expand(
        "results/human/tasks/{suite}/{form}.parquet",
        suite=wildcards.suite,
        form=plan.forms.result_forms(wildcards.suite, wildcards.result),
    )


def answers_returned(wildcards):
    return plan.forms.result_files(wildcards.suite, wildcards.result)


def answers_code(wildcards):
    return plan.answers_code(wildcards.suite, wildcards.result)


def answers_spec(wildcards):
    return plan.answers_spec(wildcards.suite, wildcards.result)


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
