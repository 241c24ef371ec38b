"""How many breaks of the code do the tests see? Breaks it on purpose, one place at a time.

    python -m bench.mutants [--since REF] [--of PATH …] [--many 100] [--seed N] TESTS …

The tests run once, so that it is known which functions each of them enters. Then, for each break, the process forks:
the child puts the broken function in the place of the whole one and runs the tests that enter it, the quickest first.
Where all still pass, the break is not seen; what no test enters can't be tried, and is told apart. `--since` breaks
only lines that changed since then, `--of` those of these files and folders (all of the apps, without either). Ends with
an error below `LEAST`. A break that changes nothing that anybody could see is written into bench/equivalent.txt with
its reason, and doesn't count.
"""
from __future__ import annotations

import argparse
import ast
import gc
import inspect
import os
import random
import re
import resource
import signal
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from functools import _lru_cache_wrapper
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any, NamedTuple

import pytest
from _pytest.runner import runtestprotocol

from tests import laid

ROOT = Path(__file__).resolve().parent.parent
APPS = ("accounts", "campaigns", "characters", "jobs", "news", "play", "rules", "schedule")
EQUIVALENT = Path(__file__).with_name("equivalent.txt")
LEAST = 95  # percent
TESTS_EACH, SECONDS = 40, 30  # at most, for one break; seconds of the processor, as the machine may be busy
OTHER: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}


class Place(NamedTuple):
    """A function: its file, seen from the root, and its qualified name."""

    path: str
    name: str


class Break(NamedTuple):
    """One break: in which function and line, what in words, and the number of the node in the function."""

    place: Place
    line: int
    words: str
    number: int


def changes(node: ast.AST) -> Iterator[tuple[str, Callable[[Any], ast.AST | None]]]:
    """What can be done to a node: words, and what makes the other node of a copy (None takes it away)."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in OTHER:
        yield "compares otherwise", _compare_otherwise
    elif isinstance(node, ast.BoolOp):
        yield "and for or", _swap_and_or
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "without not", lambda unary: unary.operand
    elif isinstance(node, ast.IfExp):
        yield "always the first", lambda choice: choice.body
        yield "always the other", lambda choice: choice.orelse
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield "one more", lambda number: ast.Constant(number.value + 1)
    elif isinstance(node, ast.Constant) and type(node.value) is bool:
        yield "turned over", lambda truth: ast.Constant(not truth.value)
    elif isinstance(node, (ast.Tuple, ast.List)) and len(node.elts) > 1 and isinstance(node.ctx, ast.Load):
        yield "without its last", _without_the_last
    elif isinstance(node, ast.Return) and node.value is not None and not isinstance(node.value, ast.Constant):
        yield "answers nothing", lambda answer: ast.Return(ast.Constant(None))
    elif isinstance(node, (ast.Raise, ast.AugAssign, ast.Expr)):
        yield "left out", lambda statement: ast.Pass()
    elif isinstance(node, ast.comprehension) and node.ifs:
        yield "without its condition", _without_conditions


def _compare_otherwise(comparison: ast.Compare) -> ast.Compare:
    comparison.ops[0] = OTHER[type(comparison.ops[0])]()
    return comparison


def _swap_and_or(both: ast.BoolOp) -> ast.BoolOp:
    both.op = ast.And() if isinstance(both.op, ast.Or) else ast.Or()
    return both


def _without_the_last(several: Any) -> ast.AST:
    several.elts = several.elts[:-1]
    return several  # type: ignore[no-any-return]


def _without_conditions(loop: ast.comprehension) -> ast.comprehension:
    loop.ifs = []
    return loop


class _Swap(ast.NodeTransformer):
    """Changes the node that has this number, counted as `ast.walk` meets them in the function."""

    def __init__(self, target: ast.AST, change: Callable[[Any], ast.AST | None]) -> None:
        self.target, self.change = target, change

    def visit(self, node: ast.AST) -> Any:
        """The node, or what it becomes."""
        if node is self.target:
            return ast.copy_location(self.change(node), node)  # type: ignore[type-var]
        return self.generic_visit(node)


def functions(tree: ast.AST, within: str = "") -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """The outermost functions of a module, and of its classes, by qualified name."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield f"{within}{node.name}", node
        elif isinstance(node, ast.ClassDef):
            yield from functions(node, f"{within}{node.name}.")


