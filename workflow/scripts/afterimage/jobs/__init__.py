"""What one job does, from files to files. A suite, a figure, a backend or a table is found by its module name."""
