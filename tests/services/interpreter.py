"""A Python that has loaded a site's Django, and runs each piece of code in a process that it forks for it.

Loading Django takes a second, which dozens of tests would each wait for.
"""

import json
import subprocess
import sys
import tempfile

from tests.folders import ROOT

LOOP = """
import django, json, os, sys, traceback
django.setup()
import config.urls  # and with it everything that code could ask for
for line in sys.stdin:
    code, *files = json.loads(line)
    child = os.fork()
    if not child:
        for number, file in enumerate(files, start=1):
            os.dup2(os.open(file, os.O_WRONLY), number)
        status = 0
        try:
            exec(code, {"__name__": "__main__", "django": django, "json": json})
        except BaseException:
            traceback.print_exc()
            status = 1
        sys.stdout.flush()
        os._exit(status)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


class Interpreter:
    """Started at the first piece of code; ends with its last user, when nobody can write to it any more."""

    def __init__(self, environment):
        self.environment = {**environment, "DJANGO_SETTINGS_MODULE": "config.settings", "PYTHONPATH": str(ROOT)}
        self.process = subprocess.Popen(
            [sys.executable, "-c", LOOP],
            cwd=ROOT,
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, code):
        """Run code and return what it printed; fail with its traceback."""
        with tempfile.NamedTemporaryFile("r") as printed, tempfile.NamedTemporaryFile("r") as complaints:
            print(json.dumps([code, printed.name, complaints.name]), file=self.process.stdin, flush=True)
            assert self.process.stdout.readline() == "0\n", complaints.read()
            return printed.read()

    def end(self):
        self.process.kill()
        self.process.communicate()
