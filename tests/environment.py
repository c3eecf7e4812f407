"""The environment of the tests, set before Django reads its settings, so that no .env of a developer gets in."""

import gc
import os
import sys
import tempfile
from pathlib import Path

FOLDER = Path(os.environ.setdefault("LIMELIGHT_TEST_FOLDER", tempfile.mkdtemp(prefix="limelight-tests-")))

ENVIRONMENT = {
    "DEBUG": "false",
    "SECRET_KEY": "only-for-the-tests-and-long-enough-to-pass-the-deployment-check-0123456789",
    "ALLOWED_HOSTS": "localhost,127.0.0.1,testserver",
    "CSRF_TRUSTED_ORIGINS": "",
    "HOST": "127.0.0.1",
    "PORT": "8000",
    "SITE_URL": "http://testserver",
    "DATA_DIR": str(FOLDER / f"data-{os.environ.get('PYTEST_XDIST_WORKER', 'main')}"),
    "HTTPS": "false",
    "BEHIND_PROXY": "false",
    "TIME_ZONE": "UTC",
    "LOG_LEVEL": "ERROR",
    "EMAIL_URL": "memorymail://",
    "EMAIL_TIMEOUT": "10",
    "DEFAULT_FROM_EMAIL": "limelight@localhost",
    "ORCID_CLIENT_ID": "",
    "ORCID_SECRET": "",
    "ORCID_URL": "https://orcid.org",
    "UPLOAD_LIMIT_MB": "100",
    "WEB_PROCESSES": "2",
    "WEB_THREADS": "4",
    "WORKER_PROCESSES": "2",
}
os.environ.update(ENVIRONMENT)
os.environ["DATABASE_URL"] = f"sqlite:///{ENVIRONMENT['DATA_DIR']}/limelight.sqlite3"
os.environ["REDIS_URL"] = ""

# A run starts hundreds of processes: none of them should compile everything anew, whatever the environment says.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Tests make and drop thousands of objects, none of them in cycles that matter: looking for those less often is quicker.
gc.set_threshold(100_000, 50, 50)
