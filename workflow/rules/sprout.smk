# The workflow's own vision-language model, drawn, trained, saved and evaluated (docs/sprout.md). Nothing else asks for it:
# the weights that models: [sprout] uses lie in resources/models/sprout.


rule train_sprout:
    output:
        weights="<results>/models/{recipe}/model.safetensors",
    log:
        "<results>/logs/train_sprout/{recipe}.log",
    wildcard_constraints:
        recipe=r"\w+",
    threads: 2
    resources:
        mem_mb=lambda wildcards: 30000 if wildcards.recipe == "sapling" else 6000,
        runtime=120,
        gpu=lambda wildcards: int(wildcards.recipe == "sapling"),
    params:
        **depends("train_sprout"),
    message:
        "Drawing, training and evaluating {wildcards.recipe}"
    script:
        JOB
