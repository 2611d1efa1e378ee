# Parameters to pixels, and from the pixels back to what they show.
from afterimage.stages.images import are_written
from afterimage.stages.stimuli import sources


include: "stimuli_common.smk"


rule draw_figure:
    input:
        **users(sources=of_plan(sources, "suite", "figure")),
    output:
        stimuli="<results>/stimuli/{suite}/{figure}/stimuli.parquet",
        measured="<results>/stimuli/{suite}/{figure}/measured.csv",
    log:
        "<results>/logs/draw_figure/{suite}/{figure}.log",
    wildcard_constraints:
        suite=any_of_figures(is_large=False),
    priority: urgency_of_drawing
    threads: threads_of_drawing
    resources:
        image_files="yes" if are_written(plan) else "no",
    params:
        **depends("draw_figure"),
        **ahead(sources=of_plan(sources, "suite", "figure")),
    message:
        "Drawing the stimuli of {wildcards.figure} ({wildcards.suite})"
    script:
        JOB


# The same where there are so many that on a cluster a job is worth its place in the queue.
use rule draw_figure as draw_large_figure with:
    wildcard_constraints:
        suite=any_of_figures(is_large=True),
    resources:
        image_files="yes" if are_written(plan) else "no",
        gpu=0,


# Images are files of their own only for people to look at: `afterimage images` writes them all, this rule one.
rule write_image:
    input:
        stimuli=stimuli_of_image,
    output:
        image="<results>/stimuli/{suite}/{figure}/{stimulus}.png",
    log:
        "<results>/logs/write_image/{suite}/{figure}/{stimulus}.log",
    wildcard_constraints:
        stimulus=r"[^/]+",
    params:
        **depends("write_image"),
    message:
        "Writing the image {wildcards.stimulus} ({wildcards.suite})"
    script:
        JOB


rule collect_measurements:
    input:
        figures=measurements_of_suite,
    output:
        measured="<results>/stimuli/{suite}/measured.csv",
    log:
        "<results>/logs/collect_measurements/{suite}.log",
    params:
        **depends("collect_measurements"),
    message:
        "Collecting the measurements of {wildcards.suite}"
    script:
        JOB
