"""The plant API in Python, written from docs/http-api.md with the standard library.

Serves plants.json and tokens.json in a folder, as `plant-store verify --write-data`
writes them:

    python3 examples/python_server.py test-data 8000
"""

import hashlib
import json
import re
import sys
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qsl

CHALLENGE = 'Bearer realm="plant-store"'
MAX_LIMIT = 2147483647


class Rejected(Exception):
    """An error response."""

    def __init__(self, status, message, headers=None):
        super().__init__(message)
        self.status = status
        self.headers = headers or {}


def parse_limit(query):
    """Returns the limit, or None if there is none (section 3)."""
    values = [
        value
        for name, value in parse_qsl(query, keep_blank_values=True)
        if name == "limit"
    ]
    if not values:
        return None
    if len(values) > 1:
        raise Rejected(400, "limit must appear only once")
    value = values[0]
    if not re.fullmatch("[0-9]{1,10}", value) or int(value) > MAX_LIMIT:
        raise Rejected(400, f"limit must be an integer from 0 to {MAX_LIMIT}")
    return int(value)


class Store:
    """The plants and the users, with plain tokens (verify.md, "Test data")."""

    def __init__(self, folder):
        self.plants = json.loads((folder / "plants.json").read_text("utf-8"))
        users = json.loads((folder / "tokens.json").read_text("utf-8"))
        self.tokens = {}
        for user in users.values():
            for token in user["tokens"]:
                entry = {"token": token} if isinstance(token, str) else token
                self.tokens[entry["token"]] = (user, entry.get("expires"))

    def authenticate(self, token):
        user, expires = self.tokens.get(token, (None, None))
        if expires is not None:
            time = datetime.fromisoformat(expires)
            if time.tzinfo is None:
                time = time.replace(tzinfo=timezone.utc)
            if datetime.now(timezone.utc) >= time:
                return None
        return user

    def list(self, access):
        if access == "all":
            return self.plants
        tags, names = access.get("tags", []), access.get("names", [])
        return [
            plant
            for plant in self.plants
            if plant.get("tag") in tags or plant["name"] in names
        ]


class Handler(BaseHTTPRequestHandler):
    """Responds to requests in the order of section 10."""

    protocol_version = "HTTP/1.1"
    timeout = 30
    store = None

    def respond(self):
        # A body that is not read must not become the next request.
        if "Content-Length" in self.headers or "Transfer-Encoding" in self.headers:
            self.close_connection = True
        try:
            status, headers, body = self.route()
        except Rejected as error:
            body = {"error": error.status, "message": str(error)}
            headers = {"Cache-Control": "no-store", **error.headers}
            status = error.status
        self.write(status, headers, body)

    do_GET = do_HEAD = do_OPTIONS = do_POST = do_PUT = do_PATCH = do_DELETE = respond

    def route(self):
        if self.command == "OPTIONS":
            allowed = {"Access-Control-Allow-Headers": "Authorization, If-None-Match"}
            return 204, allowed, None
        path, _, query = self.path.partition("?")
        if path not in ("/plants", "/healthz", "/readyz"):
            raise Rejected(404, "Not found; try /plants")
        if self.command not in ("GET", "HEAD"):
            raise Rejected(405, "Method not allowed; use GET or HEAD", {"Allow": "GET, HEAD"})
        if path != "/plants":
            return 200, {"Cache-Control": "no-store"}, {"status": "ok"}
        return self.list(query)

    def list(self, query):
        scheme, _, token = self.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            raise Rejected(401, "Missing bearer token", {"WWW-Authenticate": CHALLENGE})
        user = self.store.authenticate(token)
        if user is None:
            challenge = CHALLENGE + ', error="invalid_token"'
            raise Rejected(401, "Invalid bearer token", {"WWW-Authenticate": challenge})
        limit = parse_limit(query)
        if user.get("behavior", {}).get("fail") == "100%":
            raise Rejected(503, "The plants are unavailable", {"Retry-After": "1"})
        plants = self.store.list(user["plants"])[:limit]
        etag = f'"{hashlib.sha256(encode(plants)).hexdigest()[:16]}"'
        headers = {
            "ETag": etag,
            "Cache-Control": "private, no-cache",
            "Vary": "Authorization",
        }
        known = self.headers.get("If-None-Match", "").replace("W/", "")
        if known == "*" or etag in re.split(", *", known):
            return 304, headers, None
        return 200, headers, plants

    def write(self, status, headers, body):
        self.send_response(status)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Access-Control-Allow-Origin", "*")
        exposed = "ETag, WWW-Authenticate, Retry-After"
        self.send_header("Access-Control-Expose-Headers", exposed)
        for name, value in headers.items():
            self.send_header(name, value)
        content = b"" if body is None else encode(body)
        if body is not None:
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, *_):
        pass


def encode(value):
    return json.dumps(value, ensure_ascii=False).encode("utf-8")


if __name__ == "__main__":
    usage = "Usage: python3 python_server.py FOLDER PORT"
    if "--help" in sys.argv:
        print(usage)
        sys.exit()
    if len(sys.argv) != 3 or not sys.argv[2].isdigit():
        sys.exit(usage)
    folder, port = sys.argv[1:]
    Handler.store = Store(Path(folder))
    server = ThreadingHTTPServer(("127.0.0.1", int(port)), Handler)
    print(f"Listening on http://127.0.0.1:{server.server_port}/plants", flush=True)
    server.serve_forever()
