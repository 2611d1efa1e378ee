"""People's answers: from a file of raw responses to modal answers and decisions; knows no suite."""
