"""Who comes through which door of the site: a row for each route."""
from __future__ import annotations

from dataclasses import dataclass, field

STRANGERS = ("outsider", "other_gm", "removed")
SEATS = ("observer", "player", "gm", "owner")
ROLES = ("anonymous", *STRANGERS, *SEATS)


@dataclass(frozen=True)
class Door:
    """Who comes through, and what they get; `but` names roles that get something else."""

    least: str
    status: int
    but: dict[str, int] = field(default_factory=dict)

    def expects(self, role: str) -> int | str:
        """What this role is to get: a status, or "log in"."""
        if role in self.but:
            return self.but[role]
        if self.least == "anyone":
            return self.status
        if role == "anonymous":
            return "log in"
        if self.least == "account":
            return self.status
        allowed = SEATS[SEATS.index(self.least):]
        return self.status if role in allowed else 404


def anyone(status: int, **but: int) -> Door:
    """The same for all, logged in or not."""
    return Door("anyone", status, but)


def account(status: int, **but: int) -> Door:
    """For everybody who is logged in."""
    return Door("account", status, but)


def observer(status: int, **but: int) -> Door:
    """For every member."""
    return Door("observer", status, but)


def player(status: int, **but: int) -> Door:
    """For players and GMs."""
    return Door("player", status, but)


def gm(status: int, **but: int) -> Door:
    """For GMs, the owner among them."""
    return Door("gm", status, but)


MOVED = (anyone(301), anyone(308))  # old addresses, which lead on for everybody
NO, UP = anyone(405), anyone(302)  # a method that is not for this address; a GET that is led to the page above it
LINK = anyone(302, anonymous=200, outsider=200, other_gm=200, removed=410)  # members have a seat already

