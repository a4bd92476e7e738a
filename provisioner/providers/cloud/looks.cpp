#include "provisioner/providers/cloud/looks.hpp"

#include "provisioner/identity/checksum.hpp"

namespace provisioner::providers::cloud {

namespace {

/// Tokens takes a minute off.
constexpr std::chrono::minutes remembered_for{2};

}  // namespace

bool was_good_lately(const Tools& tools, const std::string& thing, const std::string& wanted,
                     std::chrono::milliseconds trusted) {
    const auto now = tools.calls.now();
    const auto kept = tools.tokens.find(thing, now);
    if (!kept || kept->text.reveal() != identity::checksum(wanted)) return false;
    return now - (kept->expires_at - remembered_for) < trusted;
}

void note_good(const Tools& tools, const std::string& thing, const std::string& wanted) {
    Tokens::Token token;
    token.text = base::Secret(identity::checksum(wanted));
    token.expires_at = tools.calls.now() + remembered_for;
    tools.tokens.keep(thing, std::move(token));
}

void forget_look(const Tools& tools, const std::string& thing) {
    tools.tokens.forget(thing);
}

}  // namespace provisioner::providers::cloud
