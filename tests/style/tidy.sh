#!/usr/bin/env bash
# clang-tidy with the checks of .clang-tidy over the product's sources, or over the files given. A file that was clean is
# not looked at again until it, a header of ours or the checks change.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=build/release
clean=$build/tidy
mkdir -p "$clean"
# clang cannot read gcc's precompiled header: the same text is included as it is.
sed -e 's|-include [^ ]*cmake_pch.hxx|-include '"$PWD"'/provisioner/base/pch.hpp|; s|-fpch-preprocess||; s|-Winvalid-pch||' \
    "$build/compile_commands.json" >"$clean/compile_commands.json"
common=$(git ls-files '*.hpp' .clang-tidy CMakeLists.txt | xargs cat | sha256sum)
look_at() {
    local mark
    mark=$clean/$( (echo "$common"; echo "$1"; cat "$1") | sha256sum | cut -d' ' -f1)
    [ -e "$mark" ] && return
    clang-tidy --quiet -p "$clean" --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-ignored-optimization-argument \
        "$1" 2>/dev/null || { echo "clang-tidy: $1" >&2 && return 1; }
    : >"$mark"
}
export -f look_at
export common clean build
if [ $# -gt 0 ]; then files=$(printf '%s\n' "$@"); else
    # clang 14 does not know the coroutines Boost's awaitable needs.
    files=$(git ls-files 'provisioner/*.cpp' 'fcgi/*.cpp' |
        grep -vE '^provisioner/(daemon/(engine|main|tasks/performer|machines/(orphans|swept_accounts)|claims/reporter)|http_client/curl_(client|loop)|callbacks/sender|remote/(answer|kept_|routing_|ssh_|session_|wire)|simulation/simulated_session|providers/)')
fi
echo "$files" | xargs -P "$(nproc)" -I{} bash -c 'look_at {}'
