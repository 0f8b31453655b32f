"""Fail unless the junit report names enough browser tests that really ran: a suite that skips them proves nothing.

usage: python .ci/require_browser_tests.py report.xml
"""

import sys
from xml.etree import ElementTree

FEWEST = 20
"""Browser tests there must be at least; they carry the property `browser` (see tests/conftest.py)."""


def browser_tests(report: str) -> int:
    """Return how many passed test cases of the junit file `report` are marked as driving a browser."""
    ran = 0
    for case in ElementTree.parse(report).iter("testcase"):
        marked = any(item.get("name") == "browser" for item in case.iter("property"))
        ended_well = all(case.find(tag) is None for tag in ("skipped", "failure", "error"))
        ran += marked and ended_well
    return ran


def main() -> int:
    """Return the exit status."""
    ran = browser_tests(sys.argv[1])
    if ran < FEWEST:
        print(f"ferrolab: {ran} browser tests ran; there must be at least {FEWEST}", file=sys.stderr)
        return 1
    print(f"{ran} browser tests ran.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
