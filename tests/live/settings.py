"""The tests' settings, with slow passwords and strangers, a long page, and writers that wait briefly."""
from tests.settings import *  # noqa: F403
from tests.settings import DATABASES

if "timeout" in DATABASES["default"]["OPTIONS"]:
    DATABASES["default"]["OPTIONS"]["timeout"] = 0.5

PASSWORD_HASHERS = ["tests.live.hashing.Slow"]
ROOT_URLCONF = "tests.live.urls"
SESSION_ENGINE = "tests.live.strangers"
