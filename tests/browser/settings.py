"""The site as a browser finds it: DEBUG off, hashed static files; they and the pictures lie in a folder of the test's.

`BROWSER_TESTS` is that folder.
"""
import os
from pathlib import Path

# Whatever this machine's `.env` says, tests see the site as it comes.
os.environ |= {"DEBUG": "false", "HTTPS": "false", "EMAIL_URL": "consolemail://", "TIME_ZONE": "UTC"}

from config.settings import *  # noqa: F403

SECRET_KEY = "only-for-tests-" + "0" * 50
ALLOWED_HOSTS = ["127.0.0.1"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # quick
SIGN_UPS_AN_HOUR = 10_000  # everybody in these tests comes from one address
STATIC_ROOT = Path(os.environ["BROWSER_TESTS"]) / "static"
ROOT_URLCONF = "tests.browser.urls"  # with the page of the kit
