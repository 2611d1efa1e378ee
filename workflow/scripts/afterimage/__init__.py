"""Afterimage: perception benchmarks for vision-language models, one file per number."""
