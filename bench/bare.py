"""What anybody would write first in this framework: the yardstick. The middleware is the site's own."""
from __future__ import annotations

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.template import RequestContext, Template
from django.urls import include, path

from bench.models import Line

PAGE = Template(
    "{% extends frame %}{% block main %}<ol>"
    "{% for line in lines %}<li>{{ line.at }} {{ line.text }}</li>{% endfor %}"
    "</ol>{% endblock %}"
)
FEED = 12  # lines on a page, as many as the table shows entries


def page(request: HttpRequest) -> HttpResponse:
    """Session, user, one SELECT, and the rows in the site's own page frame."""
    lines = Line._default_manager.filter(user=request.user).order_by("-id")[:FEED]
    return HttpResponse(PAGE.render(RequestContext(request, {"frame": "shared/page.html", "lines": lines})))


def write(request: HttpRequest) -> HttpResponse:
    """Session, user, one SELECT, one INSERT, and a short answer."""
    with transaction.atomic():
        last = Line._default_manager.filter(user=request.user).order_by("-id").first()
        line = Line._default_manager.create(user=request.user, text=request.POST["text"])
    return HttpResponse(f"{last and last.pk}, {line.pk}")


urlpatterns = [
    path("bare/", page),
    path("bare/write/", write),
    path("", include("config.urls")),
]
