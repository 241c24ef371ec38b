"""What a picture may cost: whatever its file says, it is drawn or refused in words, and nobody waits for it."""
from __future__ import annotations

import ast
import fcntl
import io
import os
import select
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from campaigns import pictures
from campaigns.errors import Refused
from campaigns.pictures import Drawn, drawn
from tests.campaigns.drawing import cost_of
from tests.campaigns.hostile import PICTURES, saved, scans
from tests.campaigns.hostile import plain as plain_picture
from tests.effort import ALL

ROOT = Path(__file__).resolve().parent.parent.parent


def refusal(data: bytes) -> str:
    """What is said of a file; "" where it becomes a picture."""
    try:
        drawn(data)
    except Refused as refused:
        assert refused.field == "picture"
        return refused.sentence
    return ""


@pytest.fixture
def artist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Puts another program in the place of the one that draws."""
    def becomes(*lines: str) -> None:
        path = tmp_path / "artist.py"
        path.write_text("\n".join(lines))
        monkeypatch.setattr(pictures, "ARTIST", path)
    return becomes


@pytest.mark.parametrize("name", list(PICTURES)[::1 if ALL else 3])
def test_each_is_drawn_or_refused_in_words_in_less_than_a_second(name: str, tmp_path: Path) -> None:
    make, said = PICTURES[name]
    (tmp_path / "picture").write_bytes(data := make())
    assert len(data) <= pictures.MOST_BYTES
    cost = cost_of(tmp_path / "picture")
    assert cost.ended == 0 and cost.seconds < 1 and cost.megabytes < 64
    assert said in cost.said and bool(said) == bool(cost.said)


def test_nothing_of_another_file_in_it_is_kept() -> None:
    for name in ("png that is an archive, too", "jpeg that is a page, too"):
        webp = drawn(PICTURES[name][0]()).webp
        assert b"script" not in webp and b"PK" not in webp[:64]
        with Image.open(io.BytesIO(webp)) as kept:
            assert (kept.format, kept.size) == ("WEBP", (512, 341))


def test_a_hundred_scans_are_taken_and_one_more_is_not() -> None:
    ten = saved("JPEG", plain_picture(64, 64), progressive=True).count(b"\xff\xda")
    assert refusal(scans(plain_picture(64, 64), 101 - ten)) == ""
    assert "more than 100 scans" in refusal(scans(plain_picture(64, 64), 102 - ten))


def test_a_jpeg_of_several_pictures_is_its_first() -> None:
    data = saved("MPO", plain_picture(3000, 2000), save_all=True, append_images=[plain_picture(60, 60)])
    with Image.open(io.BytesIO(drawn(data).webp)) as kept:
        assert kept.size == (512, 341)


@pytest.mark.parametrize("lines", [
    ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)",),
    ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)",),
    ("raise MemoryError",), ("",),
], ids=["killed", "crashed", "raised", "silent"])
def test_a_drawing_that_dies_is_a_refusal_in_words(lines: tuple[str, ...], artist: Any) -> None:
    artist(*lines)
    assert "takes too long to read" in refusal(saved("PNG"))


@pytest.mark.parametrize("work", ["while True: pass", "held = [bytes(1_000_000) for _ in range(1000)]"])
def test_the_machine_ends_what_takes_too_much(work: str, artist: Any) -> None:
    artist("import sys", f"sys.path.insert(0, {str(ROOT / 'campaigns')!r})", "import redraw",
           "redraw.CPU_SECONDS = 1", "redraw._hold_back()", work, "print('it went on')")
    assert "takes too long to read" in refusal(saved("PNG"))


def test_one_that_does_not_end_is_given_up(artist: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(pictures, "SECONDS", 0.5)
    artist("import os, time", f"open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))", "time.sleep(60)")
    assert "Too many pictures" in refusal(saved("PNG"))
    if (tmp_path / "pid").exists():
        with pytest.raises(ProcessLookupError):
            os.kill(int((tmp_path / "pid").read_text()), 0)


@pytest.mark.processes
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it goes on for a minute at most")
def test_it_ends_with_whoever_started_it() -> None:
    """The server is killed while a picture is being drawn: nothing goes on behind it."""
    child = f"import os, sys; sys.path.insert(0, {str(ROOT / 'campaigns')!r}); import redraw; redraw._hold_back(); " \
        "print(os.getpid(), flush=True); import time; time.sleep(60)"
    server = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    with subprocess.Popen([sys.executable, "-c", server], stdout=subprocess.PIPE) as running:
        assert running.stdout is not None
        pid = int(running.stdout.readline())
        running.send_signal(signal.SIGKILL)
        # Its end of the pipe is closed when it ends.
        ended, _, _ = select.select([running.stdout], [], [], 20)
        if not ended:
            os.kill(pid, signal.SIGKILL)
    assert ended


def test_one_is_drawn_at_a_time_on_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "SECONDS", 0.5)
    with pictures.ARTIST.open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert "Too many pictures" in refusal(saved("PNG"))


def test_one_is_drawn_at_a_time_in_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    inside, most = 0, 0
    turn = threading.Event()

    def slow(data: bytes, seconds: float) -> bytes:
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        turn.wait(0.01)
        inside -= 1
        return b"RIFF"

    monkeypatch.setattr(pictures, "_answer", slow)
    threads = [threading.Thread(target=drawn, args=(b"a picture",)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1


def test_whoever_waits_too_long_is_told_so_and_nothing_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "SECONDS", 0.01)
    monkeypatch.setattr(pictures, "_answer", lambda *_: pytest.fail("it was started"))
    with pictures._turn:
        assert "Too many pictures" in refusal(saved("PNG"))


def test_the_secrets_of_the_server_are_not_told_to_what_draws(artist: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "Zwirnfaden")
    artist("import os", "print('Zwirnfaden' in str(os.environ))")
    assert refusal(saved("PNG")) == "False\n"


def test_a_picture_has_one_name() -> None:
    assert Drawn(b"RIFF").digest == Drawn(b"RIFF").digest != Drawn(b"RIFFF").digest


SOURCES = [path for app in ("accounts", "campaigns", "schedule", "characters", "play", "config")
           for path in (ROOT / app).rglob("*.py")]


def imported(path: Path) -> set[str]:
    """The modules that a file imports, and what it takes from them."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def test_only_one_file_unpacks_pictures_and_the_server_never_loads_it() -> None:
    for path in SOURCES:
        if path != pictures.ARTIST and ("PIL" in (text := path.read_text()) or "redraw" in text):
            assert not {name for name in imported(path) if name.startswith("PIL") or "redraw" in name}, path
    alone = {name.split(".")[0] for name in imported(pictures.ARTIST)}
    assert "PIL" in alone and not alone & {"django", "campaigns", "accounts", "rules"}


def test_no_service_can_draw() -> None:
    services = [path for path in SOURCES if "services" in path.parts]
    assert len(services) > 20
    for path in services:
        drawing = {name for name in imported(path) if "pictures" in name} - {"campaigns.pictures.Drawn"}
        assert not drawing, path
