"""Files beside stimuli, items and tables: the drawn scenes' annotations, the sampled questions in the official form."""
