# Pages that show all of a study, each one file that needs no other: docs/report.md.


include: "report_common.smk"


rule make_suite_page:
    input:
        tables=report_tables,
        readers_tables=report_readers_tables,
        captions=report_captions,
        figures=report_figures,
        screens=report_screens,
        figure_captions=report_figure_captions,
        shards=given(shards_of_suite, "suite"),
        responses=given(responses_of_suite, "suite"),
        grades=given(grades_of_suite, "suite"),
        published=on_this_machine(plan.ledger.published),
        sources=lambda wildcards: on_this_machine(plan.ledger.files_of_suite(wildcards.suite)),
        templates=REPORT_TEMPLATES,
    output:
        page="<results>/report/{suite}.html",
    log:
        "<results>/logs/make_suite_page/{suite}.log",
    # Of pictures, which are made side by side where they are many.
    threads: lambda wildcards: 2 if len(plan.studied[wildcards.suite].positions) > 500 else 1
    resources:
        study=NAMING_STUDY,
    params:
        **depends("make_suite_page"),
    message:
        "Making the report's page of {wildcards.suite}"
    script:
        JOB


rule make_overview:
    input:
        tables=tables_of_no_suite("csv"),
        readers_tables=tables_of_no_suite("json"),
        suites_tables=readers_tables_of_suites(),
        captions=captions_of(tables_of_no_suite("csv")),
        figures=tables_of_no_suite("png"),
        screens=screens_of_no_suite(),
        cost="<results>/tables/cost.csv",
        numbers="<results>/numbers.csv",
        fronts=tables_of_main_scores(),
        samples=samples_of_suites(),
        shards=shards_of_suites(),
        responses=all_responses(),
        templates=templates_of_overview,
    output:
        page="<results>/report/index.html",
    log:
        "<results>/logs/make_overview.log",
    resources:
        study=NAMING_STUDY,
    params:
        **depends("make_overview"),
    message:
        "Making the report's first page"
    script:
        JOB
