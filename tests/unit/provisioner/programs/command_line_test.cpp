#include "provisioner/programs/command_line.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "provisioner/base/settings.hpp"

using namespace provisioner::programs;
namespace options = boost::program_options;

namespace {

const Manual manual{.name = "cooperage-thing",
                    .summary = "does things",
                    .synopsis = "[OPTION...]",
                    .description = {"It does.", ".No request of roff"},
                    .commands = {{"up", "Goes up."}},
                    .see_also = {"cooperage.conf(5)"}};

options::options_description flags() {
    options::options_description all;
    all.add_options()("dry-run", "Changes nothing.");
    all.add_options()("to", options::value<std::string>(), "Where to.");
    return all;
}

/// What is chosen by these words after the program's name; the exit code when it is over.
std::variant<options::variables_map, int> read(std::vector<const char*> words) {
    words.insert(words.begin(), "cooperage-thing");
    return read_command_line(manual, flags(), static_cast<int>(words.size()), words.data());
}

}  // namespace

BOOST_AUTO_TEST_CASE(words_of_a_command_line_are_read) {
    const auto chosen = read({"--to", "here", "--dry-run"});

    const auto* map = std::get_if<options::variables_map>(&chosen);
    BOOST_REQUIRE(map);
    BOOST_TEST((*map)["to"].as<std::string>() == "here");
    BOOST_TEST(map->contains("dry-run"));
}

BOOST_AUTO_TEST_CASE(a_wrong_word_ends_with_2_and_an_answer_with_0) {
    BOOST_TEST(std::get<int>(read({"--nonsense"})) == 2);
    BOOST_TEST(std::get<int>(read({"--dry"})) == 2);
    BOOST_TEST(std::get<int>(read({"plain"})) == 2);
    BOOST_TEST(std::get<int>(read({"--version"})) == 0);
}

BOOST_AUTO_TEST_CASE(help_and_page_name_every_option_and_command) {
    const std::string help = help_text(manual, flags());
    const std::string page = manual_page(manual, flags());

    for (const char* text : {"Changes nothing.", "Where to.", "Goes up."}) {
        BOOST_TEST(help.find(text) != std::string::npos, text);
        BOOST_TEST(page.find(text) != std::string::npos, text);
    }
    BOOST_TEST(help.find("--dry-run") != std::string::npos);
    BOOST_TEST(page.find("\\-\\-dry\\-run") != std::string::npos);
    BOOST_TEST(page.find(".BR cooperage.conf (5)") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_line_of_a_page_never_looks_like_a_request) {
    BOOST_TEST(manual_page(manual, flags()).find("\n\\&.No request") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_page_of_settings_has_every_setting) {
    const std::string page = manual_page_of_settings();

    for (const auto& setting : provisioner::base::settings()) {
        BOOST_TEST(page.find(std::string(setting.meaning).substr(0, 8)) != std::string::npos,
                   std::string(setting.name));
    }
}
