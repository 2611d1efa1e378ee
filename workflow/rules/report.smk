# Pages that show all of a study, each one file that needs no other: docs/report.md.


include: "report_common.smk"


rule make_suite_page:
    input:
        tables=report_tables,
        readers_tables=report_readers_tables,
        captions=report_captions,
        figures=report_figures,
        figure_captions=report_figure_captions,
        shards=report_shards,
        responses=report_responses,
        grades=report_grades,
        published=plan.ledger.published,
        sources=report_sources,
        templates=REPORT_TEMPLATES,
    output:
        "results/report/{suite}.html",
    log:
        "results/logs/make_suite_page/{suite}.log",
    conda:
        "../../envs/tables.yaml"
    threads: 2
    params:
        code=plan.ledger_code("make_suite_page"),
        spec=suite_page_spec,
    message:
        "Making the report's page of {wildcards.suite}"
    script:
        "../scripts/make_suite_page.py"


rule make_overview:
    input:
        tables=tables_of_no_suite("csv"),
        readers_tables=tables_of_no_suite("json"),
        captions=captions_of(tables_of_no_suite("csv")),
        cost="results/tables/cost.csv",
        numbers="results/numbers.csv",
        samples=samples_of_suites(),
        shards=shards_of_suites(),
        responses=all_responses(),
        grades=all_grades(),
        templates=REPORT_TEMPLATES,
    output:
        "results/report/index.html",
    log:
        "results/logs/make_overview.log",
    conda:
        "../../envs/tables.yaml"
    params:
        code=plan.script_code("make_overview", environment="tables"),
        spec=plan.overview_spec,
    message:
        "Making the report's first page"
    script:
        "../scripts/make_overview.py"
