"""The readers: a module for each answer type, found by its name; ``labels`` and ``presence_strict`` serve several.

A reader is ``parse(text, options)``. It takes a reply as received and the options as (id, text), as they were offered;
open questions offer none. It never raises, whatever the reply, and returns a
:class:`~afterimage.grading.parsed.Parsed`. A reader that also needs the question has
``parse_with_question(text, options, question)``.
"""
