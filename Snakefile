# The workflow itself is workflow/Snakefile, where Snakemake's catalogue looks for it. `include:` would leave out its default
# target.
workflow.include("workflow/Snakefile", overwrite_default_target=True)
