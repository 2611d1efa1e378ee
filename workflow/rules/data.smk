# Others' benchmarks from the hub (docs/data.md). A study that reads them cannot be planned before they are here, so that
# whoever asks for this target alone has none planned (study.smk).
from afterimage.planning.data import sets_of


rule data:
    log:
        "<results>/logs/data.log",
    localrule: True
    params:
        spec={"sets": [list(one) for one in sets_of(config)]},
        run="data:fetch_data",
    message:
        "Fetching others' benchmarks"
    script:
        JOB
