"""The suite's charts: finished tables in, a matplotlib figure out."""
