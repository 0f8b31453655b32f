"""The audit with its default options, computed once. The descent, which takes longest, has its own tests."""

import pytest

from ferrolab.audit.study import PARTS, study


@pytest.fixture(scope="session")
def audit():
    """Return the study of every part but the descent."""
    return study(only=[name for name in PARTS if name != "descent"])
