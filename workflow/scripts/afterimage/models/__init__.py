"""Who answers. Each module is one backend and is found by its module name, never through a registry.

A backend offers ``load(entry, suite) -> answer``: ``entry`` is the model's complete entry (model_id, revision,
settings, ...), ``answer`` takes requests and yields, in any order, a
:class:`~afterimage.models.interface.Reply` for each of a request's ``repeats``, or a
:class:`~afterimage.models.interface.Failure`. A job loads a model once and may call ``answer`` several times, since
some requests hold answers to others; ``entry["tokens_so_far"]`` is renewed before each call. Its settings have a schema
in ``workflow/schemas/backends/<backend>.schema.yaml``.

``asking`` is how jobs ask a backend, ``item_requests`` makes requests of items, ``progress`` shows how far a job is.

Literals at a backend's top level say what it may see and use, and what becomes of its answers:

``READS_BESIDE = True``
    It gets what stands beside the request (item id, figure, options, factors). Real models never do.
``SUITE_MODULES = ("observer",)``
    It calls these modules of the suite; they are part of its code fingerprint.
``JOURNALED = False``
    Its answers are not kept in the journal: they come at once, for nothing, from code that changes.
``REFERENCE = True``
    It is no model but a yardstick: no judge and no person looks at its answers, which the parsers read without fault.
``NEUTRAL_SETTINGS = ("batch_size",)``
    These settings cannot change an answer; a journaled one stands whatever they are.
"""
