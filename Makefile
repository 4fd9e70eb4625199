# The two commands of the README are `make play` and `make test`; each does its own set-up.
# Where `make install` puts things.
PREFIX ?= /usr/local

.PHONY: paper pocket play install notices test lint unit drills clauses program web web-test chromium smtp costs pictures golden postgres postgres-kills load fuzz days geometry symmetry site python python-wheel python-bench

# The tiny example ruleset is not shipped, but everything is tested with it.
ALL := --workspace --features sabretache/picket
# Programs for measuring, which clippy reads and no test builds.
TOOLS := --features sabretache-books/tools,sabretache-lab/tools
PROGRAM = $${CARGO_TARGET_DIR:-target}/debug/sabretache
# Random layouts and noise are the same in every run, so that a failure is seen again.
export PROPTEST_RNG_SEED ?= 1815

# The battle in the browser, on 127.0.0.1:1815. `--release` is faster to fight against and takes twice as long to build.
play: web
	cargo run --profile play --package sabretache --no-default-features --features huzzah,batteries,malbrook -- serve

# The client is built first: the server holds it in its binary.
# The drills are run by the rulesets' own tests.
test: web lint unit clauses web-test

lint:
	cargo fmt --all --check
	cargo clippy $(ALL) $(TOOLS) --all-targets -- -D warnings

unit: smtp postgres
	cargo test $(ALL)

# The drills as a rules author runs them.
drills: program
	$(PROGRAM) drill drills crates/picket/drills

clauses: program
	@$(PROGRAM) clauses

# The program and the server of the browser tests, as the tests have built them: any other selection of packages would build
# everything below them once more.
program:
	@cargo test --quiet $(ALL) --no-run

# Not `npm ci`: it refuses a lock that lists only one platform's builds of optional packages.
web/node_modules/.installed: web/package-lock.json
	@node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' \
		|| { echo "Node 20.19 or later is needed"; exit 1; }
	cd web && npm install --no-save --no-audit --no-fund
	touch $@

web: web/node_modules/.installed
	cd web && npm run build

web-test: web chromium program
	cd web && npm run check && npm test
	cd web && npm run e2e

chromium:
	@command -v chromium > /dev/null || { \
		root=; [ "$$(id -u)" = 0 ] || root=sudo; \
		$$root apt-get update -q && $$root apt-get install -qy --no-install-recommends chromium; }

# A mail server for the tests of notices.
smtp:
	@command -v aiosmtpd > /dev/null || { \
		root=; [ "$$(id -u)" = 0 ] || root=sudo; \
		$$root apt-get update -q && $$root apt-get install -qy --no-install-recommends python3-aiosmtpd; }

# A real PostgreSQL for the test of many processes; the test starts a cluster of its own.
postgres:
	@ls /usr/lib/postgresql/*/bin/initdb > /dev/null 2>&1 || { \
		root=; [ "$$(id -u)" = 0 ] || root=sudo; \
		$$root apt-get update -q && $$root apt-get install -qy --no-install-recommends postgresql; }

# A hundred kills of random processes under load; `make test` makes twenty.
postgres-kills: postgres
	SABRETACHE_KILLS=100 cargo test -p sabretache-server --test hard postgres -- --nocapture

# Two thousand battles with ten thousand who look on, with either database; `make test` has two hundred battles.
load: postgres
	for database in sqlite postgres; do \
		SABRETACHE_LOAD=2000 SABRETACHE_IDLE=10000 SABRETACHE_LOAD_DATABASE=$$database \
		cargo test --profile play -p sabretache-server --test hard load -- --nocapture || exit 1; done

# The fuzz targets for as long as one likes (seconds a target): `make fuzz SECONDS=600`.
SECONDS ?= 60
fuzz:
	FUZZ=1 BOLERO_RANDOM_TEST_TIME_MS=$$(( $(SECONDS) * 1000 )) BOLERO_RANDOM_ITERATIONS=1000000000 \
		cargo test --package sabretache-books --test fuzz -- --nocapture
	FUZZ=1 BOLERO_RANDOM_TEST_TIME_MS=$$(( $(SECONDS) * 1000 )) BOLERO_RANDOM_ITERATIONS=1000000000 \
		cargo test --package sabretache-server --test suite fuzz -- --nocapture

# A thousand simulated days of the server; `make test` has twenty.
days:
	SABRETACHE_DAYS=1000 cargo test --package sabretache-server --lib simulated -- --nocapture

# Random battles of every book looked at with shapely: nothing overlaps, nothing is beyond the edge, no move is too long,
# overlays are what they say.
geometry: program
	@test -x target/geometry/bin/python || python3 -m venv target/geometry
	target/geometry/bin/pip install -q shapely
	target/geometry/bin/python bench/geometry.py --program $(PROGRAM)

# Random battles fought twice, once in a mirror or turned round: they must come out the same.
symmetry: program
	python3 bench/symmetry.py --program $(PROGRAM) --battles 2 scenarios/*/*.toml drills/huzzah/positions/brawl.toml

