"""Settings. What differs by machine comes from the environment or from `.env`; docs/operating.md lists it."""
from __future__ import annotations

from pathlib import Path

from csp.constants import NONE, SELF

from config.environment import read_file
from config.logs import logging_settings

BASE_DIR = Path(__file__).resolve().parent.parent

env = read_file(BASE_DIR / ".env")

DEBUG = env.bool("DEBUG", default=False)
# Empty until the first start makes one: commands that need no secret run without, a server refuses to.
SECRET_KEY = env.str("SECRET_KEY", default="")
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "csp",
    "django_tasks",
    "django_tasks_db",
    "rules",
    "jobs",
    "accounts",
    "campaigns",
    "schedule",
    "characters",
    "play",
    "news",
    "config",
]

MIDDLEWARE = [
    "config.middleware.tell",
    "django.middleware.security.SecurityMiddleware",
    "config.middleware.refuse_foreign",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.middleware.keep_private",
    "config.trials.door.own_table",
    "config.middleware.Sessions",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "config.middleware.own_time",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "config.middleware.lead_up",
    "config.room.reads_only",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": False,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "accounts.contexts.me",
                "django.contrib.messages.context_processors.messages",
                "accounts.contexts.registration",
                "config.trials.views.trials",
            ],
            "builtins": ["campaigns.templatetags.site"],
        },
    }
]

DATABASES = {"default": env.database("DATABASE_URL", default=f"sqlite:///{BASE_DIR / 'data' / 'table.sqlite3'}")}
# Each thread keeps its connection, and looks before a request whether it still works. SQLite's last connection to be
# closed empties the write-ahead log and deletes it: that costs more than a roll, and a full disk can't be read then.
DATABASES["default"] |= {"CONN_MAX_AGE": None, "CONN_HEALTH_CHECKS": True}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["ENGINE"] = "config.sqlite"
    # IMMEDIATE takes the write lock at the start, so that two writers wait instead of failing.
    # FULL, because a WAL with NORMAL may lose the last commits when the power goes.
    DATABASES["default"].setdefault("OPTIONS", {}).update({
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL;PRAGMA synchronous=FULL;PRAGMA foreign_keys=ON;",
    })
else:
    DATABASES["default"]["ENGINE"] = "config.postgresql"
    # Who waits for a server that is gone is told so after five seconds, whether it was asked already or not.
    DATABASES["default"]["OPTIONS"] = {
        "connect_timeout": 5, "tcp_user_timeout": 5000, "keepalives_idle": 5, "keepalives_interval": 2,
        **DATABASES["default"].get("OPTIONS", {}),
    }
# Streams hear of entries by LISTEN. Where the database is behind a pooler that shares connections between transactions,
# they go past it, and no cursor of the server outlives a transaction.
NOTIFIES, LISTEN_URL = env.listening("LISTEN_URL")
DATABASES["default"]["DISABLE_SERVER_SIDE_CURSORS"] = bool(LISTEN_URL)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
BACKUPS = env.str("BACKUPS", default="")  # the folder for those of every night; without one there are none

