"""Pages for people about hidden digits."""
