#include "provisioner/operations/identity_providers/findings.hpp"

#include <algorithm>
#include <iterator>

#include "provisioner/base/utf8.hpp"
#include "provisioner/federation/ldap/directory.hpp"
#include "provisioner/model/names.hpp"

namespace provisioner::operations {

using federation::Deadline;
using model::IdentityProvider;

namespace {

/// The groups of rules, each once, that a directory can be asked for.
std::vector<std::string> groups_of_rules(const IdentityProvider& provider) {
    std::vector<std::string> groups;
    for (const model::MembershipRule& rule : provider.rules) {
        if (rule.value != "*" && model::is_distinguished_name(rule.value)) {
            groups.push_back(rule.value);
        }
    }
    return model::without_repetition(groups);
}

/// Of a server to which there is no connection: why, in the words that help most.
ServerFindings findings_without_connection(const IdentityProvider& provider,
                                           const federation::Trouble& trouble,
                                           const Deadline& deadline) {
    ServerFindings one{.server = provider.servers, .is_passed_over = trouble.may_ask_next};
    std::string problem = trouble.reason;
    std::string setting;
    federation::CertificateProblem why;
    if (trouble.is_certificate) why = federation::Directory::why_not_trusted(provider, deadline);
    if (!why.words.empty()) {
        problem = why.words;
        if (why.is_untrusted) setting = "authorities";
    } else if (trouble.kind == federation::Trouble::Kind::away) {
        const std::string hint = federation::Directory::hint_about_tls(provider, deadline);
        if (!hint.empty()) problem = hint;
        if (!hint.empty()) setting = "servers";
    }
    if (!setting.empty()) one.found.notes.push_back({setting, problem});
    one.found.problems.push_back(std::move(problem));
    return one;
}

ServerFindings ask_server(const IdentityProvider& provider, const Deadline& deadline) {
    auto directory = federation::Directory::connect(provider, deadline);
    if (!directory) return findings_without_connection(provider, directory.error(), deadline);
    ServerFindings one{.server = provider.servers};
    const auto tried = directory->try_searches(deadline);
    if (!tried) {
        one.found.problems.push_back(tried.error().reason);
        return one;
    }
    if (auto warning = directory->warning_about_people(deadline)) {
        one.found.warnings.push_back(*std::move(warning));
    }
    one.found.notes = directory->notes_about_groups(groups_of_rules(provider), deadline);
    warn_if_no_rule_fits(provider, one.found);
    return one;
}

bool is_about_all_groups(const base::Problem& note) {
    return note.field == "groupBase" || note.field == "groupAttribute" ||
           note.field == "groupsClaim" || note.field == "nestedGroups.unknown";
}

IdentityFindings findings_of(const federation::Trouble& trouble) {
    IdentityFindings found{.problems = {trouble.reason}};
    if (!trouble.setting.empty()) found.notes = {{trouble.setting, trouble.reason}};
    return found;
}

/// What a server that is not used says, as notes: each of its problems keeps the setting that
/// mends it.
void note_unused(const ServerFindings& server, const std::string& used, base::Problems& notes) {
    const auto note = [&](const std::string& field, const std::string& words) {
        notes.push_back(
            {field, words + (words.ends_with('.') ? "" : ".") + " Logins use " + used + '.'});
    };
    for (const std::string& problem : server.found.problems) {
        const auto mended = std::ranges::find(server.found.notes, problem, &base::Problem::message);
        note(mended == server.found.notes.end() ? "servers" : mended->field, problem);
    }
    for (const auto& warning : server.found.warnings) note("servers", warning.message);
}

/// Values of a discovery document in a sentence.
std::string listed_of_document(const std::vector<std::string>& values) {
    constexpr std::size_t shown_at_most = 200;
    std::string list;
    for (const std::string& one : values) list += (list.empty() ? "" : ", ") + one;
    return base::printable(list, shown_at_most);
}

/// Notes that none of the values of acr that count as two factors is one that the provider states.
void note_acr_values(const IdentityProvider& provider, const federation::Discovery& discovery,
                     base::Problems& notes) {
    const auto& stated = discovery.acr_values;
    const auto counted = IdentityProvider::words_of(provider.acr_values);
    if (stated.empty() || counted.empty()) return;
    const bool has_any = std::ranges::any_of(
        counted, [&](const std::string& one) { return std::ranges::count(stated, one) > 0; });
    if (has_any) return;
    notes.push_back({"acrValues", "The discovery document states other values of acr (" +
                                      listed_of_document(stated) +
                                      "): acr may never show two factors."});
}

/// Notes that the provider does not state the chosen way to authenticate (OpenID Connect Discovery,
/// 3: one that states none takes client_secret_basic). A client without a secret does not
/// authenticate, and few providers state that.
void note_client_auth(const IdentityProvider& provider, const federation::Discovery& discovery,
                      base::Problems& notes) {
    const auto& stated = discovery.client_auths;
    const std::string basic = "client_secret_basic";
    const std::string chosen = "client_secret_" + provider.client_auth;
    if (provider.client_auth == "none") return;
    if (stated.empty() ? chosen == basic : std::ranges::count(stated, chosen) > 0) return;
    const std::string says =
        stated.empty() ? "no method, which means " + basic : listed_of_document(stated);
    notes.push_back({"clientAuth", "The discovery document states " + says + ", not " + chosen +
                                       ": the provider may refuse all logins."});
}

}  // namespace

void warn_if_no_rule_fits(const IdentityProvider& provider, IdentityFindings& findings) {
    auto& notes = findings.notes;
    const bool has_groups = std::ranges::none_of(notes, is_about_all_groups);
    bool is_named = false;
    for (const model::MembershipRule& rule : provider.rules) {
        const bool is_group =
            provider.kind == model::IdentityKind::oidc || model::is_distinguished_name(rule.value);
        const bool fits_nobody =
            !has_groups || !is_group ||
            std::ranges::count(notes, model::note_of_rule(rule.value), &base::Problem::field) > 0;
        if (rule.value == "*" || !fits_nobody) return;
        is_named = is_named || is_group;
    }
    if (provider.rules.empty()) return;
    if (!is_named) {
        findings.warnings.push_back(
            {"rules", "No rule is for a group of the directory: those are distinguished names."});
    }
    const auto about_groups = std::ranges::stable_partition(notes, [](const base::Problem& note) {
        return !is_about_all_groups(note) && note.field != "nestedGroups" &&
               !note.field.starts_with(model::note_of_rule(""));
    });
    std::ranges::move(about_groups, std::back_inserter(findings.warnings));
    notes.erase(about_groups.begin(), notes.end());
}

IdentityFindings findings_of_servers(std::vector<ServerFindings> servers) {
    const auto used = std::ranges::find(servers, false, &ServerFindings::is_passed_over);
    const bool works = used != servers.end() && used->found.problems.empty();
    IdentityFindings all = works ? std::move(used->found) : IdentityFindings();
    for (auto one = servers.begin(); one != servers.end(); ++one) {
        if (works && one == used) continue;
        if (works) {
            note_unused(*one, used->server, all.notes);
            continue;
        }
        const auto& told = one->found.problems;
        std::ranges::copy(told, std::back_inserter(all.problems));
        std::ranges::move(one->found.warnings, std::back_inserter(all.warnings));
        std::ranges::copy_if(
            one->found.notes, std::back_inserter(all.notes),
            [&](const auto& note) { return std::ranges::count(told, note.message) > 0; });
    }
    if (works || used == servers.end()) return all;
    const auto fine = std::find_if(used, servers.end(), [](const ServerFindings& one) {
        return !one.is_passed_over && one.found.problems.empty();
    });
    if (fine != servers.end()) {
        all.problems.push_back(fine->server + " works, but logins do not go on to it: " +
                               used->server + " answers and says no.");
    }
    return all;
}

// Each server has its share of the time that is left, so that one that does not answer leaves time
// for the others.
IdentityFindings findings_of_directory(const IdentityProvider& provider) {
    auto servers = model::without_repetition(IdentityProvider::words_of(provider.servers));
    servers.resize(std::min(servers.size(), model::most_identity_servers));
    const Deadline whole(federation::whole_limit);
    std::vector<ServerFindings> all;
    for (std::size_t i = 0; i < servers.size(); ++i) {
        if (whole.is_over()) {
            all.push_back({.server = servers[i],
                           .is_passed_over = true,
                           .found = {.problems = {servers[i] + ": no time was left to ask it"}}});
            continue;
        }
        IdentityProvider one = provider;
        one.servers = servers[i];
        all.push_back(
            ask_server(one, Deadline(whole.left() / static_cast<int>(servers.size() - i))));
    }
    return findings_of_servers(std::move(all));
}

IdentityFindings findings_of_oidc(federation::OidcClient& oidc, const IdentityProvider& provider) {
    const auto asked = oidc.renew(provider, Deadline(federation::whole_limit));
    if (!asked) return findings_of(asked.error());
    IdentityFindings found;
    if (provider.groups_claim.empty()) {
        found.notes.push_back(
            {"groupsClaim", "Without it nobody has a group, and only rules for * fit."});
        warn_if_no_rule_fits(provider, found);
        if (found.warnings.empty()) found.notes.clear();
    }
    note_client_auth(provider, *asked, found.notes);
    note_acr_values(provider, *asked, found.notes);
    return found;
}

}  // namespace provisioner::operations