AUTH_USER_MODEL = "accounts.User"
PASSWORD_HASHERS = ["accounts.hashing.TwoAtATime"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"

# Who may make an account: everybody, whoever follows an invitation that works, or nobody.
REGISTRATION = env.one_of("REGISTRATION", "open", "invite", "closed")
SIGN_UPS_AN_HOUR = env.int("SIGN_UPS_AN_HOUR", default=10)  # from one address
TRIALS = env.int("TRIALS", default=30)  # tables that visitors try without an account, at once; 0 for none
TRIALS_AN_HOUR = env.int("TRIALS_AN_HOUR", default=3)  # from one address
TRIALS_FOLDER = env.str("TRIALS_FOLDER", default="")  # where their files are; beside the database's file without one
# Room on this server, 0 for as much as one likes (`campaigns.budgets`, `config.room`).
MOST_CAMPAIGNS = env.int("MOST_CAMPAIGNS", default=50)  # that one account owns
MOST_ENTRIES = env.int("MOST_ENTRIES", default=500_000)  # of one campaign
LEDGER_MB = env.int("LEDGER_MB", default=1000)  # of the entries of one campaign
ACCOUNT_MB = env.int("ACCOUNT_MB", default=5000)  # of all campaigns that one account owns, pictures with them
STREAMS_PER_CAMPAIGN = env.int("STREAMS_PER_CAMPAIGN", default=200)  # live pages that are open at once, in one process
STREAMS_PER_PERSON = env.int("STREAMS_PER_PERSON", default=20)  # the same of one account
MOST_INVITATIONS = env.int("MOST_INVITATIONS", default=50)  # links of one campaign that are open at once
PICTURES_MB = env.int("PICTURES_MB", default=500)  # of one campaign
# Who brings campaigns in by a page: the operator, for whomever they name, or everyone, for themselves.
IMPORTS = env.one_of("IMPORTS", "operator", "everyone")
IMPORTS_AN_HOUR = env.int("IMPORTS_AN_HOUR", default=3)  # of one account
LEAST_DISK_MB = env.int("LEAST_DISK_MB", default=100)  # below it the site is only read
LARGEST_DATABASE_MB = env.int("LARGEST_DATABASE_MB", default=0)  # with PostgreSQL: from this size on the same
INVITATION_CHECK = "campaigns.invitations.leads_in"  # by name: accounts know nothing of campaigns

FORM_RENDERER = "accounts.widgets.Widgets"

LANGUAGE_CODE = "en-gb"
TIME_ZONE = env.zone("TIME_ZONE", default="UTC")
USE_I18N = True
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = BASE_DIR / "staticfiles"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "config.joining.JoinedFiles"
    },
}
WHITENOISE_KEEP_ONLY_HASHED_FILES = True  # pages name no others
# What each page wants is two files, made when static files are collected; `{% joined %}` names them.
FOR_PRINT = "css/print.css"
JOINED_FILES = {
    "css/site.css": [
        "css/tokens.css", "css/elements.css", "css/frames.css", "css/components.css", "css/playing.css", "css/kit.css",
        FOR_PRINT,
    ],
    "js/pages.js": [
        "vendor/htmx/htmx.min.js", "vendor/htmx/idiomorph-ext.min.js", "js/lost.js", "js/offline.js",
        "js/dice.js", "js/live.js", "js/pressed.js", "js/tray.js", "js/now.js", "js/answered.js", "js/ears.js",
        "js/alerts.js", "js/stand.js", "js/composer.js", "js/place.js", "js/zone.js", "js/journal.js",
    ],
}

# Nothing from another host, nothing inline.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    }
}
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_ENGINE = "accounts.sessions"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_AGE = 60 * 60 * 24 * 60
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"

HTTPS = env.bool("HTTPS", default=False)
if HTTPS:
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = True
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = env.int("HSTS_SECONDS", default=31536000)
    SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = True

# Where people find the site: links in mails begin with it.
SITE_URL = env.str("SITE_URL", default="http://localhost:8000").rstrip("/")
EMAIL_CONFIG = env.mail("EMAIL_URL", default="consolemail://")
vars().update(EMAIL_CONFIG)
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="table@localhost")

# What is done outside requests stands in the database until a worker has done it.
TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend"}}

# Each form field may hold much prose; a request no more than a portrait.
DATA_UPLOAD_MAX_MEMORY_SIZE = 2_500_000
FILE_UPLOAD_MAX_MEMORY_SIZE = 6_000_000

# Whoever has this reads /metrics; nobody does without one.
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")

# To the console; one line for each request unless that is not wanted.
LOGGING = logging_settings(
    env.one_of("LOG_FORMAT", "text", "json"), requests=env.bool("LOG_REQUESTS", default=True))
