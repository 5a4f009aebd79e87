"""The plant API in Python, written from docs/http-api.md with the standard library.

Serves plants.json and tokens.json in a folder, as `plant-store verify --write-data`
writes them:

    python3 examples/python_server.py test-data 8000
"""

import hashlib
import ipaddress
import json
import re
import sys
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qsl

METHODS = "GET, HEAD, OPTIONS"
CHALLENGE = 'Bearer realm="plant-store"'
MAX_LIMIT = 2147483647
MAX_TARGET = 8192
MAX_HEAD = 16384
MAX_BODY = 1_000_000

# Section 2
CREDENTIALS = re.compile(r"bearer +([A-Za-z0-9\-._~+/]+=*)", re.IGNORECASE)
SCHEME = re.compile(r"bearer(?![!#$%&'*+\-.^_`|~0-9A-Za-z])", re.IGNORECASE)

# Section 4
HOST = re.compile(r"((?:[\w\-.~!$&'()*+,;=]|%[0-9A-Fa-f]{2})+|\[.*\])(?::[0-9]*)?", re.ASCII)


class Rejected(Exception):
    """An error response."""

    def __init__(self, status, message, headers=None):
        super().__init__(message)
        self.status = status
        self.headers = headers or {}


def is_valid_host(host):
    match = HOST.fullmatch(host)
    if not match or len(match[1]) > 255:
        return False
    name = match[1]
    if not name.startswith("["):
        return True
    try:
        ipaddress.IPv6Address(name[1:-1])
    except ValueError:
        return False
    return "%" not in name


def parse_target(target):
    """Returns the path, as browsers parse it, and the query (section 8)."""
    target = target.partition("#")[0]
    before, mark, query = target.partition("?")
    absolute = re.fullmatch(r"https?://[^/\\]+(.*)", before, re.IGNORECASE)
    path = (absolute[1] or "/") if absolute else before
    if not path.startswith(("/", "\\")):
        return None, query
    segments = []
    parts = path.replace("\\", "/").split("/")[1:]
    for index, part in enumerate(parts):
        is_last = index == len(parts) - 1
        name = re.sub("%2e", ".", part, flags=re.IGNORECASE)
        if name == "..":
            del segments[-1:]
        if name not in (".", ".."):
            segments.append(part)
        elif is_last:
            segments.append("")
    return decode("/" + "/".join(segments)), query


def decode(path):
    """Decodes percent-encoded letters, digits, and `-._~`."""

    def replace(match):
        character = chr(int(match[1], 16))
        return character if re.fullmatch(r"[A-Za-z0-9\-._~]", character) else match[0]

    return re.sub("%([0-9A-Fa-f]{2})", replace, path)


def parse_limit(query):
    """Returns the limit, or None if there is none (section 3)."""
    values = [
        value
        for name, value in parse_qsl(query, keep_blank_values=True, errors="replace")
        if name == "limit"
    ]
    if not values:
        return None
    if len(values) > 1:
        raise Rejected(400, "limit must appear only once")
    value = values[0]
    is_integer = re.fullmatch("0|[1-9][0-9]{0,9}", value)
    if not is_integer or int(value) > MAX_LIMIT:
        raise Rejected(400, f"limit must be an integer from 0 to {MAX_LIMIT}")
    return int(value)


