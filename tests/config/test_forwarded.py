"""Whether a request came over https is the proxy's to say, where there is one, and nobody else's."""

import http.client
import subprocess
import sys

import pytest

from tests.environment import ENVIRONMENT
from tests.folders import ROOT
from tests.services.site import free_port, wait_until

pytestmark = pytest.mark.slow

WEB_SERVER = """
import os, django
django.setup()
from evaluation.management.commands.serve import children
command = children("127.0.0.1", {port})[0].command
os.execv(command[0], command)
"""


@pytest.fixture
def web_server(tmp_path, request):
    port = free_port()
    changes = {"DEBUG": "true", "HTTPS": "true", "BEHIND_PROXY": request.param, "DATA_DIR": str(tmp_path)}
    process = subprocess.Popen(
        [sys.executable, "-c", WEB_SERVER.format(port=port)],
        cwd=ROOT,
        env={**ENVIRONMENT, **changes, "DJANGO_SETTINGS_MODULE": "config.settings", "PATH": ""},
    )
    wait_until(lambda: status(port, "/healthz") == 200, message="an answer of the web server")
    yield port
    process.terminate()
    process.wait(10)


def status(port, address, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", address, headers=headers)
        return connection.getresponse().status
    except OSError:
        return None
    finally:
        connection.close()


@pytest.mark.parametrize(("web_server", "expected"), [("false", 301), ("true", 404)], indirect=["web_server"])
def test_https_is_believed_only_behind_a_proxy(web_server, expected):
    for header in ("X-Forwarded-Proto", "X-Forwarded-Protocol", "X-Forwarded-Ssl"):
        value = "on" if header.endswith("Ssl") else "ssl" if header.endswith("Protocol") else "https"
        answered = status(web_server, "/nowhere", **{header: value})
        assert answered == (expected if header == "X-Forwarded-Proto" else 301), header
