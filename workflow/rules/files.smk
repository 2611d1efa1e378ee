# The names of files: of a suite, of all suites, of tables and of pictures.
from afterimage.stages.human_filter import has_human_filter


def stimuli_of(suite, figures):
    return expand("<results>/stimuli/{suite}/{figure}/stimuli.parquet", suite=suite, figure=figures)


def items_of(suite, shards):
    return expand("<results>/items/{suite}/{shard}.parquet", suite=suite, shard=shards)


def responses_of(suite, models):
    return expand("<results>/responses/{suite}/{model}.parquet", suite=suite, model=models)


def grades_of(suite, models):
    return expand("<results>/grades/{suite}/{model}.parquet", suite=suite, model=models)


def shards_of_suite(suite):
    return items_of(suite, plan.all_shards(suite))


def responses_of_suite(suite):
    return responses_of(suite, plan.models)


def grades_of_suite(suite):
    return grades_of(suite, plan.models)


def decisions_of_suite(suite):
    return [f"<results>/human/{suite}_decisions.csv"] if has_human_filter(plan, suite) else []


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


def shown(figure, category, caption, suite):
    """Return a picture's output, which the report shows."""
    return report(
        f"<results>/figures/{figure}.png",
        caption=caption,
        category=category,
        subcategory=suite,
        labels={"figure": figure},
    )


def screens_of(chart):
    """Return a chart's pictures for pages on other screens: on a dark ground, and of a phone's width."""
    return {
        kind: f"<results>/figures/screens/{chart}.{kind}.png"
        for kind in ("dark", "narrow", "narrow_dark")
    }
