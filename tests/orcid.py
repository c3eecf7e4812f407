"""A stand-in for ORCID on this machine: as much of OpenID Connect as signing in needs."""

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt


class Orcid:
    """Runs until closed; `answer` is what a person does on the consent page: "allow", "deny" or "break"."""

    IDENTIFIER = "0000-0002-1825-0097"

    def __init__(self):
        self.answer = "allow"
        self.clients = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        threading.Thread(target=self._server.serve_forever, args=[0.02], daemon=True).start()

    @property
    def address(self):
        return f"http://127.0.0.1:{self._server.server_port}"

    def close(self):
        self._server.shutdown()
        self._server.server_close()

    def configuration(self):
        return {
            "issuer": self.address,
            "authorization_endpoint": f"{self.address}/oauth/authorize",
            "token_endpoint": f"{self.address}/oauth/token",
            "userinfo_endpoint": f"{self.address}/oauth/userinfo",
            "jwks_uri": f"{self.address}/oauth/jwks",
            "token_endpoint_auth_methods_supported": ["client_secret_post"],
        }

    def led_back(self, query):
        """Return where the browser goes after the consent page."""
        answer = {"error": "access_denied"} if self.answer == "deny" else {"code": "once"}
        return f"{query['redirect_uri'][0]}?{urlencode(answer | {'state': query['state'][0]})}"

    def token(self, fields):
        self.clients.append((fields["client_id"][0], fields["client_secret"][0]))
        now = int(time.time())
        claims = {
            "iss": self.address,
            "aud": fields["client_id"][0],
            "sub": self.IDENTIFIER,
            "given_name": "Josiah",
            "family_name": "Carberry",
            "iat": now,
            "exp": now + 600,
        }
        return {
            "access_token": "token",
            "token_type": "bearer",
            "id_token": jwt.encode(claims, "a key of thirty-two bytes or more, for tests", algorithm="HS256"),
        }

    def _handler(orcid):  # noqa: N805 - the handler's own self is another
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                address = urlsplit(self.path)
                if address.path == "/oauth/authorize":
                    self.send_response(302)
                    self.send_header("Location", orcid.led_back(parse_qs(address.query)))
                    self.end_headers()
                else:
                    self.reply(orcid.configuration())

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                if orcid.answer == "break":
                    self.send_error(500)
                else:
                    self.reply(orcid.token(parse_qs(body)))

            def reply(self, answer):
                body = json.dumps(answer).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *arguments):
                """Say nothing."""

        return Handler
