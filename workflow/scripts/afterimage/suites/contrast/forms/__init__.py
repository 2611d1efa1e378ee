"""Pages for people about contrast."""
