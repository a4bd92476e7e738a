#include "provisioner/callbacks/targets.hpp"

#include <algorithm>
#include <stdexcept>

#include "provisioner/identity/private_file.hpp"

namespace provisioner::callbacks {

namespace {

std::string lowered_without_blanks(const std::string& text) {
    std::string word;
    for (const char c : text) {
        if (c == ' ' || c == '\t') continue;
        word += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    }
    return word;
}

/// Nothing for an empty list, which means all. A list of unknown words gives an empty set instead.
std::optional<std::set<model::Operation>> operations_in(const std::string& list) {
    if (list.empty()) return std::nullopt;
    std::set<model::Operation> operations;
    std::size_t from = 0;
    while (from <= list.size()) {
        const auto comma = std::min(list.find(',', from), list.size());
        const auto word = lowered_without_blanks(list.substr(from, comma - from));
        const auto operation = base::from_word<model::Operation>(word);
        if (operation) operations.insert(*operation);
        from = comma + 1;
    }
    return operations;
}

base::Secret secret_in(const base::Config& config) {
    base::Secret secret(config.get_or("callback.secret", ""));
    const auto path = config.get_or("callback.secret_file", "");
    if (path.empty()) return secret;
    if (!secret.reveal().empty()) {
        throw std::runtime_error("callback.secret and callback.secret_file are both set");
    }
    return identity::private_line(path);
}

}  // namespace

std::optional<std::string> Targets::url_for(model::CallbackEvent event,
                                            model::Operation operation) const {
    const auto found = of_event.find(event);
    if (found == of_event.end()) return std::nullopt;
    const Target& target = found->second;
    // An expiring lease is not the result of an operation, so triggers do not apply.
    const bool wanted = event == model::CallbackEvent::expiring || target.triggers.empty() ||
                        target.triggers.contains(operation);
    return wanted ? std::optional(target.url) : std::nullopt;
}

Targets targets_from(const base::Config& config) {
    Targets targets;
    for (const auto& [event, word] : base::words<model::CallbackEvent>) {
        const std::string prefix = "callback." + std::string(word) + ".";
        Target target{.url = config.get_or(prefix + "url", ""), .triggers = {}};
        const auto triggers = operations_in(config.get_or(prefix + "triggers", ""));
        if (target.url.empty() || (triggers && triggers->empty())) continue;
        if (triggers) target.triggers = *triggers;
        targets.of_event.emplace(event, std::move(target));
    }
    targets.secret = secret_in(config);
    targets.limit = std::chrono::seconds{config.number_or("callback.timeout", 10)};
    targets.warning = std::chrono::hours{config.number_or("lease.warning_hours", 24)};
    return targets;
}

}  // namespace provisioner::callbacks
