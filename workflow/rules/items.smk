# Stimuli to questions. A shard's items file is all that an inference job reads.


rule make_items:
    input:
        stimuli=stimuli_of_shard,
        decisions=decisions,
        # The tables that questions are made from, where a suite has any.
        files=files_of_items,
    output:
        "results/items/{suite}/{shard}.parquet",
    log:
        "results/logs/make_items/{suite}/{shard}.log",
    conda:
        "../../envs/stimuli.yaml"
    params:
        code=items_code,
        spec=items_spec,
    message:
        "Making the items of {wildcards.suite}, stimuli {wildcards.shard}"
    script:
        "../scripts/make_items.py"
