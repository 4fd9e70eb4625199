# The two commands of the README are `make play` and `make test`; each does its own set-up.
.PHONY: play test lint unit drills clauses costs

# The tiny example ruleset is not shipped, but everything is tested with it.
ALL := --workspace --features sabretache/picket
# Random layouts and noise are the same in every run, so that a failure is seen again.
export PROPTEST_RNG_SEED ?= 1815

play:
	cargo run --release --package sabretache -- fight

test: lint unit drills clauses

lint:
	cargo fmt --all --check
	cargo clippy $(ALL) --all-targets -- -D warnings

unit:
	cargo test $(ALL)

# The drills are run by the rulesets' own tests too; here they are run as a rules author runs them.
drills:
	cargo run --quiet --package sabretache --features picket -- drill drills crates/picket/drills

clauses:
	@cargo run --quiet --package sabretache -- clauses

# The table of docs/table-costs.md.
costs:
	cargo run --release --package sabretache-table --example costs > docs/table-costs.md
