"""One module per illusion, each with ``draw(strength, difference, nuisance) -> Drawing``.

Strength and difference are the signed fractions of the specification's section 9: (1, 0) is the
genuine figure, (1, 1) the fake, and strength 0 is always the control of the illusion's card.
Strengths in between follow the axis of section 9, which need not lead to the card's control as it
approaches 0.
"""
