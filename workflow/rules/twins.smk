# Published images against fresh ones of the same design, over all suites that draw (docs/statistics.md).


rule make_twins:
    input:
        **answered_twins(),
        **checked(twin_files, plan),
    output:
        **forms("twins", "../report/twins.rst", "models"),
    log:
        "<results>/logs/make_twins.log",
    params:
        **depends("make_twins"),
    message:
        "Making the table twins"
    script:
        JOB


rule draw_twins:
    input:
        tables=["<results>/tables/twins.csv"],
    output:
        **screens_of("twins"),
        png=shown("twins", "Figures", "../report/twins.rst", "models"),
        pdf="<results>/figures/twins.pdf",
    log:
        "<results>/logs/draw_twins.log",
    params:
        **depends("draw_twins"),
    message:
        "Drawing the chart twins"
    script:
        JOB
