#include "provisioner/providers/local/helper/exchangeable.hpp"

#include <pwd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include "tests/integration/provisioner/providers/local/fixture.hpp"

using namespace provisioner::providers::local;
namespace fs = std::filesystem;

BOOST_AUTO_TEST_SUITE(exchangeable)

namespace {

/// below/state in a folder of root's own.
struct Folders {
    Folders() { fs::create_directories(state); }
    ~Folders() { fs::remove_all(top); }

    static fs::path made() {
        char name[] = "/tmp/exchangeable-XXXXXX";
        return mkdtemp(name);
    }

    fs::path top = made();
    fs::path below = top / "below";
    fs::path state = below / "state";
};

void give(const fs::path& path, const char* user) {
    const passwd* const found = getpwnam(user);
    BOOST_REQUIRE(chown(path.c_str(), found->pw_uid, found->pw_gid) == 0);
}

}  // namespace

BOOST_AUTO_TEST_CASE(folders_of_root_are_fine_and_so_are_those_of_strangers) {
    const Folders folders;

    BOOST_TEST(exchangeable_part(folders.state, "daemon") == "");
    give(folders.below, "nobody");
    BOOST_TEST(exchangeable_part(folders.state, "daemon") == "");
    BOOST_TEST(exchangeable_part(folders.state / "not/there/yet", "daemon") == "");
}

BOOST_AUTO_TEST_CASE(a_folder_that_the_user_owns_or_may_write_to_is_named) {
    const Folders folders;
    const std::string sentence = "the user daemon may write to " + folders.below.string() +
                                 ", so " + folders.state.string() +
                                 " is no place for the helper of root";

    give(folders.below, "daemon");
    BOOST_TEST(exchangeable_part(folders.state, "daemon") == sentence);
    BOOST_TEST(exchangeable_part(folders.state, "root") == "");
    BOOST_REQUIRE(chown(folders.below.c_str(), 0, getpwnam("daemon")->pw_gid) == 0);
    BOOST_TEST(exchangeable_part(folders.state, "daemon") == "");
    chmod(folders.below.c_str(), 0775);
    BOOST_TEST(exchangeable_part(folders.state, "daemon") == sentence);
    chmod(folders.below.c_str(), 0757);
    BOOST_TEST(exchangeable_part(folders.state, "daemon") == sentence);
    chmod(folders.below.c_str(), 01777);
    BOOST_TEST(exchangeable_part(folders.state, "daemon") == "");
}

BOOST_AUTO_TEST_CASE(a_link_that_was_put_into_a_settled_path_is_named) {
    const Folders folders;
    fs::create_directory_symlink(folders.below, folders.top / "link");

    BOOST_TEST(exchangeable_part(folders.top / "link/state", "daemon") ==
               (folders.top / "link").string() + " is a link");
}

BOOST_AUTO_TEST_CASE(a_helper_does_not_begin_where_its_user_could_lead_it_astray) {
    tests::LocalHosts hosts;
    const Folders folders;
    give(folders.below, "daemon");
    fs::create_directory_symlink(folders.state, folders.top / "link");
    const std::vector<std::vector<std::string>> choices = {
        {"--state", folders.top / "link", "--roots", "/", "--socket", folders.top / "s"},
        {"--state", folders.state, "--roots", "/", "--socket", folders.top / "s"},
        {"--state", folders.top, "--roots", folders.state, "--socket", folders.top / "s"},
        {"--state", folders.top, "--roots", "/", "--socket", folders.below / "s"}};

    for (const auto& choice : choices) {
        std::vector<std::string> command = {hosts.program, "serve",  "--group",
                                            "daemon",      "--user", "daemon"};
        command.insert(command.end(), choice.begin(), choice.end());
        int status = -1;
        waitpid(hosts.begin(command), &status, 0);
        BOOST_TEST(WEXITSTATUS(status) == 3);
    }
    BOOST_TEST(!fs::exists(folders.top / "s"));
    BOOST_TEST(!fs::exists(folders.below / "s"));
}

BOOST_AUTO_TEST_SUITE_END()
