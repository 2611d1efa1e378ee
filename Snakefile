# Afterimage: every number of a paper is a file that can be named, remade and explained.
from snakemake.utils import min_version

min_version("9.27")


configfile: "config.yaml"


report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"
include: "workflow/rules/stimuli.smk"
include: "workflow/rules/human.smk"
include: "workflow/rules/items.smk"
include: "workflow/rules/inference.smk"
include: "workflow/rules/grading.smk"
include: "workflow/rules/tables.smk"
include: "workflow/rules/figures.smk"


rule all:
    default_target: True
    input:
        all_tables(),
        all_charts(),
        all_measurements(),


# Draw and nothing else, for large sets: snakemake --cores 8 stimuli
rule stimuli:
    input:
        all_stimuli(),