# Golden logs for the scenarios that have none yet; `make golden ANEW=--anew` records all of them again.
golden:
	cargo run --package sabretache-books --features picket,tools --example golden -- $(ANEW)

# The table of docs/table-costs.md.
costs:
	cargo run --release --package sabretache-table --example costs > docs/table-costs.md

# The pictures of docs/pictures, all of them.
pictures: web chromium program
	cargo build --package sabretache
	cd web && npm run pictures

# The site from docs/, into target/site. mdBook is fetched and built where it is not there; no test needs it.
site:
	@command -v mdbook > /dev/null || [ -x target/tools/bin/mdbook ] || \
		cargo install mdbook --locked --version '^0.5' --no-default-features --features search --root target/tools || \
		{ echo "mdBook is neither installed nor to be had from crates.io"; exit 1; }
	PATH="$(CURDIR)/target/tools/bin:$$PATH" mdbook build docs --dest-dir $(CURDIR)/target/site

# The program with its manual pages and completions, below PREFIX.
install:
	$(MAKE) pocket || echo "Without a net the companion will not work out odds: that needs rustup's target wasm32-wasip1"
	$(MAKE) web
	cargo build --release --package sabretache --features pdf
	install -Dm755 $${CARGO_TARGET_DIR:-target}/release/sabretache $(DESTDIR)$(PREFIX)/bin/sabretache
	install -d $(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(PREFIX)/share/bash-completion/completions \
		$(DESTDIR)$(PREFIX)/share/zsh/site-functions $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	$(DESTDIR)$(PREFIX)/bin/sabretache man --dir $(DESTDIR)$(PREFIX)/share/man/man1
	$(DESTDIR)$(PREFIX)/bin/sabretache completions bash > $(DESTDIR)$(PREFIX)/share/bash-completion/completions/sabretache
	$(DESTDIR)$(PREFIX)/bin/sabretache completions zsh > $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_sabretache
	$(DESTDIR)$(PREFIX)/bin/sabretache completions fish > $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/sabretache.fish

# The tests of the books as WebAssembly, for a telephone without a net. `make web` after it takes it into the page.
pocket:
	rustup target list --installed | grep -qx wasm32-wasip1 || rustup target add wasm32-wasip1
	cargo build --package sabretache-pocket --features books --target wasm32-wasip1 --profile pocket
	cp $${CARGO_TARGET_DIR:-target}/wasm32-wasip1/pocket/pocket.wasm web/public/pocket.wasm

# Booklets, quick sheets and stories as PDF: typst is large, and nothing else builds it. The tests of the pages, then every scenario and every book
# into target/paper.
PAPER := huzzah batteries malbrook
paper:
	cargo test --package sabretache-print --features pdf
	cargo build --package sabretache --features pdf
	mkdir -p target/paper
	for file in scenarios/*/*.toml; do \
		$(PROGRAM) print $$file --pdf target/paper/$$(basename $$file .toml).pdf || exit 1; done
	for book in $(PAPER); do $(PROGRAM) print $$book --quick --pdf target/paper/quick-$$book.pdf || exit 1; done

# What others have made, with its licences: THIRD-PARTY.md.
notices: web
	python3 packaging/notices.py

# The Python package (docs/python.md): the wheel into python/dist, installed into python/.venv with what its tests need, and the tests. It is a workspace of
# its own: nothing of it is built by `make test`.
PYTHON ?= python3
VENV := python/.venv

$(VENV)/.made:
	@$(PYTHON) -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2> /dev/null || { \
		echo "Python 3.10 or later with venv and pip is needed: apt-get install python3-venv, or set PYTHON"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/pip install --quiet "maturin>=1.9,<2"
	touch $@

python-wheel: $(VENV)/.made
	rm -f python/dist/*.whl
	cd python && .venv/bin/maturin build --release --locked --quiet --out dist

python: python-wheel
	$(VENV)/bin/pip install --quiet --force-reinstall --no-deps python/dist/*.whl
	$(VENV)/bin/pip install --quiet "sabretache[test]" --find-links python/dist
	cd python/tests && ../.venv/bin/python -m pytest -q

# Random decisions a second beside OpenSpiel's chess, both from Python, in one run.
python-bench: python-wheel
	$(VENV)/bin/pip install --quiet --force-reinstall --no-deps python/dist/*.whl
	$(VENV)/bin/pip install --quiet numpy open_spiel
	$(VENV)/bin/python bench/python_peers.py
