#include "provisioner/automators/shell/shell_scripts.hpp"

namespace provisioner::automators {

std::string wrapper_script() {
    return R"sh(#!/bin/sh
# wrapper.sh <task json> <script> [argument...]: sources a shell script of the current directory,
# runs any other file, or runs the word as a command.

# Scripts without a first line, and those written for Coopr, expect bash where there is one.
if [ -z "${BASH_VERSION:-}" ] && command -v bash >/dev/null 2>&1; then
    exec bash "$0" "$@"
fi

cooperage_lib=${0%/*}
COOPERAGE_TASK_JSON=$1
COOPERAGE_TASK_VALUES=${1%.json}.values
PATH=$PATH:${cooperage_lib%/*}/scripts:$cooperage_lib
export COOPERAGE_TASK_JSON COOPERAGE_TASK_VALUES PATH

coopr_lookup_key() { sh "$cooperage_lib/coopr_lookup_key" "$@"; }

cooperage_is_text() {
    [ "$(tr -d '\000' <"$1" | wc -c)" -eq "$(wc -c <"$1")" ]
}

cooperage_is_shell_script() {
    case $(head -n 1 "$1" | tr -d '\000') in
        '#!'*sh | '#!'*sh[[:space:]]*) return 0 ;;
        '#!'*) return 1 ;;
        *) cooperage_is_text "$1" ;;
    esac
}

cooperage_script=$2
shift 2
if [ ! -f "$cooperage_script" ]; then
    "$cooperage_script" "$@"
    exit
fi
case $cooperage_script in
    */*) ;;
    *) cooperage_script=./$cooperage_script ;;
esac
if cooperage_is_shell_script "$cooperage_script"; then
    # A sourced script would lose the options of its first line: #!/bin/sh -e
    cooperage_options=$(head -n 1 "$cooperage_script" | sed -n 's/^#!.* \(-[efuvx]*\)$/\1/p')
    set ${cooperage_options:+"$cooperage_options"} -- "$@"
    . "$cooperage_script"
else
    "$cooperage_script" "$@"
fi
)sh";
}

std::string lookup_script() {
    return R"sh(#!/bin/sh
# coopr_lookup_key <key>: prints the value of a slash-separated key of the task, for example
# config/cluster/app/dbhost; an array one element to a line.

matches=0
inside=0
found=
tab=$(printf '\t')
# A shell reads a table of thousands of nodes slowly, and only a few of its lines are wanted.
while IFS=$tab read -r key value; do
    case $key in
        "$1") matches=$((matches + 1)) found=$value ;;
        "$1"/*) inside=1 ;;
    esac
done <<LINES
$(grep -F -e "$1" "$COOPERAGE_TASK_VALUES")
LINES

if [ "$matches" -gt 1 ] || [ "$matches$inside" = 01 ]; then
    echo 'non-unique key, multiple matches found' >&2
    exit 1
fi
if [ "$matches" -eq 0 ]; then
    echo 'key not found' >&2
    exit 1
fi
printf '%b\n' "$found"
)sh";
}

}  // namespace provisioner::automators
