"""Tables: declared, worked out, laid out and written."""
