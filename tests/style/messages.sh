#!/usr/bin/env bash
# views/messages/cooperage.pot has every text that readers see: the sentences of the views, and what stands in translated(),
# translated_count() and for_translation(). With --write it is written anew.
#
# usage: messages.sh WRITE_MESSAGES [--write]
set -euo pipefail
export LC_ALL=C.UTF-8
program=$(readlink -f "$1")
cd "$(dirname "$0")/../.."
stored=views/messages/cooperage.pot
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
"$program" "$made/views.pot"
git ls-files 'fcgi/*.cpp' 'fcgi/*.hpp' 'provisioner/*.cpp' 'provisioner/*.hpp' | sort |
    xgettext --language=C++ --from-code=UTF-8 --keyword --keyword=translated:1 --keyword=translated_count:2,3 \
        --keyword=for_translation:1 --no-location --sort-output --files-from=- --output="$made/program.pot" 2>"$made/warnings"
grep -v 'non-ASCII characters\|translators who use a\|from yours\|^ \{20\}' "$made/warnings" || true
# Without places: numbers of lines would change with every edit.
msgcat --use-first --no-wrap --force-po --to-code=UTF-8 "$made/views.pot" "$made/program.pot" | grep -v '^#, c-format' >"$made/all.pot"
if [ "${2:-}" = --write ]; then
    cp "$made/all.pot" "$stored"
elif ! diff -u "$stored" "$made/all.pot" >"$made/difference"; then
    head -n 40 "$made/difference"
    echo "$stored is behind: tests/style/messages.sh $program --write"
    exit 1
fi