# name of the route: (GET, POST with an empty body). 200 to such a POST is the form as it comes, 302 has nothing to do.
ROWS: dict[str, tuple[Door, Door]] = {
    "account": (account(200), account(422)), "act": (player(302), player(422, player=409)),
    "act_odds": (player(302), player(200)), "assign": (gm(200), gm(422)),
    "award": (gm(200), gm(422)), "give_modifier": (gm(200), gm(200)), "change_password": (account(200), account(422)),
    "builder_count": (player(302), player(200)), "campaign_settings": (observer(200), gm(200)),
    "campaign_archive": (UP, gm(200, gm=404)), "campaign_delete": (gm(200, gm=404), gm(422, gm=404)),
    "call_off_contest": (gm(302), gm(409)), "undo_exchange": (gm(302),) * 2, "undo_last": (gm(302), gm(409)),
    "attendance": (gm(200), gm(200)), "character_begin": (player(200),) * 2, "character_take": (UP, player(422)),
    "campaign_take_along": (UP, gm(200, gm=404)), "match_member": (gm(404), gm(404)), "change_role": (gm(200), gm(200)),
    "campaign_throw_away": (UP, gm(302, gm=404)), "sample_begin": (UP, account(302)),
    "character_edit": (player(200), player(422)), "character_new": (player(200), player(422)),
    "character_prose": (player(200), player(200)), "characters": (observer(200), observer(200)),
    "chronicle": (observer(200), observer(200)), **dict.fromkeys(("close_link", "renew_link"), (UP, gm(422))),
    "close_scene": (gm(200),) * 2, "close_session": (gm(200),) * 2, "session_ended": (observer(404),) * 2,
    "contest": (observer(200), observer(200)), "sheet_action": (player(302), player(422)),
    "sheet_actions": (player(200), player(200)), "delete_account": (account(200), account(200)),
    "place": (player(200), player(200)), "duplicate": (gm(302), gm(422)),
    **dict.fromkeys(("entry", "experience", "facts"), (observer(200), observer(200))),
    "export": (observer(200), NO), "lines": (gm(404), NO), "import_progress": (account(404), NO),
    "feed": (observer(200),) * 2, "found": (account(200),) * 2, "ongoing": (observer(302), NO),
    "gm_note": (gm(200), gm(422)), "grow": (player(200), player(422)),
    "hand_over": (gm(200, gm=404), gm(200)), "head": (observer(200), observer(200)),
    "hide": (gm(302), gm(422)), "set_dead": (gm(302), gm(422)), "try_table": (UP, anyone(302, anonymous=503)),
    "home": (anyone(200), anyone(200)), "invite": (gm(200), gm(200)), "join": (LINK, LINK),
    "leave": (observer(200),) * 2, "ledger": (observer(200),) * 2, "live": (observer(204),) * 2,
    "my_sheet": (observer(302),) * 2, "mail": (account(200), account(200)), "mail_settings": (observer(200),) * 2,
    "mail_link": (UP, account(302)), **dict.fromkeys(("mail_confirm", "mail_stop"), (anyone(200), anyone(200))),
    "login": (anyone(302, anonymous=200), anyone(302, anonymous=422)), "logout": (UP, anyone(302)),
    **dict.fromkeys(("operator", "operator_import", "campaign_import"), (account(404),) * 2),
    **dict.fromkeys(("operator_person", "operator_maintain", "import_stop"), (UP, account(404))),
    "npc_quick": (gm(200), gm(422)), "now": (observer(302), observer(302)), "odds": (observer(200), observer(200)),
    **dict.fromkeys(("old_close_session", "old_entry", "old_export", "old_open_session", "old_recap", "old_reveal",
                     "old_sessions", "old_undo", "old_verify"), MOVED),
    "open_scene": (gm(200), gm(200)), "open_session": (UP, gm(422)),
    "handout": (gm(200), gm(422)), "ask_roll": (gm(200), gm(200)), "withdraw_asked": (gm(302), gm(302)),
    "withdraw_request": (player(302), player(302)), "request_roll": (player(302), player(422)),
    "ask_recovery": (player(302),) * 2, "answer_recovery": (gm(302),) * 2, "withdraw_recovery": (player(302),) * 2,
    "answer_request": (gm(302),) * 2, "roll_answered": (player(302), player(302)),
    "strike_in_request": (gm(302),) * 2, "people": (observer(200),) * 2,
    "put_obstacle": (gm(200), gm(200)), "remove_obstacle": (gm(302), gm(302)),
    "portrait": (player(200), player(422)), "portrait_image": (observer(200), observer(405)),
    "prepare": (gm(200), gm(422)), "library_understood": (gm(200), gm(200)), "library_lines": (gm(200), gm(200)),
    "library_starters": (gm(200), gm(200)), "library_put": (UP, gm(422)), "library_thing": (gm(200), gm(200)),
    "threads": (gm(200), gm(200)), "plan": (gm(200), gm(200)), "plan_change": (UP, gm(422)), "plan_line": (UP, gm(422)),
    "plan_scene_new": (gm(200), gm(200)), "plan_scene": (gm(200), gm(200)), "plan_open": (gm(200), gm(200)),
    "plan_contest_new": (gm(200), gm(200)), "plan_contest": (gm(200), gm(200)), "plan_begin": (UP, gm(302)),
    "matrix": (gm(200), gm(200)), "matrix_row": (gm(404), gm(404)), "matrix_counts": (gm(200), gm(200)),
    "matrix_fit": (gm(404), gm(404)), "matrix_ask": (UP, gm(422)), "plan_paper": (gm(200), gm(200)),
    "prepare_new": (gm(200), gm(200)), "prepared": (gm(200), gm(200)), "prepared_change": (UP, gm(422)),
    "thing_view": (UP, gm(422)), "thing_who_sees": (gm(404), gm(404)),  # of a character its own pages say it
    "thing_picture": (gm(404), gm(404)), "thing_image": (observer(404), observer(405)), "npc_cards": (gm(200), gm(200)),
    "presence": (gm(200), gm(200)), "receipts": (observer(200), NO), "afterword": (gm(302), gm(422)),
    "journal": (player(200), player(422)), "leave_out": (UP, gm(302)), "recap": (player(200),) * 2,
    **dict.fromkeys(("own_view", "view_as"), (UP, gm(302))), "remove_member": (gm(200),) * 2,
    "replace": (gm(200), gm(422)), "reset_password": (anyone(200), anyone(422)),
    "reset_password_sent": (anyone(200), NO),
    "safety": (observer(200), observer(422)), "x_card": (observer(302), observer(302)), "go_on": (gm(302), gm(302)),
    "boundary_remove": (UP, observer(200)), "recover": (gm(200),) * 2, "open_first_scene": (gm(200),) * 2,
    "retire": (player(302), player(200)), "reveal": (UP, gm(200)), "roll": (player(302), player(422)),
    "set_password": (anyone(200),) * 2, "shared_pool": (gm(200),) * 2, "sheet": (observer(200),) * 2,
    "sheet_as_of": (observer(200), observer(200)), "sheet_blank": (observer(200), NO),
    "page_edit": (player(200), player(422)), "page_image": (observer(200), observer(405)),
    "page_new": (player(200), player(200)), "page_picture": (player(200), player(422)),
    "page_remove": (UP, player(200)), "page_who_sees": (gm(200), gm(422)), "page_view": (UP, player(422)),
    **dict.fromkeys(("page", "page_history", "pages", "search", "shown"), (observer(200), observer(200))),
    "shared": (anyone(200), NO), "shared_picture": (anyone(200), NO), "close_shared": (UP, player(422)),
    "share_sheet": (player(200), player(200)), "share_chronicle": (gm(200), gm(200)),
    "looks": (player(200), player(422)), "who_sees": (gm(200), gm(422)), "sign_up": (anyone(200), anyone(422)),
    "since": (observer(200), NO), "why": (observer(200),) * 2, "start_contest": (player(302), player(302)),
    "table": (observer(200), observer(200)), "tray": (player(200), player(200)), "undo": (UP, player(422)),
    "guess_zone": (UP, account(204)), "calendar_address": (account(200), account(200)),
    **dict.fromkeys(("calendar_feed", "manifest", "offline", "offline_list", "verifier", "worker"), (anyone(200), NO)),
    "date_calendar": (observer(200), NO), "dates": (observer(200), observer(200)), "date": (observer(200), player(422)),
    "dates_propose": (gm(200), gm(200)), "dates_repeat": (gm(200), gm(200)), "date_move": (gm(200), gm(200)),
    "date_fix": (UP, gm(422)), "date_take_back": (UP, gm(422)), "date_call_off": (UP, gm(200)),
    "dates_series_end": (UP, gm(200)), "date_repeat": (gm(200), gm(200)), "verify": (observer(200), observer(200)),
}
