# The two commands of the README are `make play` and `make test`; each does its own set-up.
.PHONY: play test lint unit drills clauses program web web-test chromium costs pictures

# The tiny example ruleset is not shipped, but everything is tested with it.
ALL := --workspace --features sabretache/picket
PROGRAM = $${CARGO_TARGET_DIR:-target}/debug/sabretache
# Random layouts and noise are the same in every run, so that a failure is seen again.
export PROPTEST_RNG_SEED ?= 1815

# The battle in the browser, on 127.0.0.1:1815.
play: web
	cargo run --release --package sabretache -- serve

# The client is built first: the server holds it in its binary.
test: web lint unit drills clauses web-test

lint:
	cargo fmt --all --check
	cargo clippy $(ALL) --all-targets -- -D warnings

unit:
	cargo test $(ALL)

# The drills are run by the rulesets' own tests too; here they are run as a rules author runs them.
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

# The table of docs/table-costs.md.
costs:
	cargo run --release --package sabretache-table --example costs > docs/table-costs.md

# The pictures of docs/pictures, all of them.
pictures: web chromium program
	cargo build --package sabretache
	cd web && npm run pictures
