"""What the contests add up to: what a session taught, and what is so by now."""
from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse

from campaigns.access import Viewer, member_only
from campaigns.web import render_page
from play import queries, session_summary
from play.contexts.session_summary import awards_by_character, fact_rows, gain_rows, pool_of, session_tabs
from play.contexts.sessions import SpanContext, session_context


@member_only()
def experience(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """What was learned in a session and what was not, with the reasons, and what else moved the pool."""
    rule = viewer.campaign.rules.experience_rule
    if rule is None:
        raise Http404("This game counts no experience.")
    when = session_summary.span(viewer, request.GET.get("session", ""))
    awards = session_summary.awards(viewer, when)
    gains, more = session_summary.gains(viewer, when, rule.pool, {award.seq for award in awards})
    span = SpanContext(*map(session_context, (when.session, when.earlier, when.later)))
    context = {
        "viewer": viewer, "tabs": session_tabs(viewer, "experience"), "when": span, "most": rule.most,
        "pool": pool_of(viewer, rule.pool),
        "characters": awards_by_character(awards, session_summary.sheets(viewer, awards)),
        "gains": gain_rows(viewer, gains), "more": more,
    }
    return render_page(request, "play/experience.html", context)


@member_only()
def facts(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """What contests made true of the story, newest first, and what waits for a word."""
    kinds = session_summary.fact_kinds(viewer)
    if not kinds:
        raise Http404("This game keeps no facts.")
    asked = request.GET.get("before", "")
    before = int(asked[:9]) if asked.isdecimal() else 0
    accepted, older = session_summary.facts(viewer, before)
    waiting = [] if before else session_summary.waiting(viewer)
    who = session_summary.names(viewer, [*accepted, *waiting])
    context = {
        "viewer": viewer, "tabs": session_tabs(viewer, "facts"), "older": f"?before={older}" if older else "",
        "facts": fact_rows(accepted, who, session_summary.session_names(viewer, accepted)),
        "waiting": fact_rows(waiting, who, {}),
        "helps": [kind.fact_rule.help for kind in kinds.values() if kind.placement.offered],
        "startable": [kind for kind in queries.startable(viewer) if kind.name in kinds], "before": before,
    }
    return render_page(request, "play/facts.html", context)
