"""Fixtures of the tests that need a host of their own and service workers."""

import pytest
from hosting import hosting
from waiting import PATIENCE_MS


@pytest.fixture
def host(built_site):
    with hosting(built_site) as host:
        yield host


@pytest.fixture
def visitor(browser):
    """Return a function that gives a new learner's browser, with service workers."""
    contexts = []

    def new(**options):
        context = browser.new_context(viewport={"width": 1440, "height": 900}, **options)
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        return context

    yield new
    for context in contexts:
        context.close()
