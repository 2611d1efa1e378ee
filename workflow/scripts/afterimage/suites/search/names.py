"""What the suite's parts call things. Standard library only."""

#: What tells the target from the other items: one feature, or two that only the target joins.
CONDITIONS = ("colour", "shape", "conjunction", "configuration")
#: Of the target; where there is none, the place in which its twin image has one is no factor.
QUADRANTS = ("upper left", "upper right", "lower left", "lower right")
PRESENT, ABSENT = "present", "absent"
#: What a prompt can ask.
QUESTIONS = ("present", "quadrant")
#: Answers to the first question.
YES, NO = "Yes", "No"
#: Pairs of images with the same places, per condition and set size; and into how many groups they fall, in each of
#: which the target is in each quadrant once.
REPLICATES, GROUPS = 16, 4
#: At how many items what binding costs is read off.
BINDING_SET_SIZE = 32
