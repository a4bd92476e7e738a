#include "provisioner/automators/tool_packages.hpp"

#include "provisioner/remote/quote.hpp"

namespace provisioner::automators {

using remote::quote;

namespace {

/// Part of a condition: whether the version that apt would install is acceptable.
std::string new_enough(const std::string& least) {
    if (least.empty()) return "";
    return R"sh(version=$(apt-cache policy "$1" | sed -n 's/^ *Candidate: \([0-9].*\)/\1/p') &&
            dpkg --compare-versions "${version:-0}" ge )sh" +
           quote(least) + " 2>/dev/null &&\n            ";
}

}  // namespace

remote::Run install_step(const Tool& tool) {
    const std::string yum = quote(tool.yum);
    const std::string absent =
        tool.name + " is not on this node and could not be installed: " + tool.advice;
    std::string script = "there() { " + tool.is_there + " >/dev/null 2>&1; }\n";
    script += "ready() {\n" + tool.afterwards + "exit 0\n}\n";
    script += R"sh(there && exit 0
packages=
refresh() { :; }
if command -v apt-get >/dev/null 2>&1; then
    export DEBIAN_FRONTEND=noninteractive
    refresh() { apt-get -q update; }
    add() {
        )sh" + new_enough(tool.apt_least);
    script += R"sh(apt-get -q install -y --no-install-recommends -o DPkg::Lock::Timeout=300 "$1"
    }
    packages=)sh" +
              quote(tool.apt);
    script += R"sh(
elif command -v dnf >/dev/null 2>&1; then
    add() { dnf -q -y install "$1"; }
    packages=)sh" +
              yum;
    script += R"sh(
elif command -v yum >/dev/null 2>&1; then
    add() { yum -q -y install "$1"; }
    packages=)sh" +
              yum;
    script += R"sh(
fi
try() {
    for package in $packages; do
        add "$package" </dev/null && there && ready
    done
}
try
if [ -n "$packages" ] && refresh; then try; fi
)sh";
    script += tool.otherwise + "there && ready\necho " + quote(absent) + " >&2\nexit 1\n";
    return {.label = "install " + tool.name, .script = std::move(script)};
}

}  // namespace provisioner::automators
