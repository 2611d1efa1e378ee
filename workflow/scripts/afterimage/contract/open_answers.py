"""Which answers no parser can call right or wrong: people or a judge score them."""

#: Their answer types.
OPEN_ANSWERS = ("description", "word_list")
