"""Who answers. Each module is one backend and is found by its module name, never through a registry.

A backend's module holds ``BACKEND``, a :class:`~afterimage.contract.model.Backend`: how it is loaded, what it may
see, and what becomes of its answers. ``load(entry, part)`` takes the model as a
:class:`~afterimage.contract.model.ModelEntry` and, for responders whose answers come from a suite's code, that part of
the suite; it returns ``answer``, which takes requests and yields, in any order, a
:class:`~afterimage.models.interface.Reply` for each of a request's ``repeats``, or a
:class:`~afterimage.models.interface.Failure`. A job loads a model once and may call ``answer`` several times, since
some requests hold answers to others. Its settings have a schema in
``workflow/schemas/backends/<backend>.schema.yaml``.

``asking`` is how jobs ask a backend, ``item_requests`` makes requests of items, ``progress`` shows how far a job is.
"""
