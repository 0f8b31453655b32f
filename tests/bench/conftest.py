"""The bench under `panel serve`, for the tests that drive it in Chromium."""

import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

import ferrolab.bench

MAIN = Path(ferrolab.bench.__file__).with_name("main.py")
START_SECONDS = 40


@pytest.fixture(scope="session")
def address():
    """Serve the bench on a free port and return its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "panel", "serve", str(MAIN), "--port", str(port), "--address", "127.0.0.1"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        url = f"http://127.0.0.1:{port}/main"
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                urllib.request.urlopen(url, timeout=10).close()
                break
            except (urllib.error.URLError, TimeoutError):
                if server.poll() is not None or time.monotonic() > deadline:
                    server.kill()
                    pytest.fail(f"panel serve did not start:\n{server.communicate()[0]}")
                time.sleep(0.2)
        yield url
    finally:
        server.terminate()
        server.communicate(timeout=10)
