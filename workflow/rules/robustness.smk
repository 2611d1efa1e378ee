# How alike the answers to questions are that are asked more than once, over all suites (docs/robustness.md).


rule make_robustness:
    input:
        grades=grades_asked_again(),
        shards=shards_asked_again(),
    output:
        csv="results/tables/robustness.csv",
        markdown="results/tables/robustness.md",
        latex="results/tables/robustness.tex",
        json="results/tables/robustness.json",
        html=report(
            "results/tables/robustness.html",
            caption="../report/robustness.rst",
            category="Tables",
            subcategory="models",
            labels={"table": "robustness"},
        ),
    log:
        "results/logs/make_robustness.log",
    conda:
        "../../envs/tables.yaml"
    params:
        code=plan.script_code("make_robustness", environment="tables"),
        spec=plan.robustness_spec,
    message:
        "Making the table robustness"
    script:
        "../scripts/make_robustness.py"
