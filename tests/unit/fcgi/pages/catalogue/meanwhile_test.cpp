#include "fcgi/pages/catalogue/files/meanwhile.hpp"

#include <boost/test/unit_test.hpp>

using namespace fcgi::pages;
using provisioner::base::Json;
using provisioner::operations::FileChange;

namespace {

FileChange change(const std::string& name, int before, int after) {
    return {.shelf = {.tenant = {}, .plugin = "shell", .resource_type = "scripts"},
            .name = name,
            .before = before,
            .after = after};
}

/// The sentences about all that is otherwise than it was seen.
std::string told(const std::vector<FileChange>& seen, const std::vector<FileChange>& waiting,
                 const FileUse& use_of_gone = {}) {
    auto others = other_changes(seen, waiting);
    for (auto& [_, turn, is_waiting] : others) {
        turn.used_by = "ada";
        turn.slated_by = "bob";
        if (!is_waiting) turn.now = use_of_gone;
    }
    std::string text;
    for (const auto& problem : problems_of_sync(others)) text += problem.message + '|';
    return text;
}

std::string told_of_file(const std::string& seen, const FileUse& now) {
    return words_on_meanwhile({.name = "web.sh", .now = now, .used_by = "ada", .slated_by = "bob"},
                              seen);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(meanwhile)

BOOST_AUTO_TEST_CASE(a_sync_that_was_seen_as_it_is_has_no_problems) {
    BOOST_TEST(
        told({change("a", 1, 2), change("b", 1, 0)}, {change("b", 1, 0), change("a", 1, 2)}) == "");
}

BOOST_AUTO_TEST_CASE(a_sync_tells_what_was_staged_replaced_or_recalled_meanwhile) {
    BOOST_TEST(told({}, {change("a.sh", 0, 1)}) ==
               "Version 1 of a.sh was staged meanwhile by bob.|Look again at what the sync does.|");
    BOOST_TEST(told({change("a.sh", 1, 2)}, {change("a.sh", 1, 3)}) ==
               "Version 3 of a.sh was staged meanwhile by bob.|Look again at what the sync does.|");
    BOOST_TEST(told({change("a.sh", 1, 2)}, {change("a.sh", 1, 0)}) ==
               "Version 1 of a.sh was recalled meanwhile by bob.|Look again at what the sync "
               "does.|");
    BOOST_TEST(told({change("a.sh", 1, 2)}, {change("a.sh", 3, 2)}) ==
               "Version 3 of a.sh was put to use meanwhile by ada.|Look again at what the sync "
               "does.|");
}

BOOST_AUTO_TEST_CASE(a_sync_tells_what_waits_no_more) {
    const std::vector<FileChange> seen{change("a.sh", 1, 2)};

    BOOST_TEST(told(seen, {}, {.now = 1, .after_sync = 1}) ==
               "a.sh waits for no sync any more: version 1 stays in use.|Look again at what the "
               "sync does.|");
    BOOST_TEST(told(seen, {}, {.now = 2, .after_sync = 2}) ==
               "Version 2 of a.sh was put to use meanwhile by ada.|Look again at what the sync "
               "does.|");
    BOOST_TEST(told(seen, {}) ==
               "a.sh was taken out of use meanwhile.|Look again at what the sync does.|");
    BOOST_TEST(told({change("a.sh", 0, 2)}, {}) ==
               "a.sh waits for no sync any more: no version is in use.|Look again at what the "
               "sync does.|");
}

BOOST_AUTO_TEST_CASE(the_form_of_a_file_is_not_carried_out_on_a_page_that_is_behind) {
    const std::string end = " Nothing was changed now. Look again at what is in use.";

    BOOST_TEST(told_of_file("1-1", {.now = 1, .after_sync = 1}) == "");
    BOOST_TEST(told_of_file("", {.now = 1, .after_sync = 1}) == "");
    BOOST_TEST(told_of_file("active", {.now = 1, .after_sync = 1}) == "");
    BOOST_TEST(told_of_file("1-1", {.now = 3, .after_sync = 3}) ==
               "Version 3 of web.sh was put to use meanwhile by ada." + end);
    BOOST_TEST(told_of_file("1-1", {.now = 1, .after_sync = 2}) ==
               "Version 2 of web.sh was staged meanwhile by bob." + end);
    BOOST_TEST(told_of_file("1-1", {.now = 1, .after_sync = 0}) ==
               "Version 1 of web.sh was recalled meanwhile by bob." + end);
    BOOST_TEST(told_of_file("1-2", {.now = 1, .after_sync = 1}) ==
               "web.sh waits for no sync any more: version 1 stays in use." + end);
    BOOST_TEST(told_of_file("1-1", {.now = 3, .after_sync = 2}) ==
               "Version 3 of web.sh was put to use meanwhile by ada. Version 2 of web.sh was "
               "staged meanwhile by bob." +
                   end);
}

BOOST_AUTO_TEST_CASE(a_form_that_was_sent_twice_finds_its_wish_fulfilled) {
    const FileUse used{.now = 2, .after_sync = 2};

    BOOST_TEST(is_as_wished(used, "use", 2));
    BOOST_TEST(!is_as_wished(used, "use", 1));
    BOOST_TEST(!is_as_wished({.now = 2, .after_sync = 3}, "use", 2));
    BOOST_TEST(is_as_wished({.now = 2, .after_sync = 3}, "stage", 3));
    BOOST_TEST(!is_as_wished(used, "stage", 3));
    BOOST_TEST(is_as_wished({.now = 2, .after_sync = 0}, "recall", 2));
    BOOST_TEST(!is_as_wished({.now = 1, .after_sync = 0}, "recall", 2));
    BOOST_TEST(is_as_wished(used, "unstage", 3));
    // It was put to use meanwhile.
    BOOST_TEST(!is_as_wished(used, "unstage", 2));
}

BOOST_AUTO_TEST_CASE(a_sync_that_was_sent_twice_was_done_by_the_first) {
    const std::vector<FileChange> seen{change("a.sh", 1, 2), change("b.sh", 1, 0)};
    const auto after = [&](const std::vector<FileChange>& waiting, const FileUse& of_first) {
        auto others = other_changes(seen, waiting);
        for (auto& other : others) {
            if (other.change.name == "a.sh" && !other.is_waiting) other.turn.now = of_first;
        }
        return is_synced_already(seen, others);
    };

    BOOST_TEST(after({}, {.now = 2, .after_sync = 2}));
    BOOST_TEST(!after({}, {.now = 1, .after_sync = 1}));
    BOOST_TEST(!after({seen[1]}, {.now = 2, .after_sync = 2}));
    BOOST_TEST(!after({change("b.sh", 1, 3)}, {.now = 2, .after_sync = 2}));
    BOOST_TEST(!after({change("c.sh", 1, 3)}, {.now = 2, .after_sync = 2}));
    BOOST_TEST(!is_synced_already({}, {}));
}

BOOST_AUTO_TEST_CASE(what_was_synced_is_listed_from_the_audit_log) {
    const auto files = synced_files(
        R"({"files":[{"file":"shell/scripts/a.sh","version":1},{"file":"shell/scripts/b.sh","version":2}]})",
        R"({"files":[{"file":"shell/scripts/a.sh","version":2},{"file":"shell/scripts/b.sh","version":null}]})");

    const Json json = synced_json(files);

    BOOST_REQUIRE(json.at("synced").size() == 2U);
    BOOST_TEST(json.at("synced")[0].at("synced_file") == "shell/scripts/a.sh");
    BOOST_TEST(json.at("synced")[0].at("synced_before") == "Version 1");
    BOOST_TEST(json.at("synced")[0].at("synced_after") == "Version 2");
    BOOST_TEST(json.at("synced")[1].at("synced_after") == "Nothing");
    BOOST_TEST(json.at("more_synced").is_null());
    BOOST_TEST(synced_json(std::vector<SyncedFile>(51)).at("more_synced") == "1 more file");
    // A document that was too large is replaced in the log.
    BOOST_TEST(synced_files(R"({"size":70000})", "").empty());
}

BOOST_AUTO_TEST_SUITE_END()
