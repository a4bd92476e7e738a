#include "provisioner/base/settings.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <set>
#include <string>

using provisioner::base::Config;
using provisioner::base::Problems;
using provisioner::base::settings;

namespace {

std::string problems_of(const std::string& text, const std::string& program = "web") {
    return to_text(provisioner::base::check(Config::parse(text, program)));
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_setting_that_no_file_sets_has_the_default_of_the_table) {
    const Config config = Config::parse("web.threads = 3", "web");

    BOOST_TEST(config.number("web.threads") == 3);
    BOOST_TEST(config.number("database.port") == 3306);
    BOOST_TEST(config.get("resources.store") == "database");
    // The web finds keys and daemon by it, where packages set nothing.
    BOOST_TEST(config.get_or("secrets.keys", "").ends_with("/cooperage/secrets.keys"));
    BOOST_TEST(config.get_or("daemon.nudge", "").ends_with("/nudge.sock"));
    BOOST_TEST(config.number_or("database.pool", 1) == 8);
    BOOST_TEST(config.get_or("resources.folder", "none") == "none");
}

BOOST_AUTO_TEST_CASE(all_mistakes_are_told_at_once) {
    BOOST_TEST(problems_of("web.thread = 4\nweb.threads = 0\nweb.socket_mode = 0999\n"
                           "auth.trusted_headers = yes\nweb.views = views\n"
                           "callback.start.url = example.com\nnonsense.of.mine = 1\n") ==
               "auth.trusted_headers: is on or off, not yes; "
               "callback.start.url: has to begin with https://, or with http:// for this host, not "
               "example.com; "
               "nonsense.of.mine: no program knows this setting; "
               "web.socket_mode: has to be octal, like 0660, not 0999; "
               "web.thread: no program knows this setting; is web.threads meant?; "
               "web.threads: has to be a whole number from 1 to 1000, not 0; "
               "web.views: has to be a path from /, not views");
}

BOOST_AUTO_TEST_CASE(what_leaves_this_host_goes_by_tls) {
    const auto is_refused = [](const std::string& line) { return !problems_of(line).empty(); };
    BOOST_TEST(is_refused("callback.start.url = http://example.com/hook"));
    BOOST_TEST(is_refused("callback.start.url = http://127.0.0.1.example.com/hook"));
    BOOST_TEST(is_refused("callback.start.url = http://127.0.0.1:80@example.com/hook"));
    BOOST_TEST(is_refused("resources.s3.endpoint = http://10.0.0.1:9000"));
    BOOST_TEST(!is_refused("callback.start.url = https://example.com/hook"));
    BOOST_TEST(!is_refused("callback.start.url = http://127.0.0.1:8000/hook"));
    BOOST_TEST(!is_refused("resources.s3.endpoint = http://localhost"));
    BOOST_TEST(!is_refused("resources.s3.endpoint = http://[::1]/"));
    BOOST_TEST(!is_refused("http.proxy = http://proxy.example.com:3128"));
}

BOOST_AUTO_TEST_CASE(a_mistake_in_an_address_shows_no_password_of_it) {
    BOOST_TEST(problems_of("http.proxy = ftp://ann:hunter2@proxy.example.com") ==
               "http.proxy: has to begin with http:// or https://, not "
               "ftp://***@proxy.example.com");
}

BOOST_AUTO_TEST_CASE(a_choice_lists_its_words) {
    BOOST_TEST(problems_of("resources.store = tape") ==
               "resources.store: is database, files or s3, not tape");
    BOOST_TEST(problems_of("resources.store = files|s3") != "");
}

BOOST_AUTO_TEST_CASE(every_default_is_a_value_that_the_check_accepts) {
    for (const auto& setting : settings()) {
        const std::string name(setting.name);
        if (setting.otherwise.empty()) continue;
        BOOST_TEST(problems_of(name + " = " + std::string(setting.otherwise)) == "", name);
    }
}

BOOST_AUTO_TEST_CASE(every_name_is_there_once_and_says_what_it_means) {
    std::set<std::string_view> names;
    for (const auto& setting : settings()) {
        BOOST_TEST(names.insert(setting.name).second,
                   std::string(setting.name) + " is there twice");
        BOOST_TEST(setting.meaning.ends_with("."), std::string(setting.name));
    }
    BOOST_TEST(names.size() > 40U);
}

BOOST_AUTO_TEST_CASE(a_program_may_have_database_settings_of_its_own) {
    const std::string text = "database.user = all\nweb.database.user = pages\nweb.threads = 2\n";

    BOOST_TEST(Config::parse(text, "web").get("database.user") == "pages");
    BOOST_TEST(Config::parse(text, "migrate").get("database.user") == "all");
    BOOST_TEST(Config::parse("", "provisioner").get("database.user") == "cooperage-provisioner");
    BOOST_TEST(problems_of(text) == "");
    BOOST_TEST(problems_of("web.database.usr = x").starts_with("web.database.usr: no program"));
}

BOOST_AUTO_TEST_CASE(
    the_settings_file_has_every_setting_as_a_comment_and_where_root_finds_its_password) {
    const std::string file = provisioner::base::settings_file();

    BOOST_TEST(
        Config::parse(file).names() == std::vector<std::string>{"migrate.database.password_file"},
        boost::test_tools::per_element());
    for (const auto& setting : settings()) {
        const std::string line = "\n#" + std::string(setting.name) + " = ";
        BOOST_TEST(file.find(line) != std::string::npos, std::string(setting.name));
    }
}
