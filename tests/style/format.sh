#!/usr/bin/env bash
# Every C++ file is formatted as .clang-format says and loops over nothing that may be gone; every shell script parses.
set -euo pipefail
cd "$(dirname "$0")/../.."
git ls-files '*.cpp' '*.hpp' | xargs -P "$(nproc)" -n 20 clang-format --dry-run -Werror
git ls-files "*.cpp" "*.hpp" | xargs perl tests/style/loops.pl
git ls-files '*.sh' cooperage tests/bench/run .ci/run | grep -v step_wrapper.sh | xargs -n 1 bash -n
