# What more thinking brings and costs, over all suites (docs/models.md).


rule make_thinking:
    input:
        grades=answered_at_efforts("grades"),
        responses=answered_at_efforts("responses"),
    output:
        **forms("thinking", "../report/thinking.rst", "models"),
    log:
        "<results>/logs/make_thinking.log",
    params:
        **depends("make_thinking"),
    message:
        "Making the table thinking"
    script:
        JOB


rule draw_thinking:
    input:
        tables=["<results>/tables/thinking.csv"],
    output:
        **screens_of("thinking"),
        png=shown("thinking", "Figures", "../report/thinking.rst", "models"),
        pdf="<results>/figures/thinking.pdf",
    log:
        "<results>/logs/draw_thinking.log",
    params:
        **depends("draw_thinking"),
    message:
        "Drawing the chart thinking"
    script:
        JOB
