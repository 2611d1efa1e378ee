"""What is asked about the images of a dataset: one module per variant."""
