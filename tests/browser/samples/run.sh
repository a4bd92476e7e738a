#!/usr/bin/env bash
# Draws all samples of pages and looks at them: run.sh DRAW_SAMPLES
set -euo pipefail
draw=$1
cd "$(dirname "$0")/.."
repo=$(cd ../.. && pwd)
[ -d node_modules/axe-core ] || npm ci --no-audit --no-fund
drawn=$(mktemp -d)
trap 'rm -rf "$drawn"' EXIT
(cd "$repo" && "$draw" "$drawn")
node samples/are_accessible.mjs "$drawn" "$repo/static"
