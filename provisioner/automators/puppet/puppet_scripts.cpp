#include "provisioner/automators/puppet/puppet_scripts.hpp"

#include "provisioner/automators/node_files.hpp"

namespace provisioner::automators {

std::string apply_manifest_script() {
    return "#!/bin/sh\n"
           "# apply-manifest <workspace> <argument of puppet apply>...\n"
           "PATH=$PATH:" +
           puppet_path() + "\nexport PATH\n" + utf8_locale() + R"sh(
workspace=$1
shift
puppet apply --detailed-exitcodes --color=false --logdest=console --logdest="$workspace/log" \
    --hiera_config="$workspace/hiera.yaml" --environmentpath="$workspace/environments" \
    --pluginfactdest="$workspace/facts.d" --certname="$COOPERAGE_HOSTNAME" "$@" </dev/null
status=$?

# 2: there were changes; 4 and 6: resources failed, without and with changes.
[ "$status" -ne 2 ] || exit 0
if [ "$status" -ne 0 ] && [ -f "$workspace/log" ]; then
    # Each line is: date, time, zone, whose it is, (level): message.
    sed -n 's/^[^ ]* [^ ]* [^ ]* \(.*\) (err): /Error: \1: /p' "$workspace/log" | tail -n 1 >&2
fi
exit "$status"
)sh";
}

std::string stop_agent() {
    return "(\n    PATH=$PATH:" + puppet_path() + R"sh(
    puppet resource service puppet ensure=stopped enable=false --color=false </dev/null
)
)sh";
}

std::string puppet_path() {
    return "/opt/puppetlabs/bin";
}

}  // namespace provisioner::automators
