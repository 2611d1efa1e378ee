"""Files beside stimuli, items and tables: what was left out of a user's data, and why."""
