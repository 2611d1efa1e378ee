# Parameters to pixels, and from the pixels back to what they show.

for suite, figures in plan.figures.items():
    for figure in figures:

        rule:
            name:
                f"draw_{suite}_{figure}"
            input:
                checked(plan.sources, suite, figure),
            output:
                images=figure_images(suite, figure),
                stimuli=f"results/stimuli/{suite}/{figure}/stimuli.parquet",
            log:
                f"results/logs/draw_figure/{suite}/{figure}.log",
            conda:
                "../../envs/stimuli.yaml"
            params:
                code=plan.drawing_code(suite, figure),
                spec=plan.drawing_spec(suite, figure),
            message:
                f"Drawing the stimuli of {figure} ({suite})"
            script:
                "../scripts/draw_figure.py"


rule measure_figure:
    input:
        images=images_of_figure,
        stimuli="results/stimuli/{suite}/{figure}/stimuli.parquet",
    output:
        "results/stimuli/{suite}/{figure}/measured.csv",
    log:
        "results/logs/measure_figure/{suite}/{figure}.log",
    conda:
        "../../envs/stimuli.yaml"
    params:
        code=measure_figure_code,
        spec=measure_figure_spec,
    message:
        "Measuring {wildcards.figure} ({wildcards.suite}) from its pixels"
    script:
        "../scripts/measure_figure.py"


rule collect_measurements:
    input:
        measurements_of_suite,
    output:
        "results/stimuli/{suite}/measured.csv",
    log:
        "results/logs/collect_measurements/{suite}.log",
    conda:
        "../../envs/tables.yaml"
    params:
        code=plan.script_code("collect_measurements", environment="tables"),
        spec={},
    message:
        "Collecting the measurements of {wildcards.suite}"
    script:
        "../scripts/collect_measurements.py"