def parse_etags(headers):
    """Returns the ETags of If-None-Match without their weakness (section 6)."""
    text = ", ".join(headers)
    if text.strip() == "*":
        return "*"
    return re.findall(r'(?:^|,)[ \t]*(?:W/)?("[^"]*")[ \t]*(?=,|$)', text)


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
        self.loaded_at = datetime.now(timezone.utc).isoformat()

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
        # BaseHTTPRequestHandler merges slashes at the start of `path`.
        self.target = self.requestline.split()[1]
        try:
            status, headers, body = self.route()
        except Rejected as error:
            body = {"error": error.status, "message": str(error)}
            headers = {"Cache-Control": "no-store", **error.headers}
            status = error.status
        self.write(status, headers, body)

    do_GET = do_HEAD = do_OPTIONS = do_POST = do_PUT = do_PATCH = respond
    do_DELETE = do_QUERY = do_PROPFIND = do_CONNECT = respond

    def handle_expect_100(self):
        # A response without reading the body closes the connection.
        self.close_connection = True
        return True

    def route(self):
        method, headers = self.command, self.headers
        self.check_head()
        is_preflight = (
            method == "OPTIONS"
            and "Origin" in headers
            and "Access-Control-Request-Method" in headers
        )
        if is_preflight:
            return 204, {
                "Access-Control-Allow-Methods": METHODS,
                "Access-Control-Allow-Headers": "Authorization, *",
                "Access-Control-Max-Age": "600",
            }, None
        if method == "CONNECT":
            raise Rejected(405, f"Method not allowed; use {METHODS}", {"Allow": METHODS})
        if len(self.target) > MAX_TARGET:
            raise Rejected(414, "Request target too long; send a shorter one")
        path, query = parse_target(self.target)
        is_known = path in ("/plants", "/healthz", "/readyz")
        if method == "OPTIONS" and (is_known or self.target == "*"):
            return 204, {"Allow": METHODS}, None
        if not is_known:
            raise Rejected(404, "Not found; try /plants")
        if method not in ("GET", "HEAD"):
            raise Rejected(405, f"Method not allowed; use {METHODS}", {"Allow": METHODS})
        if path == "/healthz":
            return 200, {"Cache-Control": "no-store"}, {"status": "ok"}
        if path == "/readyz":
            body = {"status": "ok", "loadedAt": self.store.loaded_at}
            return 200, {"Cache-Control": "no-store"}, body
        return self.list(query)

    def check_head(self):
        """Checks the size of the head, Host, the coding, and Expect, and skips the body."""
        headers = self.headers
        size = sum(len(name) + len(value) + 4 for name, value in headers.items())
        if len(self.requestline) + size > MAX_HEAD:
            raise self.close(431, "Request headers too large; send fewer or shorter headers")
        hosts = headers.get_all("Host", [])
        is_missing = not hosts and self.request_version == "HTTP/1.1"
        if is_missing or len(hosts) > 1 or any(not is_valid_host(host) for host in hosts):
            raise self.close(400, "Invalid Host header; expected a host with an optional port")
        codings = ", ".join(headers.get_all("Transfer-Encoding", []))
        if codings and codings.lower() != "chunked":
            raise self.close(400, "Unsupported transfer coding; use chunked")
        expect = headers.get("Expect")
        if expect is not None and expect.lower() != "100-continue":
            raise self.close(417, "Only `Expect: 100-continue` is supported")
        self.skip_body(codings)

    def close(self, status, message):
        self.close_connection = True
        return Rejected(status, message)

    def skip_body(self, codings):
        """Reads a short body, or closes the connection (section 11)."""
        lengths = self.headers.get_all("Content-Length", [])
        if any(not re.fullmatch("[0-9]{1,18}", each) for each in lengths):
            raise self.close(400, "Malformed HTTP request")
        if codings or len(lengths) > 1 or self.close_connection:
            self.close_connection = True
        elif lengths and int(lengths[0]) > MAX_BODY:
            self.close_connection = True
        elif lengths:
            self.rfile.read(int(lengths[0]))

    def list(self, query):
        authorization = ", ".join(self.headers.get_all("Authorization", []))
        match = CREDENTIALS.fullmatch(authorization)
        user = self.store.authenticate(match[1]) if match else None
        if user is None:
            is_bearer = len(authorization) > 6 and SCHEME.match(authorization)
            error = ', error="invalid_token"' if is_bearer else ""
            message = "Invalid bearer token" if is_bearer else "Missing bearer token"
            raise Rejected(401, message, {"WWW-Authenticate": CHALLENGE + error})
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
        known = parse_etags(self.headers.get_all("If-None-Match", []))
        if known == "*" or etag in known:
            return 304, headers, None
        return 200, headers, plants

    def write(self, status, headers, body):
        self.send_response(status)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Access-Control-Allow-Origin", "*")
        exposed = "ETag, WWW-Authenticate, Allow, Retry-After"
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
