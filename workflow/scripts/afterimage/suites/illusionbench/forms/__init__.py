"""Pages for people: the questions themselves, scores of descriptions, and the review of judged answers."""
