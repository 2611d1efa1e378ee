# What models get right without the image, over all suites that ask (docs/knowledge.md).


rule make_knowledge_all:
    input:
        grades=grades_without_image(),
    output:
        csv="results/tables/knowledge_all.csv",
        markdown="results/tables/knowledge_all.md",
        latex="results/tables/knowledge_all.tex",
        json="results/tables/knowledge_all.json",
        html=report(
            "results/tables/knowledge_all.html",
            caption="../report/knowledge_all.rst",
            category="Tables",
            subcategory="models",
            labels={"table": "knowledge_all"},
        ),
    log:
        "results/logs/make_knowledge_all.log",
    conda:
        "../../envs/tables.yaml"
    params:
        code=plan.script_code("make_knowledge_all", environment="tables"),
        spec=plan.knowledge_spec,
    message:
        "Making the table knowledge_all"
    script:
        "../scripts/make_knowledge_all.py"
