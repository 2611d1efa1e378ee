"""People look again at what was judged automatically."""
