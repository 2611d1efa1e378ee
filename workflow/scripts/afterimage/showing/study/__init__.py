"""Tables of no suite: how judges, reviews and models did over a whole study."""
