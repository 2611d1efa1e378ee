# People's answers decide which figures count.
from afterimage.stages.human_filter import human_responses


rule apply_human_filter:
    input:
        **users(responses=of_plan(human_responses, "suite")),
    output:
        figures="<results>/human/{suite}.csv",
        images="<results>/human/{suite}_images.csv",
        ignored="<results>/human/{suite}_ignored.csv",
        decisions="<results>/human/{suite}_decisions.csv",
        people="<results>/human/{suite}_people.csv",
    log:
        "<results>/logs/apply_human_filter/{suite}.log",
    priority: urgency
    params:
        **depends("apply_human_filter"),
        **ahead(responses=of_plan(human_responses, "suite")),
    message:
        "Deciding which figures of {wildcards.suite} count"
    script:
        JOB
