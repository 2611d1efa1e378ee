"""Items: questions with options read back from their words; probes, items made from a suite's to study a model."""
