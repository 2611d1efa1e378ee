"""What a study will ask, cost and take, before anything is asked (docs/registry.md, "Before a run").

``contents``    the requests of an items file, with their estimated tokens
``beforehand``  images and questions of a study before anything is drawn
``answers``     answers that are wanted, those that are there, and what an answer takes
``journaled``   how fast a model has answered so far, and which of its answers no longer serve
``counting``    what is there, what is to be asked, what it costs
``detectable``  how small a difference a study can find
``command``     the command ``afterimage plan``
"""
