"""A learning record store small enough to read: keeps what it is sent, and refuses what cmi5 would refuse."""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, quote, urlencode, urlsplit

TOKEN = "dG9rZW46"
ACTOR = {"objectType": "Agent", "account": {"homePage": "https://course.example", "name": "student-1"}}
REGISTRATION = "6e0b4d3a-8f0e-4d5b-9f63-7d2c2f0f0001"
TEMPLATE = {
    "contextActivities": {"grouping": [{"id": "https://course.example/publisher-id"}]},
    "extensions": {"https://w3id.org/xapi/cmi5/context/extensions/sessionid": "session-1"},
}


class Store(BaseHTTPRequestHandler):
    """Answers the token request, the state resource and the statements resource, across origins."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def _answer(self, code, body=b"", kind="application/json"):
        self.send_response(code)
        for name, value in {
            "Access-Control-Allow-Origin": self.headers.get("Origin", "*"), "Access-Control-Allow-Methods": "GET, PUT, POST",
            "Access-Control-Allow-Headers": "authorization, content-type, x-experience-api-version", "Content-Type": kind, "Content-Length": str(len(body)),
        }.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def do_OPTIONS(self):
        self._answer(204)

    def do_POST(self):
        if self.path == "/fetch" and not self.server.tokens_given.acquire(blocking=False):
            return self._answer(401, b'{"error-code": "1"}')  # a token is given once
        self._answer(200, json.dumps({"auth-token": TOKEN}).encode())

    def do_GET(self):
        self._resource(None)

    def do_PUT(self):
        self._resource(self.rfile.read(int(self.headers["Content-Length"])))

    def _resource(self, body):
        parts = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if self.headers.get("Authorization") != f"Basic {TOKEN}" or self.headers.get("X-Experience-API-Version") != "1.0.3":
            return self._answer(401)
        if parts.path == "/xapi/activities/state":
            key = query["stateId"], query["activityId"], query["registration"], query["agent"]
            if body is not None:
                self.server.states[key] = body
                return self._answer(204)
            if query["stateId"] == "LMS.LaunchData":
                return self._answer(200, json.dumps({"contextTemplate": TEMPLATE, "launchMode": self.server.launch_mode}).encode())
            kept = self.server.states.get(key)
            return self._answer(404) if kept is None else self._answer(200, kept, "text/plain")
        statement = json.loads(body)
        if parts.path != "/xapi/statements" or statement["id"] != query["statementId"]:
            return self._answer(400)
        self.server.statements.append(statement)
        self._answer(204)


@contextmanager
def record_store():
    """Give a running store: its `statements`, its `states`, and `launch(page)`, the address a course would open."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Store) as server:
        server.statements, server.states, server.launch_mode = [], {}, "Normal"
        server.tokens_given = threading.Semaphore(0)
        address = f"http://127.0.0.1:{server.server_address[1]}"

        def launch(page):
            server.tokens_given.release()
            query = {"endpoint": f"{address}/xapi/", "fetch": f"{address}/fetch", "actor": json.dumps(ACTOR), "registration": REGISTRATION, "activityId": "https://course.example/au/1"}
            return f"{page}?{urlencode(query, quote_via=quote)}"

        server.address, server.launch = address, launch
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()
