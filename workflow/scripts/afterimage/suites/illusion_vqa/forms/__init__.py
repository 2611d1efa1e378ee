"""Pages for people: the two questions about the representative images (paper, section 2.2)."""
