"""From pixels to what they show: what the suites' observers share. Knows no suite and nothing that draws."""
