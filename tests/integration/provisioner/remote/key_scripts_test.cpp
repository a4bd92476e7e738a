#include "provisioner/daemon/machines/key_scripts.hpp"

#include <sys/stat.h>
#include <sys/wait.h>

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <thread>

#include "provisioner/identity/ssh_keys.hpp"
#include "tests/integration/provisioner/remote/remote_fixture.hpp"

using namespace provisioner;
using tests::support::text_of_file;

BOOST_FIXTURE_TEST_SUITE(key_scripts, tests::integration::RemoteFixture)

namespace {

const std::string old_key = identity::ssh_key_pair(identity::random_seed()).public_key;
const std::string new_key = identity::ssh_key_pair(identity::random_seed()).public_key;

struct Node {
    explicit Node(tests::integration::RemoteFixture& with)
        : remote(with), file(with.path("authorized_keys")), own(text_of_file(file)) {}

    /// The key that the test itself logs in with is older than none.
    daemon::KeyChange change(long long fence) const {
        return {.user = "root",
                .key = new_key,
                .older = {old_key},
                .fence = fence,
                .sshd = "/usr/sbin/sshd -f " + remote.path("sshd_config"),
                .state = remote.path("state")};
    }
    void write(const std::string& more) const {
        std::ofstream text(file);
        text << own << more;
    }
    tests::integration::Told run(const std::string& script) {
        const auto session = remote.connect();
        return remote.run(*session, script);
    }

    tests::integration::RemoteFixture& remote;
    std::string file;
    /// The line that lets the test in.
    std::string own;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_new_key_is_added_and_an_older_one_taken_away_with_whatever_comment) {
    Node node(*this);
    node.write(old_key + " ann@home and more\n# " + new_key + "\n");
    BOOST_REQUIRE(::chmod(node.file.c_str(), 0640) == 0);
    BOOST_REQUIRE(::chown(node.file.c_str(), 0, 7) == 0);
    auto change = node.change(1);
    change.older = {old_key + " another comment"};

    const auto added = node.run(daemon::add_key_script(change));
    BOOST_TEST(added.result.exit_code == 0, added.err);
    BOOST_TEST(text_of_file(node.file) ==
               node.own + old_key + " ann@home and more\n# " + new_key + "\n" + new_key + "\n");
    const auto again = node.run(daemon::add_key_script(change));
    BOOST_TEST(again.result.exit_code == 0, again.err);
    const auto removed = node.run(daemon::remove_keys_script(change));

    BOOST_TEST(removed.result.exit_code == 0, removed.err);
    BOOST_TEST(text_of_file(node.file) == node.own + "# " + new_key + "\n" + new_key + "\n");
    struct stat file {};
    BOOST_REQUIRE(::stat(node.file.c_str(), &file) == 0);
    BOOST_TEST((file.st_mode & 07777) == 0640U);
    BOOST_TEST(file.st_gid == 7U);
    for (const auto& entry : std::filesystem::directory_iterator(sshd.folder())) {
        BOOST_TEST(!entry.path().filename().string().starts_with(".cooperage"));
    }
}

BOOST_AUTO_TEST_CASE(a_script_of_an_earlier_try_is_refused) {
    Node node(*this);
    node.write(old_key + "\n");
    auto late = node.change(1'700'000'000'000'001);
    const auto later = node.change(1'700'000'000'000'002);
    BOOST_TEST(node.run(daemon::add_key_script(later)).result.exit_code == 0);
    BOOST_TEST(node.run(daemon::remove_keys_script(later)).result.exit_code == 0);
    std::swap(late.key, late.older.front());

    const auto adding = node.run(daemon::add_key_script(late));
    const auto removing = node.run(daemon::remove_keys_script(late));

    BOOST_TEST(adding.result.exit_code == 1);
    BOOST_TEST(adding.err.find("a later change of the login keys was here") != std::string::npos);
    BOOST_TEST(removing.result.exit_code == 1);
    BOOST_TEST(text_of_file(node.file) == node.own + new_key + "\n");
}

BOOST_AUTO_TEST_CASE(scripts_that_run_at_once_lose_no_key) {
    Node node(*this);
    node.write("");
    constexpr int at_once = 12;
    std::vector<std::string> keys;
    std::vector<std::thread> scripts;
    for (int i = 0; i < at_once; ++i) {
        keys.push_back(identity::ssh_key_pair(identity::random_seed()).public_key);
        auto change = node.change(5);
        change.key = keys.back();
        change.older.clear();
        const std::string path = this->path("script" + std::to_string(i));
        std::ofstream(path) << daemon::add_key_script(change);
        scripts.emplace_back([path] { BOOST_TEST(std::system(("sh " + path).c_str()) == 0); });
    }
    for (std::thread& script : scripts) script.join();

    const std::string text = text_of_file(node.file);
    for (const std::string& key : keys) BOOST_TEST(text.find(key) != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_file_behind_a_link_is_replaced_and_the_link_stays) {
    Node node(*this);
    node.write(old_key + "\n");
    const std::string real = path("real_keys");
    std::filesystem::rename(node.file, real);
    std::filesystem::create_symlink(real, node.file);

    BOOST_TEST(node.run(daemon::add_key_script(node.change(1))).result.exit_code == 0);

    BOOST_TEST(std::filesystem::is_symlink(node.file));
    BOOST_TEST(text_of_file(real) == node.own + old_key + "\n" + new_key + "\n");
}

BOOST_AUTO_TEST_CASE(older_keys_stay_while_the_new_one_is_not_there) {
    Node node(*this);
    node.write(old_key + "\n#" + new_key + "\n");

    const auto removed = node.run(daemon::remove_keys_script(node.change(1)));

    BOOST_TEST(removed.result.exit_code == 1);
    BOOST_TEST(text_of_file(node.file).find(old_key) != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
