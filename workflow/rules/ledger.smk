# The papers' printed numbers and what this study has for each: docs/ledger.md.


include: "ledger_common.smk"


rule rescore_recorded:
    input:
        recorded_outcomes,
    output:
        "results/rescored/{suite}.csv",
    log:
        "results/logs/rescore_recorded/{suite}.log",
    wildcard_constraints:
        suite=any_of(plan.ledger.recorded),
    conda:
        "../../envs/tables.yaml"
    params:
        code=rescore_code,
        spec=rescore_spec,
    message:
        "Forming the tables of {wildcards.suite} from recorded answers"
    script:
        "../scripts/rescore_recorded.py"


rule make_ledger:
    input:
        published=plan.ledger.published,
        sources=plan.ledger.files(),
    output:
        report(
            "results/numbers.csv",
            caption="../report/numbers.rst",
            category="Numbers",
            labels={"table": "numbers"},
        ),
    log:
        "results/logs/make_ledger.log",
    conda:
        "../../envs/tables.yaml"
    params:
        code=plan.ledger_code("make_ledger"),
        spec=plan.ledger.spec,
    message:
        "Putting the study's numbers beside the papers'"
    script:
        "../scripts/make_ledger.py"


rule write_number:
    input:
        published=plan.ledger.published,
        sources=files_of_number,
    output:
        "results/numbers/{number}.txt",
    log:
        "results/logs/write_number/{number}.log",
    conda:
        "../../envs/tables.yaml"
    params:
        code=plan.ledger_code("write_number"),
        spec=number_spec,
    message:
        "Writing the number {wildcards.number}"
    script:
        "../scripts/write_number.py"


rule write_macros:
    input:
        "results/numbers.csv",
    output:
        "results/numbers.tex",
    log:
        "results/logs/write_macros.log",
    conda:
        "../../envs/tables.yaml"
    params:
        code=plan.script_code("write_macros", environment="tables"),
        spec={},
    message:
        "Writing the study's numbers as LaTeX macros"
    script:
        "../scripts/write_macros.py"
