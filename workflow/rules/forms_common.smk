# What the pages that people answer are made from, and what comes back: docs/human_forms.md.


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
