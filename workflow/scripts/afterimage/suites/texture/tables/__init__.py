"""The suite's results tables, one module each, so that a change in one remakes that table alone."""
