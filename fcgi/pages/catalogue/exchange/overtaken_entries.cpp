#include "fcgi/pages/catalogue/exchange/overtaken_entries.hpp"

#include <algorithm>

#include "fcgi/pages/words.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/catalogue/edit.hpp"

namespace fcgi::pages {

using provisioner::base::Problems;
using provisioner::messages::translated;
using provisioner::model::EntryName;
using provisioner::operations::DraftEntry;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

SeenVersions seen_versions(const http::FormData& sent) {
    constexpr std::string_view seen = "seen.";
    SeenVersions versions;
    for (const auto& [name, value] : sent.fields) {
        if (!name.starts_with(seen)) continue;
        const auto version = provisioner::base::parse_number(value);
        versions[name.substr(seen.size())] = version ? static_cast<int>(*version) : 0;
    }
    return versions;
}

std::vector<EntryName> overtaken_entries(const DraftPage& page, const SeenVersions& seen) {
    std::vector<EntryName> entries;
    for (const DraftEntry& entry : page.entries) {
        const auto value = choice_value(entry.kind, entry.name);
        const auto found = seen.find(value);
        const bool is_ticked = page.ticked && std::ranges::count(*page.ticked, value) > 0;
        if (!is_ticked || found == seen.end() || found->second == entry.version) continue;
        entries.push_back({entry.kind, entry.name});
    }
    return entries;
}

void note_overtaken(App& app, const auth::Visitor& visitor, const SeenVersions& seen,
                    DraftPage& page) {
    const auto entries = overtaken_entries(page, seen);
    if (entries.empty()) return;
    app.database.read([&](store::Connection& connection) {
        for (const auto& [kind, name] : entries) {
            page.overtaken[{kind, name}] =
                last_change_of(connection, visitor.who().user.id, visitor.who().tenant.id,
                               operations::audited(kind), name);
        }
    });
    for (const auto& [kind, name] : entries) std::erase(*page.ticked, choice_value(kind, name));
}

Problems problems_of_overtaken(const DraftPage& page) {
    Problems problems;
    for (const DraftEntry& entry : page.entries) {
        const auto found = page.overtaken.find({entry.kind, entry.name});
        if (found == page.overtaken.end()) continue;
        const auto& change = found->second;
        const std::string by = !change          ? ""
                               : change->is_own ? translated("you, in another window")
                                                : change->user;
        problems.push_back(
            {row_of(page, entry),
             change ? translated("changed by {0}, {1}. It is no longer selected: look at the "
                                 "differences again.",
                                 by, moment(change->at, page.now).at("relative").get<std::string>())
                    : translated("changed meanwhile. It is no longer selected: look at the "
                                 "differences again.")});
    }
    return problems;
}

}  // namespace fcgi::pages
