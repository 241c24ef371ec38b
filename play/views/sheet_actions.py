"""What can be done with a sheet at any time: all of it on a page, and each from wherever a button stands."""
from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from campaigns.access import Viewer, member_only
from campaigns.models import Role
from campaigns.web import render_page, submit
from characters import queries
from characters.cast import Cast
from characters.contexts import SheetLink
from characters.models import Character
from play.deeds import lately
from play.followers import beginning
from play.forms.contest import OfferForm
from play.queries import already_done
from play.services import sheet_actions as services
from play.views.open_table import posted
from rules.procedure import Offer
from rules.values import Value


def _forms(viewer: Viewer, cast: Cast, follower: str = "", used: Sequence[str] = ()) -> list[OfferForm]:
    """What can be done; with the id of an NPC as `follower`, a GM's form for taking followers on begins with them.

    An advance lists the lines that were `used` first; it stands open with the first of them where that was asked for.
    """
    (sheet,) = cast.with_provenance(viewer.campaign).values()
    growth, settings = viewer.campaign.rules.growth, viewer.campaign.settings
    growing, which = growth.advance
    made = growth.advance_of(sheet, used, settings)
    offers = [_used_first(offer, which, used, made.values if made else {}) if offer.action == growing else offer
              for offer in viewer.campaign.rules.sheet.actions(sheet, settings)]
    action, begins = beginning(viewer, follower)
    forms = [OfferForm(replace(offer, now={**(offer.now or {}), **begins}) if offer.action == action else offer,
                       real_dice=viewer.campaign.types_dice) for offer in offers if offer.by or viewer.runs]
    for form in forms:
        form.is_next = form.offer.action == action
    return forms


def _used_first(offer: Offer, which: str, used: Sequence[str], made: Mapping[str, Value]) -> Offer:
    """The same offer, with these lines first wherever lines are chosen; it begins as the advance `made` of them, or
    with the first of them."""
    listed = {name: tuple(sorted(options, key=lambda option: option[0] not in used))
              for name, options in (offer.options or {}).items()}
    ready = next((pk for pk, _ in listed.get(which, ()) if pk in used), "")
    return replace(offer, options=listed, now={**(offer.now or {}), **({which: ready} if ready else {}), **made})


@member_only(Role.PLAYER)
def sheet_actions(request: HttpRequest, viewer: Viewer, character_id: uuid.UUID) -> HttpResponse:
    """Everything that can be done with this sheet now."""
    return _page(request, viewer, queries.find_to_edit(viewer, character_id), follower=request.GET.get("follower", ""))


@member_only(Role.PLAYER)
@posted
def act(request: HttpRequest, viewer: Viewer, character_id: uuid.UUID, action: str) -> HttpResponse:
    """Does one thing, and goes back to the sheet."""
    character = queries.find_to_edit(viewer, character_id)
    cast = Cast.of([character], viewer.campaign.head_seq)
    known = next((form for form in _forms(viewer, cast) if form.offer.action == action), None)
    if known is None:
        if not already_done(viewer, request.POST.get("op_id", "")):
            messages.error(request, "This can no longer be done. Look at the sheet as it is now.")
        return redirect("sheet", viewer.campaign.slug, character.pk)
    form = OfferForm(known.offer, data=request.POST, real_dice=viewer.campaign.types_dice)
    written = submit(form, lambda: services.act(
        campaign=viewer.campaign, actor=viewer.member, character_id=character.pk,
        action=action, given=form.given(), known=cast, **form.rolling(),
    ))
    if written is None:
        return _page(request, viewer, character, form)
    messages.info(request, f"Saved as entry {written.seq}.")
    return redirect("sheet", viewer.campaign.slug, character.pk)


def _page(
    request: HttpRequest, viewer: Viewer, character: Character, refused: OfferForm | None = None, follower: str = "",
) -> HttpResponse:
    growing, used = viewer.campaign.rules.growth.advance[0], lately(viewer, character.pk)
    raised = request.GET.get("raise", "")
    first = sorted((str(deed.trait) for deed in used), key=lambda pk: pk != raised)
    forms = [refused if refused and form.offer.action == refused.offer.action else form
             for form in _forms(viewer, Cast.of([character], viewer.campaign.head_seq), follower, first)]
    for form in forms:
        form.is_next = form.is_next or form.offer.action in (growing if raised else "", request.GET.get("open"))
    context = {"viewer": viewer, "character": SheetLink(character.pk, character.name), "forms": forms,
               "growing": growing, "deeds": used}
    return render_page(request, "play/sheet_actions.html", context, form=refused)
