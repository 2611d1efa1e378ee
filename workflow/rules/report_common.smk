# What the pages of the report are made from: docs/report.md.
import json

from afterimage.stages.report import page_pictures, page_tables
from afterimage.command_line import naming
from afterimage.stages.report import front_tables


def all_report():
    return [
        "<results>/report/index.html",
        *expand("<results>/report/{suite}.html", suite=plan.suites),
    ]


# What makes pages look as they do: a change there makes them anew from the same results.
REPORT_TEMPLATES = on_this_machine(
    shipped(path.relative_to(ROOT).as_posix())
    for path in sorted((ROOT / "resources" / "report").iterdir())
)


# What names this study on a command line, for the commands that pages show.
NAMING_STUDY = json.dumps(naming(study_files() if is_study_named() else [], GIVEN))


def captions(names):
    """Return the captions that there are: the results of a user's own suite may have none."""
    files = expand("workflow/report/{name}.rst", name=names)
    return on_this_machine(shipped(file) for file in files if (ROOT / file).is_file())


def captions_of(tables):
    return captions(Path(table).stem for table in tables)


def report_tables(wildcards):
    return expand("<results>/tables/{table}.csv", table=page_tables(plan, wildcards.suite))


def report_readers_tables(wildcards):
    return expand("<results>/tables/{table}.json", table=page_tables(plan, wildcards.suite))


def readers_tables_of_suites():
    tables = [table for suite in plan.suites for table in page_tables(plan, suite)]
    return expand("<results>/tables/{table}.json", table=tables)


def report_captions(wildcards):
    return captions(page_tables(plan, wildcards.suite))


def report_figures(wildcards):
    return expand("<results>/figures/{figure}.png", figure=page_pictures(plan, wildcards.suite))


def report_screens(wildcards):
    return [
        path
        for chart, owner in plan.charts.items()
        if owner == wildcards.suite
        for path in screens_of(chart).values()
    ]


def report_figure_captions(wildcards):
    return captions(page_pictures(plan, wildcards.suite))


def tables_of_no_suite(kind):
    made = [*all_costs(), *all_batch_agreement(), *all_knowledge(), *all_claims()]
    made += [*all_robustness(), *all_thinking(), *all_twins()]
    return [path for path in made if path.endswith(f".{kind}")]


def screens_of_no_suite():
    charts = [Path(path).stem for path in tables_of_no_suite("png")]
    return [path for chart in charts for path in screens_of(chart).values()]


def shards_of_suites():
    return [path for suite in plan.suites for path in shards_of_suite(suite)]


def samples_of_suites():
    return [
        f"<results>/stimuli/{suite}/{figures[0]}/stimuli.parquet"
        for suite, figures in plan.figures.items()
    ]


def tables_of_main_scores():
    tables = {table: None for suite in plan.suites for table in front_tables(plan, suite, True)}
    return expand("<results>/tables/{table}.csv", table=tables)


def templates_of_overview(_):
    # Asked for when the report is among what is to be made, be it made already: whoever shows the run learns it.
    logger.info("The report is among what is wanted.", extra={"afterimage_report": True})
    return REPORT_TEMPLATES


def tables_with_names():
    judged = [path for path in all_judgements() if path.startswith("<results>/tables/")]
    own = expand("<results>/tables/{table}.csv", table=plan.tables)
    return [*own, *tables_of_no_suite("csv"), *judged]
