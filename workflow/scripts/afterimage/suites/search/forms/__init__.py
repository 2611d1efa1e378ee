"""Pages for people about search."""
