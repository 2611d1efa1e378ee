# Others' benchmarks from the hub (docs/data.md). A study that reads them cannot be planned before they are here, so that
# whoever asks for this target alone has none planned (study.smk).
from afterimage.stages.fetching import sets_of


rule data:
    log:
        "<results>/logs/data.log",
    localrule: True
    params:
        # The sets are those of the study itself, whatever was planned; a run of anything else never looks for them.
        **depends("fetch_data")
        | {"spec": lambda _: {"sets": [list(one) for one in checked(sets_of, config)]}},
    message:
        "Fetching others' benchmarks"
    script:
        JOB
