# What the answers took and cost, over all models and suites (docs/models.md).


rule make_cost:
    input:
        responses=all_responses(),
        votes=all_votes(),
    output:
        csv="results/tables/cost.csv",
        markdown="results/tables/cost.md",
        latex="results/tables/cost.tex",
        json="results/tables/cost.json",
        html=report(
            "results/tables/cost.html",
            caption="../report/cost.rst",
            category="Tables",
            subcategory="models",
            labels={"table": "cost"},
        ),
    log:
        "results/logs/make_cost.log",
    conda:
        "../../envs/tables.yaml"
    params:
        code=plan.script_code("make_cost", environment="tables"),
        spec=plan.cost_spec,
    message:
        "Making the table cost"
    script:
        "../scripts/make_cost.py"
