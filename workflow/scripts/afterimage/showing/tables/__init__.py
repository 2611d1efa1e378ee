"""Tables: declared, computed, laid out and written."""
