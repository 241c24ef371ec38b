"""What a GM takes to the table on paper: the plan, and NPCs as cards."""
from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from campaigns.access import Viewer, member_only
from campaigns.linking import links
from campaigns.models import Role
from campaigns.web import render_page
from play.contexts.paper import cards, paper_plan, people_of_plan


@member_only(Role.GM)
def plan(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The plan with the abilities of those in it."""
    paper = paper_plan(viewer)
    texts = [text for scene in paper.scenes for text in (scene.scene.text, scene.scene.notes)] if paper else []
    context = {"viewer": viewer, "paper": paper, "links": links(viewer, paper.plan.notes, *texts) if paper else {}}
    return render_page(request, "play/paper_plan.html", context)


@member_only(Role.GM)
def npc_cards(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """NPCs as cards, eight on a page: all of the library, or those of the plan (`of=plan`)."""
    planned = {pk for ids in people_of_plan(viewer).values() for pk in ids}
    of_plan = request.GET.get("of") == "plan"
    context = {"viewer": viewer, "cards": cards(viewer, planned if of_plan else None), "of_plan": of_plan,
               "planned": len(planned)}
    return render_page(request, "play/paper_cards.html", context)
