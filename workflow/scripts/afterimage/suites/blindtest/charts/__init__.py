"""The suite's charts, one module each: finished tables in, a matplotlib figure out."""
