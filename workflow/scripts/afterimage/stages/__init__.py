"""The features: what each kind of job depends on and what it does, from files to files."""
