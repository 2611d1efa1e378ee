"""Who answers. Each module is one backend and is found by its module name, never through a registry.

A backend offers ``load(entry, suite) -> answer``: ``entry`` is the model's complete entry (model_id, revision,
settings, ...), ``answer`` takes requests and yields a :class:`~afterimage.models.interface.Reply` or a
:class:`~afterimage.models.interface.Failure` for each, in any order. Its settings have a schema in
``workflow/schemas/backends/<backend>.schema.yaml``.

Literals at a backend's top level say what it may see and use, and what becomes of its answers:

``READS_BESIDE = True``
    It gets what stands beside the request (item id, figure, options, factors). Real models never do.
``SUITE_MODULES = ("observer",)``
    It calls these modules of the suite; they are part of its code fingerprint.
``JOURNALED = False``
    Its answers are not kept in the journal: they come at once, for nothing, from code that changes.
``NEUTRAL_SETTINGS = ("batch_size",)``
    These settings cannot change an answer; a journaled one stands whatever they are.
"""
