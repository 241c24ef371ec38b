"""The tests' settings, with passwords and strangers that take their time, and a page that is long."""
from tests.settings import *  # noqa: F403

PASSWORD_HASHERS = ["tests.live.hashing.Slow"]
ROOT_URLCONF = "tests.live.urls"
SESSION_ENGINE = "tests.live.strangers"
