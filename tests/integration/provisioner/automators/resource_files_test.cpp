#include "provisioner/automators/resource_files.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

using provisioner::automators::Resource;
using provisioner::automators::ResourceFiles;
using provisioner::remote::Run;
using provisioner::remote::Steps;

namespace fs = std::filesystem;

// The scripts that put resources into their places, run by the shell of this host.
namespace {

struct Fixture {
    Fixture() {
        char name[] = "/tmp/resource-files-XXXXXX";
        home = ::mkdtemp(name);
        fs::create_directory(home + "/tars");
    }
    ~Fixture() { fs::remove_all(home); }

    /// Exit status of the script; what it printed is in `printed`.
    int run(const std::string& script) {
        std::ofstream(home + "/script") << script;
        const std::string line = "sh '" + home + "/script' >'" + home + "/printed' 2>&1";
        const int status = std::system(line.c_str());
        printed = text_of("printed");
        return status;
    }

    std::string text_of(const std::string& file) const {
        std::ostringstream text;
        text << std::ifstream(home + "/" + file).rdbuf();
        return text.str();
    }

    bool has(const std::string& file) const { return fs::exists(home + "/" + file); }

    /// Brings the tar of an archive with one file of that content, as a delivery would.
    Resource archive(const std::string& name, const std::string& content) {
        const std::string in_home = "cd '" + home + "' && ";
        std::ofstream(home + "/made") << content;
        BOOST_REQUIRE(std::system((in_home + "mkdir " + name + ".new && mv made " + name +
                                   ".new/file && tar -czf tars/" + name +
                                   ".tar.gz --transform 's/\\.new//' " + name + ".new && rm -r " +
                                   name + ".new")
                                      .c_str()) == 0);
        return {.type = "archives", .name = name, .sha256 = "sum-of-" + content, .is_gzip = true};
    }

    /// Those of one bootstrap.
    ResourceFiles files_of(const std::vector<Resource>& archives,
                           const std::vector<std::string>& scripts) const {
        ResourceFiles files(home);
        for (const Resource& one : archives) files.add_archive(one, home, home + "/tars");
        for (const std::string& one : scripts) {
            files.add_file({.type = "scripts", .name = one, .sha256 = "sum"}, home + "/" + one,
                           0755);
        }
        return files;
    }

    int unpack(const ResourceFiles& files) {
        Steps steps;
        files.add_to(steps);
        return run(std::get<Run>(steps.back()).script);
    }

    std::string home;
    std::string printed;
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(an_archive_is_unpacked_once_for_each_version, Fixture) {
    const ResourceFiles first = files_of({archive("app", "one")}, {});
    BOOST_REQUIRE(unpack(first) == 0);
    BOOST_TEST(text_of("app/file") == "one");
    std::ofstream(home + "/app/more") << "left by a service";

    BOOST_REQUIRE(unpack(first) == 0);
    BOOST_TEST(printed == "");
    BOOST_TEST(has("app/more"));
    BOOST_REQUIRE(unpack(files_of({archive("app", "two")}, {})) == 0);

    BOOST_TEST(printed == "unpacking app\n");
    BOOST_TEST(text_of("app/file") == "two");
    BOOST_TEST(!has("app/more"));
}

BOOST_FIXTURE_TEST_CASE(what_was_cut_off_while_it_was_unpacked_is_unpacked_again, Fixture) {
    const ResourceFiles files = files_of({archive("app", "one")}, {});
    fs::create_directory(home + "/app");

    BOOST_REQUIRE(unpack(files) == 0);

    BOOST_TEST(text_of("app/file") == "one");
}

BOOST_FIXTURE_TEST_CASE(a_broken_archive_fails_and_says_which, Fixture) {
    Resource app = archive("app", "one");
    std::ofstream(home + "/tars/app.tar.gz") << "no tar";

    BOOST_TEST(unpack(files_of({app}, {})) != 0);

    BOOST_TEST(printed.starts_with("unpacking app\n"));
    BOOST_TEST(!has("tars/app.tar.gz.unpacked"));
}

BOOST_FIXTURE_TEST_CASE(what_was_recalled_is_taken_away_and_nothing_else, Fixture) {
    const Resource app = archive("app", "one");
    const ResourceFiles before = files_of({app}, {"kept.sh", "recalled.sh"});
    BOOST_REQUIRE(run("set -e\n" + before.recall()) == 0);
    BOOST_REQUIRE(unpack(before) == 0);
    for (const char* name : {"/kept.sh", "/recalled.sh", "/of-a-service"}) {
        std::ofstream(home + name) << "text";
    }

    BOOST_REQUIRE(run("set -e\n" + files_of({}, {"kept.sh"}).recall()) == 0);

    BOOST_TEST(has("kept.sh"));
    BOOST_TEST(has("of-a-service"));
    BOOST_TEST(!has("recalled.sh"));
    BOOST_TEST(!has("app"));
    BOOST_TEST(!has("tars/app.tar.gz"));
    BOOST_TEST(!has("tars/app.tar.gz.unpacked"));
    BOOST_TEST(!has("brought.new"));
    BOOST_TEST(printed.find("taking away " + home + "/recalled.sh, which was recalled\n") !=
               std::string::npos);
    BOOST_REQUIRE(run("set -e\n" + files_of({}, {}).recall()) == 0);
    BOOST_TEST(!has("kept.sh"));
    BOOST_TEST(has("of-a-service"));
}

BOOST_FIXTURE_TEST_CASE(a_file_can_take_the_place_of_an_archive, Fixture) {
    const ResourceFiles before = files_of({archive("app", "one")}, {});
    BOOST_REQUIRE(run("set -e\n" + before.recall()) == 0);
    BOOST_REQUIRE(unpack(before) == 0);

    BOOST_REQUIRE(run("set -e\n" + files_of({}, {"app"}).recall()) == 0);

    BOOST_TEST(!has("app"));
    BOOST_TEST(printed.find("taking away " + home + "/app/, which was recalled\n") !=
               std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_new_version_of_an_archive_is_no_recall, Fixture) {
    const ResourceFiles first = files_of({archive("app", "one")}, {});
    BOOST_REQUIRE(run("set -e\n" + first.recall()) == 0);
    BOOST_REQUIRE(unpack(first) == 0);

    BOOST_REQUIRE(run("set -e\n" + files_of({archive("app", "two")}, {}).recall()) == 0);

    BOOST_TEST(text_of("app/file") == "one");
    BOOST_TEST(printed == "");
}
