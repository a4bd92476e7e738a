#include "provisioner/contents/contents.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner;

BOOST_AUTO_TEST_SUITE(settings)

namespace {

/// What is wrong with these settings; empty when nothing is. Nothing is connected to.
std::string problem_of(const std::string& lines) {
    const auto config = base::Config::parse(
        "database.socket = /nowhere\ndatabase.name = x\ndatabase.user = x\n" + lines);
    store::Database database(config);
    try {
        const contents::Contents contents(config, database);
        return "";
    } catch (const contents::PlaceError& error) {
        return error.what();
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(without_settings_everything_is_kept_in_the_database) {
    const auto config =
        base::Config::parse("database.socket = /nowhere\ndatabase.name = x\ndatabase.user = x\n");
    store::Database database(config);
    const contents::Contents contents(config, database);

    BOOST_TEST((contents.place_of_new() == model::ContentPlace::database));
    BOOST_CHECK_NO_THROW(contents.at(model::ContentPlace::database));
    BOOST_CHECK_THROW(contents.at(model::ContentPlace::files), contents::PlaceError);
    BOOST_CHECK_THROW(contents.at(model::ContentPlace::s3), contents::PlaceError);
}

BOOST_AUTO_TEST_CASE(what_is_wrong_is_named_by_its_setting) {
    BOOST_TEST(problem_of("resources.store = disk\n") ==
               "resources.store is database, files or s3, not disk");
    BOOST_TEST(problem_of("resources.store = files\n") ==
               "resources.folder is not set: the place files is not known here");
    BOOST_TEST(problem_of("resources.store = s3\n") ==
               "resources.s3.endpoint is not set: the place s3 is not known here");
    BOOST_TEST(problem_of("resources.s3.endpoint = https://s3.example.com\n") ==
               "resources.s3.bucket is not set, but resources.s3.endpoint is");
    BOOST_TEST(problem_of("resources.s3.endpoint = https://s3.example.com\n"
                          "resources.s3.bucket = b\nresources.s3.access_key = a\n") ==
               "resources.s3.secret_key_file is not set, but resources.s3.endpoint is");
    BOOST_TEST(problem_of("resources.store = files\nresources.folder = /x\n") == "");
}

BOOST_AUTO_TEST_SUITE_END()
