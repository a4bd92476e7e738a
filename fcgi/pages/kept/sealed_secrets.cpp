#include "fcgi/pages/kept/sealed_secrets.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "fcgi/pages/kept/kept_form.hpp"

namespace fcgi::pages {

namespace {

using provisioner::base::Secret;
using provisioner::store::KeptForm;

std::string place_of_secrets(const KeptForm& form, provisioner::model::UserId user) {
    return "kept form of user " + std::to_string(user.value) + " to " + form.path;
}

std::set<std::string> names_of_secrets(const http::FormData& fields) {
    const auto names = fields.all(kept_secret);
    return {names.begin(), names.end()};
}

}  // namespace

void seal_secrets(KeptForm& form, const http::FormData& sent, provisioner::model::UserId user,
                  const provisioner::identity::Vault& vault) {
    http::FormData fields = http::parse_form(form.body);
    const auto names = names_of_secrets(fields);
    if (names.empty()) return;
    http::FormData secrets;
    for (const auto& field : sent.fields) {
        if (names.contains(field.first)) secrets.fields.push_back(field);
    }
    try {
        fields.fields.emplace_back(kept_sealed, vault.seal(Secret(http::urlencoded(secrets)),
                                                           place_of_secrets(form, user)));
    } catch (const provisioner::identity::VaultError&) {
        return;
    }
    form.body = http::urlencoded(fields);
}

bool unseal_secrets(KeptForm& form, provisioner::model::UserId user,
                    const provisioner::identity::Vault& vault) {
    http::FormData fields = http::parse_form(form.body);
    const auto names = names_of_secrets(fields);
    if (names.empty()) return true;
    const auto sealed = fields.first(kept_sealed);
    if (!sealed) return false;
    http::FormData secrets;
    try {
        secrets = http::parse_form(vault.open(*sealed, place_of_secrets(form, user)).reveal());
    } catch (const provisioner::identity::VaultError&) {
        return false;
    }
    for (const std::string& name : names) {
        if (!secrets.has(name)) return false;
    }
    std::erase_if(fields.fields, [](const auto& field) {
        return field.first == kept_secret || field.first == kept_sealed;
    });
    std::ranges::move(secrets.fields, std::back_inserter(fields.fields));
    form.body = http::urlencoded(fields);
    return true;
}

}  // namespace fcgi::pages
