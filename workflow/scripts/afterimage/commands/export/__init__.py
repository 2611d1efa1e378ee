"""``afterimage export``: a study's answers in the form of other collections."""
