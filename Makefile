# make run      sets everything up and serves on HOST:PORT; the second time this takes seconds
# make test     lint, types, and all tests: on SQLite, what differs on PostgreSQL where a server answers, in a browser
# make torture  all tests on both databases, with many more random tries, a server that is killed, and a primary that dies;
#               PART='"restores on SQLite"' for one of them, python -m tests.torture --list for their names
# make pictures  the pages of all samples, each component, and contests that wait, in four looks, in build/pictures
# make bench    how much a roll and a page cost, against a bare view of the same framework; python -m bench.matrix: the
#               first row of a large matrix, in a browser; python -m bench.tables: what 1, 8 and 50 tables feel

HOST ?= 127.0.0.1
PORT ?= 8000
TEST_POSTGRES_URL ?= postgres://postgres@127.0.0.1:5432/postgres
# One more than a small machine has processors: tests wait, for a server, a browser, a clock.
WORKERS ?= 3
# What differs from one database to the other: the trail, races, searches, streams, and each page and procedure once.
# What is done beside the database while a lock is held, who may write, what is declared, how the Ledger is drawn, what
# finds a forgery and what old addresses lead to don't.
OF_ANY_ENGINE := trail/test_under_lock.py trail/test_rights.py trail/test_declared.py trail/test_ledger.py \
  trail/test_forged_rows.py trail/test_remade_chain.py trail/test_moved.py
BY_ENGINE := $(filter-out $(OF_ANY_ENGINE),$(patsubst tests/%,%,$(wildcard tests/trail/test_*.py))) \
  jobs/test_queue.py jobs/test_killed.py live/test_database.py live/test_listening.py live/test_stream.py live/test_past_one_machine.py live/test_restarts.py \
  live/test_first_starts.py test_keeping.py::test_nobody_comes_in_while_a_backup_is_put_back accounts/test_alike_at_once.py \
  test_append_only.py test_scans.py test_deploying.py test_faults.py \
  campaigns/test_join_race.py campaigns/test_search.py campaigns/test_search_building.py characters/test_spend_races.py \
  play/test_by_the_page.py::test_its_acts_are_done_by_the_forms_that_its_page_shows play/questworlds/test_not_written.py \
  play/test_shared_pools.py play/test_walk.py \
  test_trials.py::test_one_press_leads_to_a_table_of_ones_own_and_the_next_rolls

IN := .venv/bin
RUN_STAMP := .venv/.installed-to-run
TEST_STAMP := .venv/.installed-to-test
INSTALL := $(IN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r

.PHONY: run pictures prepare test torture lint types checked test-sqlite test-postgresql test-browser bench
.DEFAULT_GOAL := run

run: prepare
	@HOST=$(HOST) PORT=$(PORT) WITH_WORKER=1 exec $(IN)/python -m config.serve

prepare: $(RUN_STAMP)
	@$(IN)/python -m config.first_start

test: lint checked test-postgresql test-browser

# Types keep one processor busy, and tests wait now and then: both at once.
checked: $(TEST_STAMP)
	@$(MAKE) --no-print-directory --keep-going -j2 types test-sqlite

lint: $(TEST_STAMP)
	$(IN)/ruff check .

types: $(TEST_STAMP)
	$(IN)/mypy

# A refusal that none of these tests meets fails, too.
test-sqlite: $(TEST_STAMP)
	@echo "Tests on SQLite"
	@rm -rf build/refused
	REFUSED=build/refused DATABASE_URL=sqlite://:memory: $(IN)/pytest -n $(WORKERS)
	$(IN)/python -m tests.refused build/refused

test-postgresql: $(TEST_STAMP)
	@if $(IN)/python -m tests.answers "$(TEST_POSTGRES_URL)"; then \
	  echo "Tests on PostgreSQL"; \
	  DATABASE_URL="$(TEST_POSTGRES_URL)" $(IN)/pytest -n $(WORKERS) $(addprefix tests/,$(BY_ENGINE)); \
	else \
	  echo "Tests on PostgreSQL: SKIPPED. No server answers; say where one is by TEST_POSTGRES_URL."; \
	fi

# All of it on both databases, and many more tries of whatever is tried at random, on SQLite: some hours.
torture: $(TEST_STAMP)
	TEST_POSTGRES_URL="$(TEST_POSTGRES_URL)" $(IN)/python -m tests.torture $(PART)

# A test that fails is tried twice more, as browsers wait for clocks; the end names it.
# In processes of their own: the browser's driver brings an event loop, which the other tests must not see.
test-browser: $(TEST_STAMP)
	@if ls tests/browser/test_*.py > /dev/null 2>&1; then \
	  echo "Tests in a browser"; \
	  DATABASE_URL=sqlite://:memory: $(IN)/pytest -n $(WORKERS) --reruns 2 -o addopts="-q -rR --strict-markers --dist=worksteal --import-mode=importlib" tests/browser; \
	else \
	  echo "Tests in a browser: there are none."; \
	fi

# The pages of all samples, the styleguide, and contests that wait for a player, in four looks, and what a ruler says of
# them, in build/pictures; GAME=pdq for one game.
pictures: $(TEST_STAMP)
	@$(IN)/python -m tests.pictures $(GAME)

bench: $(TEST_STAMP)
	@$(IN)/python -m bench

# The first of these that is new enough. The system's own is built for speed; what a version manager built seldom is, and
# takes an eighth longer.
.venv/bin/python:
	@for python in /usr/bin/python3 python3.11 python3.12 python3.13 python3.14 python3; do \
	  if $$python -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2> /dev/null; then \
	    $$python -m venv .venv && exit; rm -rf .venv; break; \
	  fi; \
	done; \
	echo "Python 3.11 or newer is needed (on Debian: apt install python3 python3-venv)."; exit 1

$(RUN_STAMP): requirements.txt | .venv/bin/python
	$(INSTALL) requirements.txt
	@touch $@

# Python compiles of it what tests come to use.
$(TEST_STAMP): requirements-dev.txt | .venv/bin/python
	$(INSTALL) requirements-dev.txt --no-compile
	@touch $@
