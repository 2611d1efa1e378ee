"""The one door: every rule runs this script, which calls the function of the package that the rule's stage names."""

from afterimage.stages.running import run_job

if __name__ == "__main__":
    run_job(snakemake)  # noqa: F821
