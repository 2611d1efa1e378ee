# Pages for people, and what comes back from them (docs/human_forms.md).


include: "forms_common.smk"


# How many pages a form has depends on its tasks, and these may depend on what models answered.
checkpoint list_form_tasks:
    input:
        **users(files=given(plan.forms.files, "suite", "form")),
        stimuli=form_stimuli,
        shards=form_shards,
        responses=form_responses,
        grades=form_grades,
    output:
        tasks="<results>/human/tasks/{suite}/{form}.parquet",
        pages="<results>/human/tasks/{suite}/{form}_pages.csv",
    log:
        "<results>/logs/list_form_tasks/{suite}/{form}.log",
    wildcard_constraints:
        form=any_of(form for _, form in plan.forms.names),
    params:
        **depends("list_form_tasks"),
        **ahead(files=given(plan.forms.files, "suite", "form")),
    message:
        "Listing the tasks of the form {wildcards.form} ({wildcards.suite})"
    script:
        JOB


rule write_form:
    input:
        tasks="<results>/human/tasks/{suite}/{form}.parquet",
        template=local(shipped("resources/forms/page.html.j2")),
        style=local(shipped("resources/forms/page.css")),
        shared=local(shipped("resources/forms/shared.js")),
        script=local(shipped("resources/forms/page.js")),
    output:
        page="<results>/human/forms/{suite}/{form}-{page}.html",
        sheets=expand(
            "<results>/human/forms/{{suite}}/{{form}}-{{page}}.{language}.csv",
            language=plan.forms.languages,
        ),
    log:
        "<results>/logs/write_form/{suite}/{form}-{page}.log",
    wildcard_constraints:
        form=any_of(plan.forms.sessions(are=False)),
        page=r"\d+",
    params:
        **depends("write_form"),
    message:
        "Writing page {wildcards.page} of the form {wildcards.form} ({wildcards.suite})"
    script:
        JOB


rule write_session:
    input:
        tasks="<results>/human/tasks/{suite}/{form}.parquet",
        template=local(shipped("resources/forms/page.html.j2")),
        style=local(shipped("resources/forms/page.css")),
        shared=local(shipped("resources/forms/shared.js")),
        script=local(shipped("resources/forms/session.js")),
    output:
        page="<results>/human/forms/{suite}/{form}-{page}.html",
    log:
        "<results>/logs/write_session/{suite}/{form}-{page}.log",
    wildcard_constraints:
        form=any_of(plan.forms.sessions()),
        page=r"\d+",
    params:
        **depends("write_session"),
    message:
        "Writing page {wildcards.page} of the sessions {wildcards.form} ({wildcards.suite})"
    script:
        JOB


rule import_answers:
    input:
        **users(returned=given(plan.forms.result_files, "suite", "result")),
        tasks=answers_tasks,
    output:
        answers="<results>/human/answers/{suite}/{result}.csv",
        report="<results>/human/answers/{suite}/{result}_report.csv",
        annotators="<results>/human/answers/{suite}/{result}_annotators.csv",
        agreement="<results>/human/answers/{suite}/{result}_agreement.csv",
    log:
        "<results>/logs/import_answers/{suite}/{result}.log",
    wildcard_constraints:
        result=any_of(name for suite in plan.suites for name in plan.forms.results(suite)),
    params:
        **depends("import_answers"),
        **ahead(returned=given(plan.forms.result_files, "suite", "result")),
    message:
        "Taking in people's answers: {wildcards.result} ({wildcards.suite})"
    script:
        JOB