def breaks_of(path: str, lines: set[int] | None) -> Iterator[Break]:
    """Every break of a file on these lines (None: on all)."""
    for name, function in functions(ast.parse((ROOT / path).read_text())):
        for number, node in enumerate(_nodes(function)):
            line = getattr(node, "lineno", getattr(getattr(node, "iter", None), "lineno", 0))
            if lines is None or line in lines:
                yield from (Break(Place(path, name), line, words, number) for words, _ in changes(node))


def code_of(broken: Break) -> CodeType:
    """The function as it is with this break."""
    path = ROOT / broken.place.path
    tree = ast.parse(path.read_text())
    node = _nodes(dict(functions(tree))[broken.place.name])[broken.number]
    change = next(change for words, change in changes(node) if words == broken.words)
    module = compile(ast.fix_missing_locations(_Swap(node, change).visit(tree)), str(path), "exec")
    return next(code for code in _codes(module) if code.co_qualname == broken.place.name)


def _nodes(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.AST]:
    """What is in a function but for its docstring and its annotations."""
    typed = [part.annotation for part in ast.walk(function) if isinstance(part, ast.AnnAssign)]
    told = {id(node) for annotation in typed for node in ast.walk(annotation)}
    body = [statement for statement in function.body
            if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))]
    return [node for statement in body for node in ast.walk(statement) if id(node) not in told]


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


