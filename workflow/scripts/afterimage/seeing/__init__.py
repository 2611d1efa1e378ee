"""Pixels to what they show; knows no suite and no drawing."""
