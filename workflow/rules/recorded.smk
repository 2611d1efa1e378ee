# Answers that were given elsewhere become answers to the items of a suite, once for all inference jobs.
from afterimage.stages.recorded import stimuli_named

RECORDED = {"recorded": recorded_of_model, "ids": ids_of_model}


rule match_recorded_answers:
    input:
        **users(**RECORDED),
        stimuli=of_plan(stimuli_named, "suite", "model"),
        shards=items_of_model,
    output:
        answers="<results>/recorded/{suite}/{model}.parquet",
    log:
        "<results>/logs/match_recorded_answers/{suite}/{model}.log",
    wildcard_constraints:
        model=any_of(plan.recorded),
    priority: urgency
    params:
        **depends("match_recorded_answers"),
        **ahead(**RECORDED),
    message:
        "Matching the recorded answers of {wildcards.model} to the items of {wildcards.suite}"
    script:
        JOB
