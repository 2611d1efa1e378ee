# Every cell of every table by its name, for manuscripts: docs/paper.md.


rule write_values:
    input:
        tables=tables_with_names(),
        latex=on_this_machine([shipped("resources/values/values.tex")]),
        typst=on_this_machine([shipped("resources/values/values.typ")]),
    output:
        json="<results>/values.json",
        latex="<results>/values.tex",
        typst="<results>/values.typ",
    log:
        "<results>/logs/write_values.log",
    params:
        **depends("write_values"),
    message:
        "Naming the study's numbers for manuscripts"
    script:
        JOB
