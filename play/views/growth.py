"""What a character buys with what they earned: what they used in the session first."""
from __future__ import annotations

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from campaigns.access import Viewer, member_only
from campaigns.models import Role
from campaigns.web import by, render_page, submit
from characters import queries
from characters.contexts import SheetLink
from characters.forms import GrowForm
from characters.services import pools
from play.deeds import lately


@member_only(Role.PLAYER)
def grow(request: HttpRequest, viewer: Viewer, character_id: uuid.UUID) -> HttpResponse:
    """What a character can buy now."""
    character = queries.find_to_edit(viewer, character_id)
    used, line = lately(viewer, character.pk), request.GET.get("line", "")
    form = GrowForm(
        request.POST if request.method == "POST" else None, viewer=viewer, character=character,
        used={str(deed.trait) for deed in used})
    # A link may have named the line that is to rise.
    form.fields["choice"].initial = next((offer.choice for offer in form.offers if line and offer.trait == line), None)
    if entry := submit(form, lambda: pools.grow(
        **by(viewer, form), character_id=character.pk, choice=form.cleaned_data["choice"],
        name=form.cleaned_data.get("name", ""), words=form.cleaned_data.get("words", ""),
    )):
        messages.info(request, f"Saved as entry {entry.seq}.")
        return redirect("sheet", viewer.campaign.slug, character.pk)
    held = [(kind, character.sheet().pool(kind.name)) for kind in pools.awarded(viewer.campaign)]
    context = {"viewer": viewer, "character": SheetLink(character.pk, character.name), "pools": held, "deeds": used}
    return render_page(request, "characters/grow.html", context, form=form)
