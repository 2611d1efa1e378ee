"""What a study will make, and what each job depends on; read whenever the Snakefile is parsed."""
