#include "provisioner/operations/identity_providers/findings.hpp"

#include <algorithm>
#include <iterator>

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

ServerFindings ask_server(const IdentityProvider& provider, const Deadline& deadline) {
    ServerFindings one{.server = provider.servers};
    auto directory = federation::Directory::connect(provider, deadline);
    if (!directory) {
        std::string problem = directory.error().reason;
        if (directory.error().is_certificate) {
            const auto why = federation::Directory::why_not_trusted(provider, deadline);
            if (!why.empty()) problem += ": " + why;
        }
        one.is_passed_over = directory.error().may_ask_next;
        one.found.problems.push_back(std::move(problem));
        return one;
    }
    const auto tried = directory->try_searches(deadline);
    if (!tried) {
        one.found.problems.push_back(tried.error().reason);
        return one;
    }
    std::string warning = directory->warning_about_people(deadline);
    if (!warning.empty()) one.found.warnings.push_back(std::move(warning));
    one.found.notes = directory->notes_about_groups(groups_of_rules(provider), deadline);
    return one;
}

}  // namespace

IdentityFindings findings_of_servers(std::vector<ServerFindings> servers) {
    const auto used = std::ranges::find(servers, false, &ServerFindings::is_passed_over);
    const bool works = used != servers.end() && used->found.problems.empty();
    IdentityFindings all = works ? std::move(used->found) : IdentityFindings();
    for (auto one = servers.begin(); one != servers.end(); ++one) {
        if (works && one == used) continue;
        if (!works) {
            std::ranges::move(one->found.problems, std::back_inserter(all.problems));
            std::ranges::move(one->found.warnings, std::back_inserter(all.warnings));
            continue;
        }
        for (const auto* words : {&one->found.problems, &one->found.warnings}) {
            for (const std::string& word : *words) {
                std::string note = word + (word.ends_with('.') ? "" : ".");
                all.notes.push_back({"servers", note + " Logins use " + used->server + '.'});
            }
        }
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
    const Deadline deadline(federation::whole_limit);
    const auto discovery = oidc.discover(provider, deadline);
    if (!discovery) return {.problems = {discovery.error().reason}};
    const auto keys = oidc.keys(provider, *discovery, deadline);
    if (!keys) return {.problems = {keys.error().reason}};
    if (keys->keys.empty()) {
        return {.problems = {discovery->keys + " has no key for RS256, PS256 or ES256."}};
    }
    return {};
}

}  // namespace provisioner::operations
