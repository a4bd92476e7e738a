#include "fcgi/pages/catalogue/exchange/overtaken_entries.hpp"

#include <algorithm>
#include <stdexcept>

#include "fcgi/pages/catalogue/versions/seen_version.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/catalogue/edit.hpp"
#include "provisioner/store/catalogue/version_store.hpp"

namespace fcgi::pages {

using provisioner::base::Problems;
using provisioner::messages::translated;
using provisioner::model::EntryName;
using provisioner::model::SeenVersion;
using provisioner::operations::DraftEntry;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

namespace {

using How = OvertakenEntry::How;

How how_overtaken(int seen, int version) {
    if (version == 0) return How::deleted;
    // Whoever changed it since need not have created it.
    return seen == 0 && version == 1 ? How::created : How::changed;
}

/// `is_same`: the entry is as the import has it.
std::string words_on_overtaking(How how, bool is_same, const LastChange& change,
                                provisioner::base::Timestamp now) {
    const std::string by = change.is_own ? translated("you, in another window") : change.user;
    const auto at = moment(change.at, now).at("relative").get<std::string>();
    if (is_same) return translated("already as in this import, saved by {0}, {1}.", by, at);
    switch (how) {
        case How::changed:
            return translated(
                "changed by {0}, {1}. It is no longer selected: look at the differences again.", by,
                at);
        case How::created:
            return translated(
                "created by {0}, {1}. It is no longer selected: look at the differences.", by, at);
        case How::anew:
            return translated(
                "deleted and created anew by {0}, {1}. It is no longer selected: look at the "
                "differences.",
                by, at);
        case How::deleted:
            return translated(
                "deleted by {0}, {1}. It is no longer selected. Importing it makes it anew.", by,
                at);
    }
    throw std::logic_error("unknown way to overtake an entry");
}

/// Of what nobody is known to have done.
std::string words_on_overtaking(How how, bool is_same) {
    if (is_same) return translated("already as in this import.");
    switch (how) {
        case How::changed:
            return translated(
                "changed meanwhile. It is no longer selected: look at the differences again.");
        case How::created:
            return translated(
                "created meanwhile. It is no longer selected: look at the differences.");
        case How::anew:
            return translated(
                "deleted and created anew meanwhile. It is no longer selected: look at the "
                "differences.");
        case How::deleted:
            return translated(
                "deleted meanwhile. It is no longer selected. Importing it makes it anew.");
    }
    throw std::logic_error("unknown way to overtake an entry");
}

}  // namespace

SeenVersions seen_versions(const http::FormData& sent) {
    constexpr std::string_view seen = "seen.";
    SeenVersions versions;
    for (const auto& [name, value] : sent.fields) {
        if (!name.starts_with(seen)) continue;
        versions[name.substr(seen.size())] = seen_version_in(value).value_or(SeenVersion{});
    }
    return versions;
}

std::map<EntryName, OvertakenEntry::How> overtaken_entries(const DraftPage& page,
                                                           const SeenVersions& seen) {
    std::map<EntryName, OvertakenEntry::How> entries;
    for (const DraftEntry& entry : page.entries) {
        const auto value = choice_value(entry.kind, entry.name);
        const auto found = seen.find(value);
        const bool is_ticked = page.ticked && std::ranges::count(*page.ticked, value) > 0;
        if (!is_ticked || found == seen.end()) continue;
        const provisioner::model::PresentVersion present{
            .seen = {.version = entry.version, .line = entry.line}};
        const bool is_gone = found->second.version == 0 && entry.version == 0;
        if (is_gone || provisioner::model::is_in_force(present, found->second)) continue;
        entries[{entry.kind, entry.name}] = how_overtaken(found->second.version, entry.version);
    }
    return entries;
}

void note_overtaken(App& app, const auth::Visitor& visitor, const SeenVersions& seen,
                    DraftPage& page) {
    const auto entries = overtaken_entries(page, seen);
    if (entries.empty()) return;
    app.database.read([&](store::Connection& connection) {
        for (const auto& [entry, how] : entries) {
            OvertakenEntry& overtaken = page.overtaken[entry];
            const auto& who = visitor.who();
            const auto present =
                store::find_present_version(connection, who.tenant.id, entry.kind, entry.name);
            const auto& shown = seen.at(choice_value(entry.kind, entry.name));
            if (how == How::changed && provisioner::model::is_created_anew(present, shown)) {
                overtaken = {.how = How::anew,
                             .change = creation_of(present, entry.kind, entry.name, who.user)};
                continue;
            }
            overtaken = {.how = how,
                         .change = last_change_of(connection, who.user.id, who.tenant.id,
                                                  operations::audited(entry.kind), entry.name)};
        }
    });
    for (const auto& [entry, how] : entries) {
        std::erase(*page.ticked, choice_value(entry.kind, entry.name));
    }
}

bool is_done_already(const DraftPage& page) {
    const bool is_other_ticked = page.ticked && !page.ticked->empty();
    return !page.overtaken.empty() && !is_other_ticked &&
           std::ranges::all_of(page.entries, [&](const DraftEntry& entry) {
               return !page.overtaken.contains({entry.kind, entry.name}) ||
                      entry.state == DraftEntry::State::same;
           });
}

Problems problems_of_overtaken(const DraftPage& page) {
    Problems problems;
    for (const DraftEntry& entry : page.entries) {
        const auto found = page.overtaken.find({entry.kind, entry.name});
        if (found == page.overtaken.end()) continue;
        const auto& [how, change] = found->second;
        const bool is_same = entry.state == DraftEntry::State::same;
        problems.push_back(
            {row_of(page, entry), change ? words_on_overtaking(how, is_same, *change, page.now)
                                         : words_on_overtaking(how, is_same)});
    }
    return problems;
}

}  // namespace fcgi::pages
