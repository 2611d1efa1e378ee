"""Benchmarks. Each sub-package is one suite and is found by its module name, never through a registry."""
