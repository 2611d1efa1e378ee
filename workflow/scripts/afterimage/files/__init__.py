"""The kinds of file that pass between stages, and the reading of others' files: JSON, CSV, Parquet, YAML, images."""
