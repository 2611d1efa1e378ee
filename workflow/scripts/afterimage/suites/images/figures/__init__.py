"""Where the images come from."""
