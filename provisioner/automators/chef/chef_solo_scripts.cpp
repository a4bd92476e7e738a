#include "provisioner/automators/chef/chef_solo_scripts.hpp"

#include "provisioner/automators/node_files.hpp"

namespace provisioner::automators {

std::string run_chef_script() {
    return "#!/bin/sh\n"
           "# run-chef <file with attributes> <run list>\n"
           "PATH=$PATH:" +
           chef_path() + "\nexport PATH\n" + utf8_locale() + R"sh(
# Cinc brings a chef-solo too, which only calls cinc-solo, so that one is asked for first.
if command -v cinc-solo >/dev/null 2>&1; then
    cinc-solo -c "${0%/*}/solo.rb" --no-color -j "$1" -o "$2" </dev/null
else
    chef-solo --no-color -j "$1" -o "$2" </dev/null
fi
status=$?

# Source: docs.chef.io, "Chef Infra Client executable", exit codes.
if [ "$status" -eq 172 ]; then
    echo "this Chef wants its licence accepted: accept it in the image, or put cinc-solo there instead" >&2
fi
exit "$status"
)sh";
}

std::string solo_configuration() {
    return R"rb(cookbook_path "/var/chef/cookbooks"
data_bag_path "/var/chef/data_bags"
role_path "/var/chef/roles"
)rb";
}

std::string install_chef_by_vendor() {
    return R"sh(fetch() {
    if command -v curl >/dev/null 2>&1; then curl -fsSL --connect-timeout 20 "$1"; else wget -q -T 20 -O - "$1"; fi
}
installer=$(mktemp)
if fetch https://omnitruck.chef.io/install.sh >"$installer"; then sh "$installer" -v 12.21.3 </dev/null; fi
rm -f "$installer"
)sh";
}

std::string chef_path() {
    return "/opt/cinc/bin:/opt/chef/bin";
}

}  // namespace provisioner::automators
