"""What browser tests read of a bench, by role and name as a learner finds it."""

import re
from contextlib import contextmanager


class Screen:
    """One learner's page and the parts of it that the tests read."""

    def __init__(self, page):
        self.page = page
        self.troubles = []
        page.on("console", lambda message: message.type == "error" and self.troubles.append(message.text))
        page.on("pageerror", lambda error: self.troubles.append(str(error)))

    def open(self, url):
        self.page.goto(url)
        self.slider.wait_for()

    @property
    def slider(self):
        return self.page.get_by_role("slider", name="Contact stiffness", exact=True)

    def radio(self, name, group="Time step"):
        group = self.page.get_by_role("radiogroup", name=group, exact=True)
        return group.get_by_role("radio", name=name, exact=True)

    def button(self, name):
        return self.page.get_by_role("button", name=name, exact=True)

    @property
    def toggle(self):
        return self.button("Error tolerance")

    @property
    def sign(self):
        return self.page.get_by_role("group", name="Sign line", exact=True)

    def cell(self, header):
        return self.page.get_by_role("row", name=header).get_by_role("cell")

    def overflow(self):
        """Return by how many pixels the page is wider than its window."""
        return self.page.evaluate("() => document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth")

    def reads(self, locator, text):
        """Wait until `locator` reads `text`."""
        locator.filter(has_text=re.compile(text)).wait_for()


@contextmanager
def opened(browser, url):
    """Open the bench at `url` in a phone-wide window; the page must not have complained by the end."""
    context = browser.new_context(viewport={"width": 560, "height": 1000})
    context.set_default_timeout(20_000)
    screen = Screen(context.new_page())
    screen.open(url)
    yield screen
    context.close()
    assert screen.troubles == []
