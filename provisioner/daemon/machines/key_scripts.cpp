#include "provisioner/daemon/machines/key_scripts.hpp"

#include "provisioner/remote/quote.hpp"

namespace provisioner::daemon {

namespace {

/// What both begin with. files_of USER prints the paths of the user's files, one a line.
constexpr auto script_functions = R"sh(
set -u
umask 077
home_of() { getent passwd "$1" | cut -d: -f6; }
files_of() {
    home=$(home_of "$1")
    [ -n "$home" ] || return 1
    names=$(settings_of_sshd -T -C "user=$1,host=localhost,addr=127.0.0.1" 2>/dev/null |
        sed -n 's/^authorizedkeysfile //p')
    for name in ${names:-.ssh/authorized_keys}; do
        name=$(printf '%s\n' "$name" | sed "s|%u|$1|g; s|%h|$home|g; s|%%|%|g")
        case $name in
            none) ;;
            /*) printf '%s\n' "$name" ;;
            *) printf '%s\n' "$home/$name" ;;
        esac
    done
}
# Until the script ends nobody else changes the files, and then nobody with a lower fence.
be_alone() {
    mkdir -p "$state" && exec 9>>"$state/login_keys.lock" || exit 1
    flock -w 15 9 || { echo "another change of the login keys goes on" >&2; exit 1; }
    last=$(cat "$state/login_keys.fence" 2>/dev/null)
    case $last in '' | *[!0-9]*) last=0 ;; esac
    [ "$last" -le "$fence" ] || { echo "a later change of the login keys was here" >&2; exit 1; }
    printf '%s\n' "$fence" >"$state/login_keys.fence.new" && sync "$state/login_keys.fence.new" &&
        mv -f "$state/login_keys.fence.new" "$state/login_keys.fence" || exit 1
}
# replace FILE: its new text comes by standard input; owner and mode stay. A link stays one.
replace() {
    place=$(readlink -f "$1") || return 1
    rm -f "${place%/*}"/.cooperage.??????????
    fresh=$(mktemp "${place%/*}/.cooperage.XXXXXXXXXX") || return 1
    { [ ! -e "$place" ] || cp -p "$place" "$fresh"; } && cat >"$fresh" && sync "$fresh" &&
        mv -f "$fresh" "$place" && return 0
    rm -f "$fresh"
    return 1
}
# Whether the new key lets in by FILE. A line that begins with # does not count.
has_new() { grep -sF -e "$blob" -- "$1" | grep -qv '^[[:space:]]*#'; }
)sh";

/// The part of a public key that no other key has: its second word.
std::string blob_of(const std::string& key) {
    const auto begin = key.find(' ') + 1;
    return key.substr(begin, key.find(' ', begin) - begin);
}

/// Words of grep that find a line with one of the keys.
std::string patterns_of(const std::vector<std::string>& keys) {
    std::string words;
    for (const std::string& key : keys) words += " -e " + remote::quote(blob_of(key));
    return words;
}

std::string script_beginning(const KeyChange& change) {
    const std::string patterns = patterns_of(change.older);
    const bool has_older = !change.older.empty();
    return std::string(script_functions) + "settings_of_sshd() { " + change.sshd + " \"$@\"; }\n" +
           "user=" + remote::quote(change.user) + " key=" + remote::quote(change.key) +
           " blob=" + remote::quote(blob_of(change.key)) +
           "\nstate=" + remote::quote(change.state) + " fence=" + std::to_string(change.fence) +
           "\nhas_older() { " + (has_older ? "grep -qsF" + patterns + " -- \"$1\"" : "false") +
           "; }\n" + "without_older() { " +
           (has_older ? "grep -vF" + patterns + " -- \"$1\"" : "cat \"$1\"") + "; }\nbe_alone\n";
}

}  // namespace

std::string add_key_script(const KeyChange& change) {
    return script_beginning(change) + R"sh(
files=$(files_of "$user") || { echo "there is no user $user" >&2; exit 1; }
target=
for file in $files; do
    has_new "$file" && exit 0
    if has_older "$file"; then target=$file; break; fi
done
if [ -z "$target" ]; then
    for file in $files; do
        if [ -e "$file" ]; then target=$file; break; fi
    done
fi
if [ -z "$target" ]; then
    target=$(home_of "$user")/.ssh/authorized_keys
    mkdir -p "${target%/*}" && : >"$target" && chown -R "$user": "${target%/*}" || exit
fi
# First the whole text: a file that is cut because awk could not be started lets nobody in.
text=$(awk 1 "$target") && printf '%s%s%s\n' "$text" "${text:+
}" "$key" | replace "$target" && has_new "$target"
)sh";
}

std::string remove_keys_script(const KeyChange& change) {
    return script_beginning(change) + R"sh(
files=$(files_of "$user") || { echo "there is no user $user" >&2; exit 1; }
found=
for file in $files; do
    if has_new "$file"; then found=yes; fi
done
[ -n "$found" ] || { echo "the new key is not there" >&2; exit 1; }
if [ "$user" != root ]; then files="$files $(files_of root)"; fi
for file in $files; do
    has_older "$file" || continue
    text=$(without_older "$file")
    [ "$?" -le 1 ] || exit 1
    printf '%s%s' "$text" "${text:+
}" | replace "$file" || exit 1
done
)sh";
}

}  // namespace provisioner::daemon