class Breaking:
    """Runs the tests once and then, for each break, those that enter the broken function."""

    def __init__(self, breaks: list[Break], many: int, seed: int) -> None:
        self.breaks, self.many, self.chance = breaks, many, random.Random(seed)
        self.tests: dict[Place, set[int]] = defaultdict(set)  # by the number of the test
        self.seconds: dict[int, float] = {}
        self.wrong = 0  # tests that fail without any break
        self.unseen: list[Break] = []
        self.tried = 0
        self.untried: list[Break] = []  # in functions that none of the tests enters

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Instead of the usual one. Each test lays its own table: what one begins with may be broken, too."""
        laid.KEEPS = False
        items = session.items
        for number in range(len(items)):
            self._entered(items, number)
        if self.wrong:
            raise session.Failed(f"{self.wrong} of the tests fail as it is.")
        some = self.chance.sample(range(len(items)), 3)
        if failing := [items[number].nodeid for number in some if self._seen(items, None, {number})]:
            print(f"What is whole fails in a process of its own: {', '.join(failing)}.", flush=True)
            raise session.Failed("Leave such tests out.")
        entered = [broken for broken in self.breaks if self.tests[broken.place]]
        self.untried = [broken for broken in self.breaks if not self.tests[broken.place]]
        known = equivalents()
        wanted = [broken for broken in entered if told(broken) not in known]
        for broken in self.chance.sample(wanted, min(self.many, len(wanted))):
            self.tried += 1
            if not self._seen(items, broken, self.tests[broken.place]):
                self.unseen.append(broken)
                print(f"{broken.place.path}:{broken.line} {broken.place.name}: {broken.words}. Not seen.", flush=True)
        return True

    def _entered(self, items: list[pytest.Item], number: int) -> None:
        """Runs a test, and notes which functions it enters."""
        prefix = tuple(f"{ROOT}/{app}/" for app in APPS)
        entered: dict[int, CodeType] = {}  # by id, as a code's own hash takes long; held, so that ids stay theirs

        def noted(frame: FrameType, event: str, argument: Any) -> None:
            code = frame.f_code
            if id(code) in entered:
                return
            entered[id(code)] = code
            if code.co_filename.startswith(prefix):
                place = Place(code.co_filename.removeprefix(f"{ROOT}/"), code.co_qualname.partition(".<locals>")[0])
                self.tests[place].add(number)

        before = time.process_time()
        sys.settrace(noted)
        try:
            reports = runtestprotocol(items[number], log=False, nextitem=items[(number + 1) % len(items)])
        finally:
            sys.settrace(None)
        self.seconds[number] = time.process_time() - before
        if any(report.failed for report in reports):
            self.wrong += 1
            print(f"{items[number].nodeid} fails.", flush=True)

    def _seen(self, items: list[pytest.Item], broken: Break | None, tests: set[int]) -> bool:
        """Whether one of these tests fails with it. In a process of its own: what it breaks stays there."""
        whole = [(function, code_of(broken)) for function in held(broken.place)] if broken else []
        kept = caches()
        if child := os.fork():
            return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0
        with Path(os.devnull).open("w") as nothing, redirect_stdout(nothing), redirect_stderr(nothing):
            resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))  # what never ends is seen, too
            signal.alarm(20 * SECONDS)  # and what waits for ever
            failed = True
            try:
                for function, code in whole:
                    function.__code__ = code
                for cache in kept:  # what the whole function answered
                    cache.cache_clear()
                quickest = sorted(tests, key=lambda number: self.seconds[number])[:TESTS_EACH]
                failed = any(self._fails(items, number) for number in quickest)
            finally:
                os._exit(failed)

    def _fails(self, items: list[pytest.Item], number: int) -> bool:
        items[number].stash.setdefault(laid.VALUES, {})
        del items[number].stash[laid.VALUES]  # what was laid when it ran whole
        reports = runtestprotocol(items[number], log=False, nextitem=items[(number + 1) % len(items)])
        return any(report.failed for report in reports)


def held(place: Place) -> list[FunctionType]:
    """The function, as often as it is held anywhere."""
    gc.unfreeze()  # tests freeze what was imported
    # Asked by `type`: some things pretend to be others, and begin to live once `isinstance` asks.
    functions = [thing for thing in gc.get_objects() if type(thing) is FunctionType
                 and thing.__code__.co_filename == str(ROOT / place.path) and thing.__code__.co_qualname == place.name]
    gc.freeze()
    assert functions, place
    return functions


def caches() -> list[Any]:
    """What functions of the apps keep of their answers (a connection of SQLite’s keeps its own)."""
    prefix = tuple(f"{ROOT}/{app}/" for app in APPS)
    gc.unfreeze()
    kept = [thing for thing in gc.get_objects() if type(thing) is _lru_cache_wrapper
            and inspect.isfunction(inner := inspect.unwrap(thing)) and inner.__code__.co_filename.startswith(prefix)]
    gc.freeze()
    return kept


def told(broken: Break) -> str:
    """A break as bench/equivalent.txt names it: it stands there until its line is another."""
    text = (ROOT / broken.place.path).read_text().splitlines()[broken.line - 1].strip()
    return f"{broken.place.path} {broken.place.name} {broken.words}: {text}"


def equivalents() -> set[str]:
    """The breaks that change nothing that anybody could see."""
    lines = EQUIVALENT.read_text().splitlines() if EQUIVALENT.exists() else []
    return {line.rpartition(" # ")[0].strip() for line in lines if " # " in line}


def changed_since(ref: str) -> dict[str, set[int] | None]:
    """The lines of the apps that are new or different since then, by file."""
    command = ["git", "diff", "-U0", ref, "--", *APPS]
    diff = subprocess.run(command, cwd=ROOT, text=True, capture_output=True, check=True)
    lines: dict[str, set[int] | None] = {}
    path = ""
    for line in diff.stdout.splitlines():
        if line.startswith("+++ "):
            path = line.removeprefix("+++ b/")
        elif hunk := re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", line):
            first, many = int(hunk[1]), int(hunk[2] or 1)
            if path.endswith(".py") and many:
                lines[path] = (lines.get(path) or set()) | set(range(first, first + many))
    return lines


def main() -> int:
    """Reads the arguments, breaks, and says what was not seen."""
    parser = argparse.ArgumentParser(description="Breaks the code on purpose, and counts what the tests see.")
    parser.add_argument("--since", default="")
    parser.add_argument("--of", action="append", default=[])
    parser.add_argument("--many", type=int, default=100)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("tests", nargs="+")
    given = parser.parse_args()
    files = changed_since(given.since) if given.since else dict.fromkeys(
        str(path.relative_to(ROOT)) for app in APPS for path in (ROOT / app).rglob("*.py"))
    files = {path: lines for path, lines in files.items() if not given.of or path.startswith(tuple(given.of))}
    breaks = [broken for path, lines in sorted(files.items()) if "/migrations/" not in path and (ROOT / path).exists()
              for broken in breaks_of(path, lines)]
    breaking = Breaking(breaks, given.many, given.seed)
    quiet = ["-p", "no:cacheprovider", "-qq", "--no-header", "-p", "no:xdist", "-o", "addopts=--import-mode=importlib"]
    pytest.main([*quiet, *given.tests], plugins=[breaking])
    seen = breaking.tried - len(breaking.unseen)
    percent = 100 * seen // max(breaking.tried, 1)
    print(f"{seen} of {breaking.tried} breaks seen, {percent} %; seed {given.seed}.")
    if breaking.untried:
        places = len({broken.place for broken in breaking.untried})
        print(f"{len(breaking.untried)} of {len(breaks)} not tried: these tests enter none of {places} functions.")
    return int(not breaking.tried or percent < LEAST)


if __name__ == "__main__":
    sys.exit(main())
