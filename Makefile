# The two commands of the README are `make play` and `make test`; each does its own set-up.
.PHONY: play test lint clauses drills docs-tables

play:
	cargo run --release --package sabretache -- fight

test: lint
	cargo test --workspace --all-targets
	cargo test --workspace --doc

lint:
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings
