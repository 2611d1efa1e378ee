"""Pages for people about drawn scenes."""
