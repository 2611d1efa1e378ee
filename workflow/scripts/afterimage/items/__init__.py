"""Items: a question with options read back from its words, and probes, made of a suite's items to learn about the model."""
