# The papers' printed numbers and what this study has for each: docs/ledger.md.


rule rescore_recorded:
    input:
        **users(recorded=given(plan.ledger.recorded_files, "suite")),
    output:
        cells="<results>/rescored/{suite}.csv",
    log:
        "<results>/logs/rescore_recorded/{suite}.log",
    wildcard_constraints:
        suite=any_of(plan.ledger.recorded),
    params:
        **depends("rescore_recorded"),
        **ahead(recorded=given(plan.ledger.recorded_files, "suite")),
    message:
        "Forming the tables of {wildcards.suite} from recorded answers"
    script:
        JOB


rule make_ledger:
    input:
        published=on_this_machine(plan.ledger.published),
        sources=on_this_machine(plan.ledger.files()),
    output:
        ledger=report(
            "<results>/numbers.csv",
            caption="../report/numbers.rst",
            category="Numbers",
            labels={"table": "numbers"},
        ),
    log:
        "<results>/logs/make_ledger.log",
    params:
        **depends("make_ledger"),
    message:
        "Putting the study's numbers beside the papers'"
    script:
        JOB


rule write_number:
    input:
        published=on_this_machine(plan.ledger.published),
        sources=lambda wildcards: on_this_machine(checked(plan.ledger.files, [wildcards.number])),
    output:
        number="<results>/numbers/{number}.txt",
    log:
        "<results>/logs/write_number/{number}.log",
    params:
        **depends("write_number"),
    message:
        "Writing the number {wildcards.number}"
    script:
        JOB


rule write_macros:
    input:
        ledger="<results>/numbers.csv",
    output:
        macros="<results>/numbers.tex",
    log:
        "<results>/logs/write_macros.log",
    params:
        **depends("write_macros"),
    message:
        "Writing the study's numbers as LaTeX macros"
    script:
        JOB
