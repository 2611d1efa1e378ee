"""The tasks' images, one module each."""
