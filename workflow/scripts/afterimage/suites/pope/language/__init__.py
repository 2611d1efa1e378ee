"""Names of things and how English and Chinese put them into a sentence: pure functions of data files."""
