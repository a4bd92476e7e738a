#include "provisioner/automators/ansible/ansible_scripts.hpp"

#include "provisioner/automators/node_files.hpp"

namespace provisioner::automators {

std::string run_playbook_script() {
    return "#!/bin/sh\n"
           "# run-playbook <log> <argument of ansible-playbook>...: runs it, and fails when the "
           "playbook "
           "has no play\n# for this node, which Ansible counts as success.\n"
           "PATH=$PATH:" +
           ansible_path() + "\nexport PATH\n" + utf8_locale() + R"sh(export ANSIBLE_LOG_PATH="$1"
export ANSIBLE_NOCOLOR=1 ANSIBLE_RETRY_FILES_ENABLED=0 ANSIBLE_NOCOWS=1
export ANSIBLE_PYTHON_INTERPRETER=auto_silent ANSIBLE_TRANSFORM_INVALID_GROUP_CHARS=ignore
export ANSIBLE_LOCAL_TEMP="${1%/*}/tmp" ANSIBLE_REMOTE_TEMP="${1%/*}/tmp"
export ANSIBLE_ROLES_PATH=/var/cache/cooperage/ansible/roles:/etc/ansible/roles:/usr/share/ansible/roles
shift
ansible-playbook "$@" </dev/null
status=$?
if [ "$status" -ne 0 ]; then
    # What failed stands above the recap, as one long line; people read the last line of stderr.
    awk '
        # The text of a key in the JSON of this line.
        function value_of(key, at, rest) {
            at = index($0, "\"" key "\": \"")
            if (at == 0) return ""
            rest = substr($0, at + length(key) + 5)
            match(rest, /^([^"\\]|\\.)*/)
            rest = substr(rest, 1, RLENGTH)
            gsub(/\\n/, "\n", rest)
            gsub(/\\"/, "\"", rest)
            sub(/\n+$/, "", rest)
            return rest
        }
        { sub(/^[^|]* \| /, "") }
        /^TASK \[/ || /^RUNNING HANDLER \[/ { task = $0; sub(/ \**$/, "", task) }
        /^(fatal|failed): \[/ {
            said = value_of("msg")
            if (said == "") said = value_of("censored")
            if (said == "") said = $0
            sub(/\n.*/, "", said)
            last = value_of("stderr")
            sub(/.*\n/, "", last)
            why = task ": " substr(said, 1, 500)
            if (last != "" && index(said, last) == 0) why = why ": " substr(last, 1, 500)
        }
        END { if (why != "") print why }' "$ANSIBLE_LOG_PATH" >&2
    exit "$status"
fi

plays=$(grep -c ' | PLAY \[' "$ANSIBLE_LOG_PATH")
others=$(grep -c ' | skipping: no hosts matched' "$ANSIBLE_LOG_PATH")
if [ "$plays" -eq "$others" ]; then
    echo "no play of the playbook is for this node: its hosts must be all, $COOPERAGE_HOSTNAME or a service" \
        "of this node" >&2
    exit 1
fi
)sh";
}

std::string install_ansible_by_pip() {
    return R"sh(if command -v python3 >/dev/null 2>&1; then
    venv=/var/cache/cooperage/ansible/venv
    python3 -m venv $venv && $venv/bin/pip install --quiet ansible-core </dev/null
fi
)sh";
}

std::string ansible_path() {
    return "/usr/local/bin:/var/cache/cooperage/ansible/venv/bin";
}

}  // namespace provisioner::automators
