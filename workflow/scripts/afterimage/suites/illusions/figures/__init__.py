"""One function per illusion, ``(strength, difference, variant, shift) -> Drawing``; ``names.py`` says where.

Strength and difference are signed fractions (docs/illusion_figures.md, section 3): (1, 0) is the genuine figure,
(1, 1) the fake, and strength 0 is always the control of the illusion's card. Strengths in between follow the illusion's
own axis, which need not lead to the card's control as it approaches 0.
"""
