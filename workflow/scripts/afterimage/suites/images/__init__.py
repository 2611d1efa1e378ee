"""Own images without code: a folder of pictures and a CSV of questions is a suite."""
