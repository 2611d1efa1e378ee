"""The figures of the illusions and what is known about them: shared by the suites illusion_vqa and illusion_strength.

No suite itself. Which stimuli of these figures there are, and what their answers are compared with, is each suite's.
"""
