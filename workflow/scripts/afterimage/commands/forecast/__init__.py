"""What a study will ask, cost and take, before anything is asked (docs/registry.md, "Before a run").

``image_tokens``  how many tokens providers count for an image
``contents``      the requests of an items file, with their estimated tokens
``beforehand``    images and questions of a study of which nothing is drawn
``reasons``       which models think before they answer
``superseded``    answers that no longer serve after a change of the registry
``measured``      how fast a model has answered so far
``counting``      what is there, what is to be asked, what it costs
``command``       the command ``afterimage plan``
"""
