#include "provisioner/macros/evaluate.hpp"

#include <algorithm>
#include <stdexcept>

namespace provisioner::macros {

namespace {

using base::unexpected;
using model::Node;

/// Values of a macro before map() and join(). An empty list means "no value"; an empty text is a
/// value.
using Values = base::expected<std::vector<std::string>, MacroError>;

bool has_service(const Node& node, const std::string& service) {
    return std::find(node.services.begin(), node.services.end(), service) != node.services.end();
}

/// Nodes with the service by ascending nodenum.
std::vector<const Node*> nodes_with(const std::string& service, const MacroContext& context) {
    std::vector<const Node*> nodes;
    for (std::size_t i = 0; i < context.nodes.size(); ++i) {
        if (has_service(context.nodes[i], service)) nodes.push_back(&context.nodes[i]);
    }
    std::stable_sort(nodes.begin(), nodes.end(),
                     [](const Node* a, const Node* b) { return a->nodenum < b->nodenum; });
    return nodes;
}

/// Hostname or address of a node, as the macro asks; empty when the node has none.
std::string wanted_of(const Node& node, const Macro& macro) {
    const bool host = macro.subject == Subject::host_self || macro.subject == Subject::host_service;
    if (host) return node.hostname;
    const auto found = node.addresses.find(macro.address_type);
    return found == node.addresses.end() ? "" : found->second;
}

unexpected<MacroError> lacks(const Node& node, const char* what) {
    return macro_error("node " + node.uuid + " has no " + what + " for macro expansion.");
}

Values one_of_service(const Macro& macro, const std::vector<const Node*>& nodes) {
    const auto index = static_cast<std::size_t>(*macro.index);
    if (index >= nodes.size()) {
        return macro_error("There are fewer than " + std::to_string(index + 1) + " nodes with " +
                           macro.service + " on the cluster");
    }
    std::string value = wanted_of(*nodes[index], macro);
    // Wire contract: an indexed node without the value gives "null", not an error.
    return std::vector{value.empty() ? std::string("null") : std::move(value)};
}

Values all_of_service(const Macro& macro, const MacroContext& context) {
    const auto nodes = nodes_with(macro.service, context);
    if (macro.index) return one_of_service(macro, nodes);
    std::vector<std::string> values;
    for (const Node* node : nodes) {
        values.push_back(wanted_of(*node, macro));
        if (!values.back().empty()) continue;
        return lacks(*node, macro.subject == Subject::host_service ? "hostname" : "ip");
    }
    return values;
}

Values host_of_self(const Macro& macro, const MacroContext& context) {
    if (context.self == nullptr || context.self->hostname.empty()) return Values{};
    return std::vector{wanted_of(*context.self, macro)};
}

Values ip_of_self(const Macro& macro, const MacroContext& context) {
    if (context.self == nullptr) return Values{};
    std::string address = wanted_of(*context.self, macro);
    if (address.empty()) return lacks(*context.self, "ip");
    return std::vector{std::move(address)};
}

std::vector<int> numbers_with(const std::string& service, const MacroContext& context) {
    std::vector<int> numbers;
    for (const Node* node : nodes_with(service, context)) numbers.push_back(node->nodenum);
    return numbers;
}

Values instance_of_self(const Macro& macro, const MacroContext& context) {
    if (context.self == nullptr || !has_service(*context.self, macro.service)) return Values{};
    const auto numbers =
        base::kept<std::vector<int>>(context.memo, "numbers of " + macro.service,
                                     [&] { return numbers_with(macro.service, context); });
    const auto self = std::lower_bound(numbers->begin(), numbers->end(), context.self->nodenum);
    return std::vector{std::to_string(self - numbers->begin() + 1)};
}

Values values_of(const Macro& macro, const MacroContext& context) {
    switch (macro.subject) {
        case Subject::cluster_owner:
            return std::vector{context.cluster_owner};
        case Subject::host_self:
            return host_of_self(macro, context);
        case Subject::ip_self:
            return ip_of_self(macro, context);
        case Subject::host_service:
        case Subject::ip_service:
            return all_of_service(macro, context);
        case Subject::num_service:
            return std::vector{std::to_string(nodes_with(macro.service, context).size())};
        case Subject::instance_self_service:
            return instance_of_self(macro, context);
    }
    throw std::logic_error("unknown subject of a macro");
}

}  // namespace

std::string formatted(std::string_view value, std::string_view format) {
    std::string text;
    for (std::size_t i = 0; i < format.size(); ++i) {
        if (format[i] != '$') {
            text += format[i];
        } else if (format.substr(i).starts_with("$$")) {
            text += '$';
            ++i;
        } else {
            text += value;
        }
    }
    return text;
}

std::size_t formatted_size(std::string_view value, std::string_view format) {
    std::size_t size = 0;
    for (std::size_t i = 0; i < format.size(); ++i) {
        const bool is_value = format[i] == '$' && !format.substr(i).starts_with("$$");
        size += is_value ? value.size() : 1;
        if (format.substr(i).starts_with("$$")) ++i;
    }
    return size;
}

base::unexpected<MacroError> too_long(std::size_t longest) {
    return macro_error("it expands to more than " + std::to_string(longest) + " bytes");
}

bool speaks_of_self(const Macro& macro) {
    return macro.subject == Subject::host_self || macro.subject == Subject::ip_self ||
           macro.subject == Subject::instance_self_service;
}

Evaluated evaluate(const Macro& macro, const MacroContext& context) {
    const Values values = values_of(macro, context);
    if (!values) return unexpected(values.error());
    if (values->empty()) return std::optional<std::string>{};
    const std::string_view format = macro.format ? std::string_view(*macro.format) : "$";
    std::string text;
    for (const std::string& value : *values) {
        const std::size_t size = macro.separator.size() + formatted_size(value, format);
        if (size > context.longest || text.size() > context.longest - size) {
            return too_long(context.longest);
        }
        if (&value != &values->front()) text += macro.separator;
        text += macro.format ? formatted(value, *macro.format) : value;
    }
    return std::optional{std::move(text)};
}

}  // namespace provisioner::macros
