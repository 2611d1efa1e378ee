"""Charts and pages of images: their look, their parts, their files."""
