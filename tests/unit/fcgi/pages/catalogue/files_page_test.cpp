#include "fcgi/pages/catalogue/files/files_page.hpp"

#include <boost/test/unit_test.hpp>

#include "fcgi/pages/catalogue/files/file_words.hpp"

using namespace fcgi::pages;
using provisioner::base::Json;

BOOST_AUTO_TEST_CASE(a_file_is_named_by_services_that_run_it) {
    const std::vector<Json> services{
        Json::parse(R"({"name":"web","provisioner":{"actions":{"start":{"type":"shell",
            "fields":{"script":"web.sh","args":"start"}}}}})"),
        Json::parse(R"({"name":"db","provisioner":{"actions":{"start":{"type":"shell",
            "fields":{"script":"./bin/web.sh now"}}}}})"),
        Json::parse(R"({"name":"other","provisioner":{"actions":{"start":{"type":"chef-solo",
            "fields":{"run_list":"web.sh"}},"stop":{"type":"shell","fields":{"script":"web.sh2"}}}}})")};

    const std::vector<std::string> expected{"web", "db"};
    BOOST_TEST(services_with_file(services, "shell", "web.sh") == expected,
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(sizes_of_files_are_said_in_one_manner) {
    BOOST_TEST(size_of_file(9'999) == "9,999 bytes");
    BOOST_TEST(size_of_file(262'144) == "256 KiB");
    BOOST_TEST(size_of_file(1'556'973) == "1.4 MiB");
    BOOST_TEST(size_of_file(10'400'010) == "9.9 MiB");
}

BOOST_AUTO_TEST_CASE(only_text_is_shown) {
    BOOST_TEST(is_text("#!/bin/sh\necho \xc3\xa4\t\n"));
    BOOST_TEST(!is_text(std::string("a\0b", 3)));
    BOOST_TEST(!is_text("\xff\xfe"));
}

BOOST_AUTO_TEST_CASE(a_file_with_some_crlf_is_no_file_with_crlf) {
    BOOST_TEST(ends_lines_with_crlf("a\r\nb\r\n"));
    BOOST_TEST(ends_lines_with_crlf("a\r\nb"));
    BOOST_TEST(!ends_lines_with_crlf("#!/bin/sh\nprintf 'HTTP/1.1 200\r\n"));
    BOOST_TEST(!ends_lines_with_crlf("\na\r\n"));
    BOOST_TEST(!ends_lines_with_crlf("a\rb"));
    BOOST_TEST(!ends_lines_with_crlf(""));
}

BOOST_AUTO_TEST_CASE(an_edited_text_keeps_its_line_ends_and_ends_its_last_line) {
    BOOST_TEST(text_to_save("a\r\nb", false) == "a\nb\n");
    BOOST_TEST(text_to_save("a\r\nb\r\n", false) == "a\nb\n");
    BOOST_TEST(text_to_save("a\r\nb", true) == "a\r\nb\r\n");
    BOOST_TEST(text_to_save("\r\n\r\na", true) == "\r\n\r\na\r\n");
    BOOST_TEST(text_to_save("", true) == "");
}

BOOST_AUTO_TEST_CASE(addresses_of_files_are_encoded) {
    const provisioner::store::ResourceShelf shelf{
        .tenant = {}, .plugin = "a b", .resource_type = "scripts"};

    BOOST_TEST(file_page(shelf, "x/y") == "/catalogue/files/automatortypes/a%20b/scripts/x%2Fy");
    BOOST_TEST((plugin_kind("providertypes") == provisioner::model::PluginKind::provider));
    BOOST_TEST(!plugin_kind("clouds"));
}

BOOST_AUTO_TEST_CASE(the_page_that_edits_a_file_is_about_it_alone) {
    ShelfPage page{.is_editing = true, .typed_name = "web.sh", .typed_text = "#!/bin/sh"};
    page.shelf = {.tenant = {}, .plugin = "shell", .resource_type = "scripts"};

    const Json json = to_json(page);

    BOOST_TEST(json.at("heading") == "Edit web.sh");
    BOOST_TEST(json.at("takes_focus") == true);
    BOOST_TEST(json.at("edited_href") == "/catalogue/files/automatortypes/shell/scripts/web.sh");
    BOOST_TEST(json.at("is_unsaved") == false);
    page.problems = {{"text", "Enter the text of the file."}};
    BOOST_TEST(to_json(page).at("takes_focus") == false);
    // What was typed is on the page only.
    BOOST_TEST(to_json(page).at("is_unsaved") == true);
}

BOOST_AUTO_TEST_CASE(text_that_may_be_changed_leads_to_its_form) {
    const provisioner::store::ResourceShelf shelf{
        .tenant = {}, .plugin = "shell", .resource_type = "scripts"};
    FilePage page{.shelf = shelf, .name = "a b.sh"};
    page.versions.resize(1);
    page.versions.front().version = 2;
    page.version = 2;
    const auto leads_to = [&] {
        const Json href = to_json(page).at("edit_href");
        return href.is_null() ? "" : href.get<std::string>();
    };

    BOOST_TEST(leads_to() == "");
    page.text = "";
    BOOST_TEST(leads_to() ==
               "/catalogue/files/automatortypes/shell/scripts?edit=a%20b.sh&version=2");
    page.may_change = false;
    BOOST_TEST(leads_to() == "");
    page.may_change = true;
    page.is_secret = true;
    BOOST_TEST(leads_to() == "");
}

BOOST_AUTO_TEST_CASE(the_form_of_a_text_is_open_while_it_is_used) {
    ShelfPage page;
    BOOST_TEST(to_json(page).at("is_writing") == false);
    page.problems = {{"text", "Enter the text of the file."}};
    BOOST_TEST(to_json(page).at("is_writing") == true);
    page.problems.clear();
    page.typed_name = "web.sh";
    BOOST_TEST(to_json(page).at("is_writing") == true);
}

BOOST_AUTO_TEST_CASE(a_refused_upload_has_its_messages_at_its_own_fields) {
    ShelfPage page{.is_upload = true, .typed_name = "a b"};
    page.problems = {{"name", "is wrong"}, {"file", "Choose a file."}};

    const Json json = to_json(page);

    BOOST_TEST(json.at("is_writing") == false);
    BOOST_TEST(json.at("typed_name") == "");
    BOOST_TEST(json.at("upload_name") == "a b");
    BOOST_TEST(json.at("name_problem") == "");
    BOOST_TEST(json.at("upload_name_problem") == "Is wrong.");
    BOOST_TEST(json.at("file_problem") == "Choose a file.");
    BOOST_TEST(json.at("problems")[0].at("target") == "upload-name");
    page.is_upload = false;
    BOOST_TEST(to_json(page).at("problems")[0].at("target") == "file-name");
}

namespace {

provisioner::store::ResourceVersion version(const std::string& name, int number, bool live,
                                            bool slated) {
    provisioner::store::ResourceVersion made{};
    made.name = name;
    made.version = number;
    made.live = live;
    made.slated = slated;
    return made;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_text_made_from_an_older_version_is_saved_by_a_button_that_says_so) {
    ShelfPage page{.is_editing = true, .edited_version = 2, .typed_name = "web.sh"};
    page.shelf = {.tenant = {}, .plugin = "shell", .resource_type = "scripts"};
    page.versions = {version("web.sh", 1, false, false), version("web.sh", 2, true, true),
                     version("zoo.sh", 7, false, false)};

    const Json newest = to_json(page);
    page.versions.insert(page.versions.begin() + 2, version("web.sh", 3, false, false));
    page.newest_by = "ada";
    const Json older = to_json(page);

    BOOST_TEST(newest.at("heading") == "Edit web.sh, version 2");
    BOOST_TEST(newest.at("newer").is_null());
    BOOST_TEST(newest.at("save_label") == "Save");
    BOOST_TEST(newest.at("known_version") == 2);
    BOOST_TEST(older.at("edited_version") == 2);
    BOOST_TEST(older.at("known_version") == 3);
    BOOST_TEST(older.at("save_label") == "Save as version 4 nevertheless");
    BOOST_TEST(older.at("use_label") == "Save as version 4 nevertheless and put to use");
    BOOST_TEST(older.at("newer").at("newer_version") == 3);
    BOOST_TEST(older.at("newer").at("newer_by") == "ada");
    BOOST_TEST(older.at("newer").at("compare_href") ==
               "/catalogue/files/automatortypes/shell/scripts/web.sh?version=3&with=2#text-title");
}

BOOST_AUTO_TEST_CASE(a_form_overlooks_only_versions_that_came_after_it) {
    ShelfPage page;
    page.versions = {version("web.sh", 3, false, false), version("zoo.sh", 7, false, false)};

    BOOST_TEST(has_newer_version(page, "web.sh", 2));
    BOOST_TEST(!has_newer_version(page, "web.sh", 3));
    BOOST_TEST(!has_newer_version(page, "gone.sh", 3));
    // A form for a new file knows of none.
    BOOST_TEST(!has_newer_version(page, "web.sh", 0));
}

BOOST_AUTO_TEST_CASE(a_file_says_what_machines_get_now_and_after_the_sync) {
    ShelfPage page;
    page.versions = {version("changed", 1, true, false),  version("changed", 2, false, true),
                     version("recalled", 4, true, false), version("same", 1, true, true),
                     version("same", 2, false, false),    version("uploaded", 1, false, false)};

    const Json files = to_json(page).at("files");

    BOOST_REQUIRE(files.size() == 4U);
    const auto says = [&](std::size_t at) {
        const Json& file = files[at];
        const Json& next = file.at("next");
        return file.at("used").get<std::string>() + " > " +
               (next.is_null() ? "" : next.get<std::string>()) + ", " +
               file.at("newest").get<std::string>() +
               (file.at("is_only_uploaded") == true ? " not in use" : "");
    };
    BOOST_TEST(says(0) == "Version 1 > Version 2, Version 2");
    BOOST_TEST(says(1) == "Version 4 > Nothing, Version 4");
    BOOST_TEST(files[1].at("badge") == "paused");
    BOOST_TEST(says(2) == "Version 1 > , Version 2 not in use");
    BOOST_TEST(says(3) == "Nothing > , Version 1 not in use");
}

BOOST_AUTO_TEST_CASE(what_a_sync_does_is_a_line_for_each_file) {
    const provisioner::store::ResourceShelf shelf{
        .tenant = {}, .plugin = "shell", .resource_type = "scripts"};
    FilesPage page;
    page.pending = {{.change = {.shelf = shelf, .name = "a.sh", .before = 1, .after = 2}},
                    {.change = {.shelf = shelf, .name = "b.sh", .after = 3}, .services = {"web"}}};

    const Json files = to_json(page).at("pending");

    BOOST_REQUIRE(files.size() == 2U);
    BOOST_TEST(files[0].at("used") == "Version 1");
    BOOST_TEST(files[0].at("seen") == "automator/shell/scripts/a.sh 1 2");
    BOOST_TEST(files[0].at("next") == "Version 2");
    BOOST_TEST(files[1].at("used") == "Nothing");
    BOOST_TEST(files[1].at("next") == "Version 3");
    BOOST_TEST(files[0].at("not_used") == "Not used by any service");
    BOOST_TEST(files[1].at("not_used") == "");
    BOOST_TEST(files[1].at("users")[0].at("user") == "web");
}

BOOST_AUTO_TEST_CASE(a_file_leads_to_the_first_services_that_use_it_and_counts_the_others) {
    FilePage page{.shelf = {.tenant = {}, .plugin = "shell", .resource_type = "scripts"},
                  .name = "web.sh",
                  .versions = {version("web.sh", 1, false, false)}};
    for (int i = 0; i < 12; ++i) page.services.push_back("s" + std::to_string(i));

    const Json json = to_json(page);
    page.services.resize(2);
    const Json few = to_json(page);

    BOOST_TEST(json.at("users").size() == 10U);
    BOOST_TEST(json.at("users")[0].at("user_href") == "/catalogue/services/s0");
    BOOST_TEST(json.at("users")[9].at("has_comma") == false);
    BOOST_TEST(json.at("more_users") == "and 2 more");
    BOOST_TEST(json.at("more_href") == "#services-title");
    BOOST_TEST(json.at("all_services").size() == 12U);
    BOOST_TEST(few.at("all_services").is_null());
    BOOST_TEST(few.at("users")[0].at("has_comma") == true);
    BOOST_TEST(few.at("more_users").is_null());
}

BOOST_AUTO_TEST_CASE(an_upload_carries_the_newest_version_and_says_who_saved_one_in_between) {
    FilePage page{.shelf = {.tenant = {}, .plugin = "shell", .resource_type = "scripts"},
                  .name = "web.sh",
                  .versions = {version("web.sh", 4, true, true), version("web.sh", 5, false, false),
                               version("web.sh", 6, false, false)},
                  .uploads = {{5, {.by = "other"}}},
                  .version = 6};

    BOOST_TEST(to_json(page).at("next_after") == 6);
    BOOST_TEST(to_json(page).at("overtaken").is_null());
    page.overtaken = 6;
    page.overtaken_by = 5;
    page.known = 4;
    const Json overtaken = to_json(page).at("overtaken");
    BOOST_TEST(overtaken.at("overtaken_words") == "other saved version 5 meanwhile");
    BOOST_TEST(overtaken.at("overtaken_href") ==
               "/catalogue/files/automatortypes/shell/scripts/web.sh?version=6&with=5#text-title");
    page.uploads.clear();
    BOOST_TEST(to_json(page).at("overtaken").at("overtaken_words") ==
               "Version 5 was saved meanwhile");
}

BOOST_AUTO_TEST_CASE(an_upload_from_the_list_says_that_a_file_of_its_name_was_there) {
    FilePage page{
        .shelf = {.tenant = {}, .plugin = "shell", .resource_type = "scripts"},
        .name = "web.sh",
        .versions = {version("web.sh", 1, true, true), version("web.sh", 2, false, false)},
        .uploads = {{1, {.by = "other"}}},
        .version = 2,
        .overtaken = 2,
        .overtaken_by = 1};

    const Json overtaken = to_json(page).at("overtaken");
    BOOST_TEST(overtaken.at("overtaken_words") ==
               "A file of this name was there already, version 1 by other");
    BOOST_TEST(!overtaken.at("overtaken_at").is_null());
    BOOST_TEST(overtaken.at("overtaken_use") == 2);
    page.versions = {version("web.sh", 1, false, false), version("web.sh", 2, true, true)};
    BOOST_TEST(to_json(page).at("overtaken").at("overtaken_use").is_null());
    // The form of the list knows of no version.
    const ShelfPage list{.shelf = page.shelf, .format = "file", .versions = page.versions};
    BOOST_TEST(to_json(list).at("next_of") == "");
    BOOST_TEST(to_json(list).at("next_after") == 0);
}

BOOST_AUTO_TEST_CASE(between_two_versions_is_the_newest_one_that_is_still_there) {
    // Version 5 was deleted: what has its number after the known one overtakes nothing.
    const std::vector<provisioner::store::ResourceVersion> versions{
        version("web.sh", 2, true, true), version("web.sh", 3, false, false),
        version("web.sh", 4, false, false), version("web.sh", 6, false, false)};

    BOOST_TEST(version_between(versions, 2, 6) == 4);
    BOOST_TEST(version_between(versions, 4, 6) == 0);
    BOOST_TEST(version_between(versions, 6, 6) == 0);
}

BOOST_AUTO_TEST_CASE(a_version_that_is_only_staged_is_unstaged_and_one_in_use_recalled) {
    FilePage page{.shelf = {.tenant = {}, .plugin = "shell", .resource_type = "scripts"},
                  .name = "web.sh",
                  .versions = {version("web.sh", 1, true, true), version("web.sh", 2, false, false),
                               version("web.sh", 3, false, false)}};
    const auto offered = [&](int number) {
        const Json shown = to_json(page).at("versions").at(3 - number);
        std::string words = shown.at("status").get<std::string>();
        for (const char* act : {"recall", "unstage"}) {
            if (shown.at(std::string("can_") + act) == true) words += std::string(", ") + act;
        }
        return words;
    };

    BOOST_TEST(offered(1) == "In use, recall");
    BOOST_TEST(words_on_done(page, "unstage") == "Unstaged. Version 1 stays in use.");
    BOOST_TEST(words_on_done(page, "stage") == "Staged. Version 1 stays in use.");
    page.versions[0].slated = false;
    BOOST_TEST(offered(1) == "In use until the next sync");
    BOOST_TEST(words_on_done(page, "recall") ==
               "Recalled. Version 1 is no longer in use after the next sync.");
    page.versions[1].slated = true;
    BOOST_TEST(offered(1) == "In use until the next sync, then version 2");
    BOOST_TEST(offered(2) == "In use after the next sync, unstage");
    BOOST_TEST(words_on_done(page, "stage") ==
               "Staged. Version 2 is in use after the next sync, not version 1.");
    BOOST_TEST(to_json(page).at("seen") == "1-2");
    page.may_change = false;
    BOOST_TEST(offered(2) == "In use after the next sync");
    page.versions.erase(page.versions.begin());
    BOOST_TEST(words_on_done(page, "unstage") == "Unstaged. No version is in use.");
}

BOOST_AUTO_TEST_CASE(versions_that_are_not_too_large_are_offered_for_a_comparison) {
    FilePage page{
        .shelf = {.tenant = {}, .plugin = "shell", .resource_type = "scripts"},
        .name = "web.sh",
        .versions = {version("web.sh", 1, false, false), version("web.sh", 2, false, false),
                     version("web.sh", 3, false, false)},
        .version = 3};
    page.versions[0].size = longest_compared + 1;
    page.text = "echo";

    const Json others = to_json(page).at("others");
    page.text.reset();
    page.no_text = "This file is not text.";

    BOOST_REQUIRE(others.size() == 1U);
    BOOST_TEST(others[0].at("other") == 2);
    BOOST_TEST(to_json(page).at("has_others") == false);
    // Too large to be shown, but what changed is not.
    page.versions[2].size = longest_shown + 1;
    BOOST_TEST(to_json(page).at("has_others") == true);
    page.versions[2].size = longest_compared + 1;
    BOOST_TEST(to_json(page).at("has_others") == false);
}

BOOST_AUTO_TEST_CASE(two_versions_are_compared_also_where_no_text_is_shown) {
    FilePage page{.shelf = {.tenant = {}, .plugin = "shell", .resource_type = "scripts"},
                  .name = "web.sh",
                  .versions = {version("web.sh", 1, false, false)},
                  .version = 2,
                  .compared = 1,
                  .compared_text = "a\n",
                  .text_compared = "b\n"};

    BOOST_TEST(to_json(page).at("difference").at("summary") == "1 line added, 1 line removed");
    page.compared = 0;
    BOOST_TEST(to_json(page).at("difference").is_null());
}

BOOST_AUTO_TEST_CASE(a_version_that_cannot_be_compared_is_said_not_to_be_text_or_to_be_too_large) {
    FilePage page{
        .shelf = {.tenant = {}, .plugin = "shell", .resource_type = "scripts"},
        .name = "web.sh",
        .versions = {version("web.sh", 1, false, false), version("web.sh", 2, false, false),
                     version("web.sh", 3, false, false)},
        .version = 3,
        .text = "echo"};
    BOOST_TEST(to_json(page).at("not_compared") == "");
    page.not_compared = 1;

    const Json json = to_json(page);

    BOOST_TEST(json.at("not_compared") == "Version 1 is not text, so it cannot be compared.");
    BOOST_TEST(json.at("compared").is_null());
    // The form keeps what was asked for.
    BOOST_TEST(json.at("others")[0].at("selected") == false);
    BOOST_TEST(json.at("others")[1].at("selected") == true);
    page.versions[0].size = longest_compared + 1;
    BOOST_TEST(to_json(page).at("not_compared") == "Version 1 is too large to be compared.");
}

BOOST_AUTO_TEST_CASE(clusters_set_up_before_a_version_came_have_an_older_one) {
    const auto uploaded = provisioner::base::from_sql("2026-11-20 10:00:00");
    FilePage page{
        .shelf = {.tenant = {}, .plugin = "shell", .resource_type = "scripts"},
        .name = "web.sh",
        .versions = {version("web.sh", 1, false, false), version("web.sh", 2, true, true)}};
    page.versions[1].created_at = uploaded;
    using provisioner::model::ClusterStatus;
    const auto cluster = [](ClusterStatus status,
                            std::optional<provisioner::base::Timestamp> set_up_at) {
        return provisioner::store::ClusterOfService{
            .id = {}, .name = "c", .owner = "ada", .status = status, .set_up_at = set_up_at};
    };
    page.clusters = {cluster(ClusterStatus::active, uploaded - std::chrono::seconds(1)),
                     cluster(ClusterStatus::pending, uploaded),
                     cluster(ClusterStatus::inconsistent, std::nullopt)};
    const auto says = [&] {
        std::string words;
        const Json clusters = to_json(page).at("clusters");
        for (const Json& one : clusters) {
            words += one.at("is_older") == true ? "old" : "";
            words += one.at("configure_href").is_null() ? ";" : " >;";
        }
        return words;
    };

    BOOST_TEST(says() == "old >;; >;");
    // It was uploaded before, and put to use after the second was set up.
    page.versions[1].live_since = uploaded + std::chrono::seconds(1);
    BOOST_TEST(says() == "old >;old; >;");
    page.may_operate = false;
    BOOST_TEST(says() == "old;old;;");
    page.versions[1].live = false;
    BOOST_TEST(says() == ";;;");
}

BOOST_AUTO_TEST_CASE(a_sync_that_takes_something_from_services_in_use_asks_first) {
    FilesPage page;
    BOOST_TEST(to_json(page).at("is_to_check") == false);
    page.to_check = {"Machines no longer get web.sh."};

    const Json json = to_json(page);

    BOOST_TEST(json.at("is_to_check") == true);
    BOOST_TEST(json.at("check_title") == "Before you sync: please check");
    BOOST_TEST(json.at("check_form") == "sync");
    page.is_asked = true;
    BOOST_TEST(to_json(page).at("check_title") == "Not synced yet: please check");
}

BOOST_AUTO_TEST_CASE(versions_of_a_file_say_who_uploaded_them_and_why) {
    FilePage page{
        .shelf = {.tenant = {}, .plugin = "shell", .resource_type = "scripts"},
        .name = "web.sh",
        .versions = {version("web.sh", 1, false, false), version("web.sh", 2, true, true)}};
    page.uploads = {{2, {.by = "ada", .note = "Starts faster"}}};

    const Json json = to_json(page);

    const Json& versions = json.at("versions");
    BOOST_TEST(versions[0].at("written_by") == "ada");
    BOOST_TEST(versions[0].at("note") == "Starts faster");
    BOOST_TEST(versions[1].at("written_by") == "");
    BOOST_TEST(json.at("changes_href") ==
               "/audit?objectKind=plugin-file&object=shell%2Fscripts%2Fweb.sh");
    BOOST_TEST(json.at("next_of") == "web.sh");
    BOOST_TEST(json.at("next_seen") == json.at("seen"));
    BOOST_TEST(json.at("next_seen") != "");
}

BOOST_AUTO_TEST_CASE(versions_that_are_no_secret_and_not_too_large_can_be_downloaded) {
    FilePage page{.shelf = {.tenant = {}, .plugin = "shell", .resource_type = "scripts"},
                  .name = "web.sh",
                  .versions = {version("web.sh", 7, false, false)}};
    const auto href = [&] { return to_json(page).at("versions")[0].at("download_href"); };

    BOOST_TEST(href() == "/catalogue/files/automatortypes/shell/scripts/web.sh/versions/7");
    page.versions[0].size = largest_download + 1;
    BOOST_TEST(href().is_null());
    page.versions[0].size = 1;
    page.is_secret = true;
    BOOST_TEST(href().is_null());
}
