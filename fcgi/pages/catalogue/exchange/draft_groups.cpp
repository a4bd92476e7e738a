#include "fcgi/pages/catalogue/exchange/draft_groups.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
using provisioner::operations::DraftEntry;
using State = DraftEntry::State;

namespace {

/// What the entries of a page have in common.
struct EntryGroup {
    std::string id{};
    std::string title{};
};

enum class GroupRank { wrong, unsound, changed, fresh, same };

GroupRank rank_of(const DraftPage& page, const DraftEntry& entry) {
    if (entry.state == State::wrong) return GroupRank::wrong;
    if (page.overtaken.contains({entry.kind, entry.name})) return GroupRank::unsound;
    if (entry.state == State::same) return GroupRank::same;
    if (!is_sound(page, entry)) return GroupRank::unsound;
    return entry.state == State::changed ? GroupRank::changed : GroupRank::fresh;
}

EntryGroup group_of(GroupRank rank) {
    switch (rank) {
        case GroupRank::wrong:
            return {"import-invalid", translated("Invalid")};
        case GroupRank::unsound:
            return {"import-unsound", translated("To be looked at")};
        case GroupRank::changed:
            return {"import-changed", translated("Changed")};
        case GroupRank::fresh:
            return {"import-new", translated("New")};
        case GroupRank::same:
            return {"import-same", translated("Unchanged")};
    }
    throw std::logic_error("unknown group of an import");
}

/// A sentence with a link to the entries that it is about.
Json sentence_on_group(GroupRank rank, const std::string& sentence) {
    return {{"sentence", sentence}, {"group_href", '#' + group_of(rank).id}};
}

void add_words_on_circles(const std::vector<DraftEntry>& entries, Json& list) {
    const auto circles = std::ranges::count_if(
        entries, [](const DraftEntry& entry) { return !entry.circles.empty(); });
    if (circles == 0) return;
    list.push_back(sentence_on_group(
        GroupRank::unsound,
        translated_count(circles,
                         "{0} service closes a circle of dependencies. It is not selected.",
                         "{0} services are in a circle of dependencies. They are not selected.")));
}

void add_words_on_needs(const DraftPage& page, Json& list) {
    const auto needing = std::ranges::count_if(page.entries, [&](const DraftEntry& entry) {
        return page.needs.contains({entry.kind, entry.name}) && !is_selected(page, entry);
    });
    if (needing == 0) return;
    list.push_back(sentence_on_group(
        GroupRank::unsound,
        translated_count(needing,
                         "{0} entry needs others that are not selected. It is not selected.",
                         "{0} entries need others that are not selected. They are not selected.")));
}

std::string words_on_number_overtaken(OvertakenEntry::How how, unsigned long number) {
    switch (how) {
        case OvertakenEntry::How::changed:
            return translated_count(number, "{0} entry was changed meanwhile. It is not selected.",
                                    "{0} entries were changed meanwhile. They are not selected.");
        case OvertakenEntry::How::created:
            return translated_count(number, "{0} entry was created meanwhile. It is not selected.",
                                    "{0} entries were created meanwhile. They are not selected.");
        case OvertakenEntry::How::anew:
            return translated_count(
                number, "{0} entry was deleted and created anew meanwhile. It is not selected.",
                "{0} entries were deleted and created anew meanwhile. They are not selected.");
        case OvertakenEntry::How::deleted:
            return translated_count(number, "{0} entry was deleted meanwhile. It is not selected.",
                                    "{0} entries were deleted meanwhile. They are not selected.");
    }
    throw std::logic_error("unknown way to overtake an entry");
}

void add_words_on_overtaken(const DraftPage& page, Json& list) {
    std::map<OvertakenEntry::How, unsigned long> counts;
    for (const auto& [entry, overtaken] : page.overtaken) ++counts[overtaken.how];
    for (const auto& [how, number] : counts) {
        list.push_back(
            sentence_on_group(GroupRank::unsound, words_on_number_overtaken(how, number)));
    }
}

}  // namespace

std::vector<const DraftEntry*> entries_by_group(const DraftPage& page) {
    std::vector<const DraftEntry*> sorted;
    for (const DraftEntry& entry : page.entries) sorted.push_back(&entry);
    std::ranges::stable_sort(sorted, {},
                             [&](const DraftEntry* entry) { return rank_of(page, *entry); });
    return sorted;
}

void put_groups(const DraftPage& page, const std::vector<const DraftEntry*>& entries, Json& rows) {
    std::map<GroupRank, std::size_t> counts;
    for (const DraftEntry* entry : entries) ++counts[rank_of(page, *entry)];
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const auto rank = rank_of(page, *entries[i]);
        const auto [id, title] = group_of(rank);
        const bool is_first = i == 0 || rank_of(page, *entries[i - 1]) != rank;
        rows[i]["opens_group"] =
            is_first ? translated("{0}: {1}", title, grouped(counts[rank])) : "";
        rows[i]["group_id"] = id;
        rows[i]["closes_group"] = i + 1 == entries.size() || rank_of(page, *entries[i + 1]) != rank;
    }
}

Json words_on_unselected(const DraftPage& page) {
    const auto& entries = page.entries;
    Json list = Json::array();
    const auto add = [&](GroupRank rank, const std::string& sentence) {
        list.push_back(sentence_on_group(rank, sentence));
    };
    const auto in_the_way = std::ranges::count_if(entries, is_in_the_way);
    if (in_the_way > 0) {
        add(GroupRank::unsound,
            translated_count(
                in_the_way, "{0} template has a draft of a change already. It is not selected.",
                "{0} templates have drafts of changes already. They are not selected."));
    }
    const auto invalid = std::ranges::count(entries, State::wrong, &DraftEntry::state);
    if (invalid > 0) {
        add(GroupRank::wrong,
            translated_count(invalid, "{0} entry is invalid. It cannot be selected.",
                             "{0} entries are invalid. They cannot be selected."));
    }
    const auto incomplete =
        std::ranges::count_if(entries, [](const auto& entry) { return !entry.is_complete(); });
    if (incomplete > 0) {
        add(GroupRank::unsound,
            translated_count(incomplete,
                             "{0} entry needs others that are missing. It is not selected.",
                             "{0} entries need others that are missing. They are not selected."));
    }
    const auto unknown = std::ranges::count_if(
        entries, [](const auto& entry) { return entry.is_complete() && !entry.unknown.empty(); });
    if (unknown > 0) {
        add(GroupRank::unsound,
            translated_count(
                unknown, "{0} entry has members that nothing knows. It is not selected.",
                "{0} entries have members that nothing knows. They are not selected."));
    }
    add_words_on_circles(entries, list);
    add_words_on_needs(page, list);
    add_words_on_overtaken(page, list);
    return list;
}

}  // namespace fcgi::pages
