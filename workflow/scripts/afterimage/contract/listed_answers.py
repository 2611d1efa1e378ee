"""Which questions list their options, so that an answer has a place among them."""

#: Answer types whose replies name an option; all others (yes or no, numbers, free text) have no order of options.
LISTED_ANSWERS = ("choice", "choice_last_line", "lettered_choice", "numbered_option", "roman")
