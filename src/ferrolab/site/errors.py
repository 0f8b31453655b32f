"""Errors of the site's build and server, each one readable sentence for a person at a terminal."""


class SiteError(Exception):
    """The site cannot be built or served; the message says what to do about it."""


class LockError(SiteError):
    """The lock itself is malformed: a field is missing, unknown or of the wrong form."""


class FetchError(SiteError):
    """No source of a locked file could be reached, or none of them carries the file."""


class HashError(SiteError):
    """A source delivered a file whose sha256 is not the locked one."""


class RuntimeCheckError(SiteError):
    """Python inside Pyodide did not do what the build asked of it."""
