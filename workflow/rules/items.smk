# Stimuli to questions. A shard's items file is all that an inference job reads.


rule make_items:
    input:
        images=images_of_shard,
        stimuli=stimuli_of_shard,
        decisions=decisions,
        # Nothing is asked about an image that fails its measurement. (`ancient` would hide changes further down
        # from Snakemake 9.27: docs/invalidation.md.)
        measured=measurements_of_shard,
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
