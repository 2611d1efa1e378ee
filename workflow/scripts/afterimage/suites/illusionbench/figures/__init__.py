"""What is drawn or read: one job makes the images of one figure.

Each module that a figure names offers ``specs(settings)`` and ``draw(parameters)``.
"""
