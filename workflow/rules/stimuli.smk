# Parameters to pixels, and from the pixels back to what they show.

for suite, figures in plan.figures.items():
    for figure in figures:
        images = checked(plan.sources, suite, figure)

        rule:
            name:
                f"draw_{suite}_{figure}"
            input:
                **users(sources=images),
            output:
                stimuli=f"<results>/stimuli/{suite}/{figure}/stimuli.parquet",
                measured=f"<results>/stimuli/{suite}/{figure}/measured.csv",
            log:
                f"<results>/logs/draw_figure/{suite}/{figure}.log",
            priority: URGENCY[suite] + 1
            # Decoding photographs leaves Python's lock alone; drawing does not.
            threads: 4 if images else 1
            resources:
                image_files="yes" if plan.image_files else "no",
            params:
                **depends("draw_figure", suite=suite, figure=figure),
                **ahead(sources=images),
            message:
                f"Drawing the stimuli of {figure} ({suite})"
            script:
                "../scripts/job.py"


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
        "../scripts/job.py"


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
        "../scripts/job.py"
