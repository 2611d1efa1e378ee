# Stimuli to questions. A shard's items file is all that an inference job reads.
from afterimage.stages.items import item_files


rule make_items:
    input:
        **users(files=of_plan(item_files, "suite")),
        stimuli=stimuli_of_shard,
        decisions=of_suite(decisions_of_suite),
    output:
        shard="<results>/items/{suite}/{shard}.parquet",
    log:
        "<results>/logs/make_items/{suite}/{shard}.log",
    priority: urgency
    params:
        **depends("make_items"),
        **ahead(files=of_plan(item_files, "suite")),
    message:
        "Making the items of {wildcards.suite}, stimuli {wildcards.shard}"
    script:
        JOB
