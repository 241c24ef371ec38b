"""The site's own settings with two bare views beside it."""
from config.settings import *  # noqa: F403
from config.settings import INSTALLED_APPS, STORAGES

SECRET_KEY = "only-to-measure-" + "0" * 50
DEBUG = False
ALLOWED_HOSTS = ["localhost"]
HTTPS = SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = False
INSTALLED_APPS = [*INSTALLED_APPS, "bench"]
# By their plain names: nothing has to be collected first.
STORAGES = {**STORAGES, "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
ROOT_URLCONF = "bench.bare"
