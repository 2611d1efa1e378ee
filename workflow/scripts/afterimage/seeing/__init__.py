"""From pixels to what they show: what the observers of the suites share. Knows no suite and nothing that draws."""
