#include "provisioner/operations/sign_in/security_keys.hpp"

#include <algorithm>

namespace provisioner::operations {

namespace {

constexpr auto key_field = "security-key";

identity::Credential credential_of(const model::SecurityKey& key) {
    return {.id = key.credential,
            .algorithm = key.algorithm,
            .public_key = key.public_key,
            .count = key.count,
            .is_backed_up = key.is_backed_up};
}

base::Problems problems_with_name(const std::string& name,
                                  const std::vector<model::SecurityKey>& keys) {
    if (name.empty()) return {{"name", "Give the key a name, so that you know it again."}};
    if (name.size() > 255) return {{"name", "At most 255 bytes."}};
    if (std::ranges::any_of(keys, [&](const auto& key) { return key.name == name; })) {
        return {{"name", "You have a key of this name already."}};
    }
    return {};
}

}  // namespace

FactorConfirmed add_security_key(store::Database& database, const model::OpenSession& session,
                                 const NewSecurityKey& wanted,
                                 const identity::KeyCeremony& ceremony, const Client& client) {
    FactorConfirmed confirmed;
    const model::UserId user = session.caller.user.id;
    const auto keys = database.read(
        [&](store::Connection& connection) { return store::list_security_keys(connection, user); });
    confirmed.problems = problems_with_name(wanted.name, keys);
    const auto credential = identity::read_new_key(wanted.answer, ceremony);
    if (!credential) confirmed.problems.push_back({key_field, credential.error()});
    if (!confirmed.problems.empty()) return confirmed;
    const model::SecurityKey key{.name = wanted.name,
                                 .host = ceremony.site.host,
                                 .credential = credential->id,
                                 .algorithm = credential->algorithm,
                                 .public_key = credential->public_key,
                                 .count = credential->count,
                                 .is_backed_up = credential->is_backed_up,
                                 .created_at = ceremony.now};
    std::string refusal;
    const FactorCheck check = [&](store::Connection& connection) -> std::optional<std::string> {
        refusal.clear();
        const auto present = store::list_security_keys(connection, user, true);
        if (present.size() >= model::most_security_keys) {
            refusal = "You have " + std::to_string(present.size()) +
                      " keys already. Remove one that you no longer use.";
            return std::nullopt;
        }
        if (!store::insert_security_key(connection, user, key)) {
            refusal = "This key is known already.";
            return std::nullopt;
        }
        return "security key " + key.name;
    };
    confirmed = take_new_factor(database, session, "security key", check, client, ceremony.now);
    if (!refusal.empty()) confirmed.problems = {{key_field, refusal}};
    return confirmed;
}

KeySignature give_security_key(store::Database& database, const model::OpenSession& session,
                               const identity::KeyAnswer& answer,
                               const identity::KeyCeremony& ceremony, const Client& client,
                               const SignInRules& rules) {
    KeySignature signature;
    const FactorCheck check = [&](store::Connection& connection) -> std::optional<std::string> {
        const auto keys = store::list_security_keys(connection, session.caller.user.id, true);
        const auto key = std::ranges::find_if(keys, [&](const auto& one) {
            return one.credential == answer.credential && one.host == ceremony.site.host;
        });
        if (key == keys.end()) {
            signature.reason = "This key is not one of yours here.";
            return std::nullopt;
        }
        const auto count = identity::check_key_answer(answer, credential_of(*key), ceremony);
        if (!count) {
            signature.reason = count.error();
            return std::nullopt;
        }
        store::use_security_key(connection, key->id, *count, ceremony.now);
        return "security key";
    };
    signature.result =
        take_second_step(database, session, "security key", check, client, rules, ceremony.now);
    return signature;
}

}  // namespace provisioner::operations
