# What is drawn, measured and written beside stimuli.
from afterimage.planning.checking import require_stimulus
from afterimage.stages.stimuli import sources


def all_stimuli():
    return [path for suite, figures in plan.figures.items() for path in stimuli_of(suite, figures)]


def all_measurements():
    return expand("<results>/stimuli/{suite}/measured.csv", suite=plan.suites)


def all_side_files():
    return [
        path
        for suite in plan.suites
        for files in plan.studied[suite].side_files.values()
        for path in files.outputs
    ]


def stimuli_of_image(wildcards):
    suite, figure = wildcards.suite, wildcards.figure
    checked(require_stimulus, plan, suite, figure, wildcards.stimulus)
    return f"<results>/stimuli/{suite}/{figure}/stimuli.parquet"


def measurements_of_suite(wildcards):
    return expand(
        "<results>/stimuli/{suite}/{figure}/measured.csv",
        suite=wildcards.suite,
        figure=plan.figures[wildcards.suite],
    )


# A drawing job of so many stimuli takes minutes.
STIMULI_WORTH_A_JOB = 2000


def any_of_figures(is_large):
    """Return a regular expression for a suite before the name of one of its figures, with few or with many stimuli."""

    def figures_of(suite):
        return [
            figure
            for figure in plan.figures[suite]
            if (len(plan.studied[suite].stimulus_ids(figure)) >= STIMULI_WORTH_A_JOB) == is_large
        ]

    pairs = (f"{re.escape(suite)}(?=/(?:{any_of(figures_of(suite))})/)" for suite in plan.suites)
    return "|".join(pairs) or any_of([])


def threads_of_drawing(wildcards):
    # Decoding photographs leaves Python's lock alone; drawing does not.
    return 4 if sources(plan, wildcards.suite, wildcards.figure) else 1


def urgency_of_drawing(wildcards):
    return URGENCY[wildcards.suite] + 1
