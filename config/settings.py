"""Settings: one code path, two configurations, chosen by environment variables alone (docs/operating.md lists them)."""

import os
import sys
from ipaddress import ip_address
from pathlib import Path

import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

BASE_DIR = Path(__file__).resolve().parent.parent

env = environ.Env()
environ.Env.read_env(BASE_DIR / ".env", overwrite=False)

# Where we run ---------------------------------------------------------------------------------------------------------

DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = env.str("SECRET_KEY", default="")
if not SECRET_KEY:
    raise ImproperlyConfigured(
        "SECRET_KEY is not set. Put a long random string into the environment or into .env "
        "(script/server writes one for you on a machine that has no .env yet)."
    )
if not DEBUG and (len(SECRET_KEY) < 50 or len(set(SECRET_KEY)) < 10):
    raise ImproperlyConfigured(
        "SECRET_KEY can be guessed: with DEBUG=false it needs at least 50 characters, ten of them different. "
        "Make one: python3 -c 'import secrets; print(secrets.token_urlsafe(50))'"
    )

HOST = env.str("HOST", default="127.0.0.1")
PORT = env.int("PORT", default=8000)


def is_loopback(host):
    """Return whether only this machine can reach a server bound to this host."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


# Where people find the site: for links in mail, and for what other sites keep.
SITE_URL = env.str("SITE_URL", default=f"http://{f'[{HOST}]' if ':' in HOST else HOST}:{PORT}").rstrip("/")

ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

# The demo accounts have public passwords: they exist, and can sign in, only where nobody else can reach them.
DEMO_ACCOUNTS = DEBUG and is_loopback(HOST)

# Files ----------------------------------------------------------------------------------------------------------------

DATA_DIR = Path(env.str("DATA_DIR", default=str(BASE_DIR / "var"))).resolve()
MEDIA_ROOT = DATA_DIR / "files"
TEMPORARY_DIR = DATA_DIR / "temporary"
MEDIA_URL = "/files/"  # never served: downloads go through views that ask who may see them
UPLOAD_LIMIT_MB = env.int("UPLOAD_LIMIT_MB", default=100)
FILE_UPLOAD_HANDLERS = [
    "config.uploads.LimitUploadHandler",
    "config.uploads.SpoolingUploadHandler",
]
DATA_UPLOAD_MAX_MEMORY_SIZE = 2_500_000
FILE_UPLOAD_PERMISSIONS = 0o600
FILE_UPLOAD_DIRECTORY_PERMISSIONS = 0o700

# Applications ---------------------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "campaign",
    "assessments",
    "evaluation",
    "config.administration.AdministrationConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "allauth",
    "allauth.account",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "django_htmx",
    "csp",
    "ninja",
]

MIDDLEWARE = [
    "campaign.shared_pages.shared_pages",
    "config.headers.careful_headers",
    "config.errors.answers_of_the_api",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "campaign.reviewing.reviewers",
    "django_htmx.middleware.HtmxMiddleware",
    "config.errors.our_not_found_page",
    "config.faults.Faults",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "campaign.navigation.navigation",
            ],
        },
    },
]

# Database -------------------------------------------------------------------------------------------------------------

DATABASES = {"default": env.db_url("DATABASE_URL", default=f"sqlite:///{DATA_DIR / 'limelight.sqlite3'}")}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;",
    }
else:
    DATABASES["default"] |= {"CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}
    DATABASES["default"].setdefault("OPTIONS", {}).setdefault("connect_timeout", 5)  # seconds
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# The queue: rows are the record, messages only wake a worker ----------------------------------------------------------

REDIS_URL = env.str("REDIS_URL", default="")
WORKER_PROCESSES = env.int("WORKER_PROCESSES", default=2)
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
WEB_PROCESSES = env.int("WEB_PROCESSES", default=CORES)
WEB_THREADS = env.int("WEB_THREADS", default=8)
QUEUE_DIR = DATA_DIR / "queue"

CELERY_BROKER_URL = REDIS_URL or "folder://localhost"
CELERY_BROKER_TRANSPORT_OPTIONS = (
    {
        # Lost messages come back after the hard limit; a broker that is away may not hold up a page.
        "visibility_timeout": 900,
        "unacked_restore_interval": 10,
        "unacked_restore_throttle": 1,
        "socket_timeout": 5,
        "socket_connect_timeout": 2,
    }
    if REDIS_URL
    else {"folder": str(QUEUE_DIR), "polling_interval": 0.05}
)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_DEFAULT_QUEUE = "limelight"
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_SOFT_TIME_LIMIT = 540
CELERY_TASK_TIME_LIMIT = 600
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_MAX_TASKS_PER_CHILD = 500
CELERY_WORKER_MAX_MEMORY_PER_CHILD = 600_000  # kB
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_SEND_TASK_EVENTS = False

# Caches: shared by all processes. Limits are counted in the default one, which does without Redis while that is away;
# through the other one workers answer pages, which have to know when it is away --------------------------------------

if REDIS_URL:
    CACHES = {
        "default": {"BACKEND": "config.caching.LimitsCache", "LOCATION": REDIS_URL},
        "answers": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": REDIS_URL,
            "OPTIONS": {"socket_connect_timeout": 1, "socket_timeout": 2},
        },
    }
else:
    table = {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "limelight_cache",
        "OPTIONS": {"MAX_ENTRIES": 10_000},
    }
    CACHES = {"default": table, "answers": table}

# People ---------------------------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "campaign.User"
AUTHENTICATION_BACKENDS = ["campaign.backends.AccountBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"

BEHIND_PROXY = env.bool("BEHIND_PROXY", default=False)
ALLAUTH_TRUSTED_PROXY_COUNT = 1 if BEHIND_PROXY else 0
ACCOUNT_ADAPTER = "campaign.adapters.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "username*", "password1*"]
ACCOUNT_FORMS = {
    "login": "campaign.forms.accounts.SignInForm",
    "signup": "campaign.forms.accounts.SignUpForm",
    "add_email": "campaign.forms.accounts.NewAddressForm",
    "reset_password": "campaign.forms.accounts.ForgottenForm",
    "reauthenticate": "campaign.forms.accounts.OnceMoreForm",
}
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = "[Limelight] "
ACCOUNT_LOGOUT_REDIRECT_URL = "home"
ACCOUNT_USERNAME_MIN_LENGTH = 2
# Each address that fails ten times a minute, and each account five times in five minutes from one network, has to wait
# (campaign.sign_in says how accounts, networks and known devices are told apart).
ACCOUNT_RATE_LIMITS = {"login": "60/m/ip", "login_failed": "10/m/ip,5/300s/key", "signup": "20/m/ip"}

# ORCID speaks OpenID Connect; it is offered where the site has been registered with it.
ORCID_URL = env.str("ORCID_URL", default="https://orcid.org")
ORCID_CLIENT_ID = env.str("ORCID_CLIENT_ID", default="")
ORCID_SECRET = env.str("ORCID_SECRET", default="")
SOCIALACCOUNT_ADAPTER = "campaign.adapters.OrcidAdapter"
SOCIALACCOUNT_FORMS = {"signup": "campaign.forms.accounts.OrcidSignUpForm"}
SOCIALACCOUNT_EMAIL_VERIFICATION = "mandatory"
SOCIALACCOUNT_PROVIDERS = {
    "openid_connect": {
        "APPS": [
            {
                "provider_id": "orcid",
                "name": "ORCID",
                "client_id": ORCID_CLIENT_ID,
                "secret": ORCID_SECRET,
                "settings": {"server_url": ORCID_URL, "fetch_userinfo": False, "scope": ["openid"]},
            }
        ]
        if ORCID_CLIENT_ID
        else []
    }
}

_mail = env.email_url("EMAIL_URL", default="consolemail://")
EMAIL_BACKEND = _mail["EMAIL_BACKEND"]
EMAIL_HOST, EMAIL_PORT = _mail["EMAIL_HOST"], _mail["EMAIL_PORT"]
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = _mail["EMAIL_HOST_USER"], _mail["EMAIL_HOST_PASSWORD"]
EMAIL_USE_TLS, EMAIL_USE_SSL = _mail.get("EMAIL_USE_TLS", False), _mail.get("EMAIL_USE_SSL", False)
EMAIL_FILE_PATH = _mail["EMAIL_FILE_PATH"]
EMAIL_TIMEOUT = env.int("EMAIL_TIMEOUT", default=10)  # seconds; a mail server that hangs is one that is away
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="limelight@localhost")

# Language and time ----------------------------------------------------------------------------------------------------

LANGUAGE_CODE = "en-gb"
TIME_ZONE = env.str("TIME_ZONE", default="UTC")
USE_TZ = True

# Static files: no build step; what others wrote lies under static/vendor, with its licence ---------------------------

STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
]
WHITENOISE_USE_FINDERS = DEBUG
WHITENOISE_KEEP_ONLY_HASHED_FILES = True
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "config.static_storage.StaticStorage"
    },
}

# Safety ---------------------------------------------------------------------------------------------------------------

HTTPS = env.bool("HTTPS", default=not DEBUG)
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if BEHIND_PROXY else None
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS
SECURE_HSTS_PRELOAD = HTTPS
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
CSRF_FAILURE_VIEW = "config.errors.csrf_failure"
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:", "blob:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        # Chromium also holds the addresses against it to which a sent form is led on.
        "form-action": [SELF, ORCID_URL] if ORCID_CLIENT_ID else [SELF],
        "frame-ancestors": [NONE],
    }
}

# Logging --------------------------------------------------------------------------------------------------------------

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"once": {"()": "config.logs.OncePerCause"}},
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "stream": sys.stderr,
            "formatter": "line",
            "filters": ["once"],
        }
    },
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", default="WARNING")},
    "loggers": {"django": {"handlers": [], "propagate": True}},
}
