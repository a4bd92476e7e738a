#!/usr/bin/env bash
# Runs the browser tests against the tests' set; pictures go to var/screenshots.
set -euo pipefail
cd "$(dirname "$0")"
repo=$(cd ../.. && pwd)
[ -d node_modules/playwright-core ] || npm ci --no-audit --no-fund
export COOPERAGE_ACCESS=${COOPERAGE_TEST_DIR:-$repo/var/test}/access.json
own=${COOPERAGE_TEST_DIR:-$repo/var/test}/etc/own.conf
COOPERAGE_MAIL_PORT=$(sed -n 's/^mail.server = .*://p' "$own")
export COOPERAGE_MAIL_PORT
export COOPERAGE_SHOTS=$repo/var/screenshots
mkdir -p "$COOPERAGE_SHOTS"
exec npm test
