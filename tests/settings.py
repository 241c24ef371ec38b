"""The site's own settings, with what tests need otherwise.

The same tests run on both back ends: `DATABASE_URL=postgres://postgres@127.0.0.1:5432/test pytest`. The tests' own
database is made beside the named one and called `test_...`; SQLite's is in memory.
"""
import os

# Whatever this machine's `.env` says, tests see the site as it comes.
os.environ |= {"DEBUG": "false", "HTTPS": "false", "EMAIL_URL": "consolemail://", "TIME_ZONE": "UTC"}

from config.settings import *  # noqa: F403
from config.settings import STORAGES

SECRET_KEY = "only-for-tests-" + "0" * 50
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # quick
STORAGES = {**STORAGES, "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
TRIALS = 0  # tables that visitors try need files: tests/test_trials.py has a folder for them
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
