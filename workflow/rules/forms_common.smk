# What the pages that people answer are made from, and what comes back: docs/human_forms.md.


def all_form_tasks():
    return [f"<results>/human/tasks/{suite}/{form}.parquet" for suite, form in plan.forms.names]


def all_form_pages(wildcards):
    """Return the pages and sheets of all forms; how many a form has is known when its tasks are listed."""
    sheets = [f"{language}.csv" for language in plan.forms.languages]
    pages = []
    for suite, form in plan.forms.names:
        listed = checkpoints.list_form_tasks.get(suite=suite, form=form).output.pages
        # Of what lies on storage, Snakemake fetches a copy to open.
        with listed.open(encoding="utf-8") as file:
            rows = file.read().splitlines()[1:]
        pages += expand(
            "<results>/human/forms/{suite}/{form}-{page}.{kind}",
            suite=suite,
            form=form,
            page=[row.partition(",")[0] for row in rows],
            kind=["html", *([] if form in plan.forms.sessions() else sheets)],
        )
    return pages


def all_answers():
    return [path for suite in plan.suites for path in plan.forms.results(suite).values()]


def form_stimuli(wildcards):
    suite = wildcards.suite
    figures = checked(plan.forms.figures, suite, wildcards.form, plan.figures[suite])
    return stimuli_of(suite, figures)


def form_shards(wildcards):
    asked = checked(plan.forms.reads, wildcards.suite, wildcards.form, "items")
    return shards_of_suite(wildcards.suite) if asked else []


def form_responses(wildcards):
    asked = checked(plan.forms.reads, wildcards.suite, wildcards.form, "responses")
    return responses_of_suite(wildcards.suite) if asked else []


def form_grades(wildcards):
    asked = checked(plan.forms.reads, wildcards.suite, wildcards.form, "grades")
    return grades_of_suite(wildcards.suite) if asked else []


def answers_tasks(wildcards):
    return expand(
        "<results>/human/tasks/{suite}/{form}.parquet",
        suite=wildcards.suite,
        form=plan.forms.result_forms(wildcards.suite, wildcards.result),
    )
