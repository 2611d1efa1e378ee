"""How images are drawn or read: one job makes the images of one figure, by ``draw`` of its module."""
