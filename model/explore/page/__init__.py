"""The explorer as a page: served from this machine to this machine, or one file that needs nothing else.

The page is plain JavaScript without a framework: it is some lists, two pictures and a path, and what is not there needs
no updates, no licence and no build. It asks a `Views` for JSON, or finds the same JSON in itself.
"""
