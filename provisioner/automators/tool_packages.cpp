#include "provisioner/automators/tool_packages.hpp"

#include "provisioner/remote/quote.hpp"

namespace provisioner::automators {

using remote::quote;

namespace {

/// Part of a condition: whether apt would install a version that will do.
std::string new_enough(const std::string& least) {
    if (least.empty()) return "";
    return R"sh(version=$(apt-cache policy "$1" | sed -n 's/^ *Candidate: //p') &&
            dpkg --compare-versions "${version:-0}" ge )sh" +
           quote(least) + " 2>/dev/null &&\n            ";
}

}  // namespace

remote::Run install_step(const Tool& tool) {
    std::string script =
        "there() { " + tool.is_there + " >/dev/null 2>&1; }\n" +
        R"sh(there && exit 0
packages=
refresh() { :; }
if command -v apt-get >/dev/null 2>&1; then
    packages=)sh" +
        quote(tool.apt) +
        R"sh(
    export DEBIAN_FRONTEND=noninteractive
    add() {
        )sh" +
        new_enough(tool.apt_least) +
        R"sh(apt-get -q install -y --no-install-recommends -o DPkg::Lock::Timeout=300 "$1"
    }
    refresh() { apt-get -q update; }
elif command -v dnf >/dev/null 2>&1; then
    packages=)sh" +
        quote(tool.yum) +
        R"sh(
    add() { dnf -q -y install "$1"; }
elif command -v yum >/dev/null 2>&1; then
    packages=)sh" +
        quote(tool.yum) +
        R"sh(
    add() { yum -q -y install "$1"; }
fi
try() {
    for package in $packages; do
        add "$package" </dev/null && there && exit 0
    done
}
try
if [ -n "$packages" ] && refresh; then try; fi
)sh" + tool.otherwise +
        "there && exit 0\n" + "echo " +
        quote(tool.name + " is not on this node and could not be installed: " + tool.advice) +
        " >&2\nexit 1\n";
    return {.label = "install " + tool.name, .script = std::move(script)};
}

}  // namespace provisioner::automators
