// Texts with macros: expanding them must answer, and a text without a percent sign comes out as it
// went in.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "provisioner/macros/expand.hpp"

using namespace provisioner;

namespace {

std::vector<model::Node> three_nodes() {
    std::vector<model::Node> nodes;
    for (int i = 0; i < 3; ++i) {
        model::Node node;
        node.nodenum = 1000 + i;
        node.hostname = "n" + std::to_string(i) + ".example.com";
        node.services =
            i == 0 ? std::vector<std::string>{"web", "db"} : std::vector<std::string>{"db"};
        node.addresses = {{"access_v4", "10.0.0." + std::to_string(i)},
                          {"bind_v4", "10.1.0." + std::to_string(i)}};
        nodes.push_back(std::move(node));
    }
    return nodes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const auto nodes = three_nodes();
    const std::string text(reinterpret_cast<const char*>(data), size);
    const macros::MacroContext context{
        .cluster_owner = "o", .nodes = &nodes, .self = &nodes.front()};
    const auto expanded = macros::expand(text, context);
    if (!expanded && expanded.error().message.empty()) std::abort();
    if (text.find('%') == std::string::npos && (!expanded || *expanded != text)) std::abort();
    macros::expand_link(text, context);
    return 0;
}
