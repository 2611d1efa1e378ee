"""Pages for people: words for objects, words to accept, questions to answer, models' words to judge (appendix A)."""
