#include <sys/mount.h>

#include <boost/test/unit_test.hpp>

#include <filesystem>

#include "tests/integration/provisioner/remote/remote_fixture.hpp"

using namespace provisioner::remote;
using tests::integration::is_running;
using tests::integration::lines_of;
using tests::integration::RemoteFixture;
using tests::integration::Told;
using tests::support::text_of_file;

namespace {

/// A state folder on a disk of so many bytes, as long as it lives.
struct SmallDisk {
    SmallDisk(std::string where, const std::string& options) : folder(std::move(where)) {
        std::filesystem::create_directories(folder);
        BOOST_REQUIRE(::mount("tmpfs", folder.c_str(), "tmpfs", 0, options.c_str()) == 0);
    }
    ~SmallDisk() { ::umount2(folder.c_str(), MNT_DETACH); }
    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;

    std::string folder;
};

/// What the node says when it refuses to run a step; empty when it does not.
std::string refusal_of(RemoteFixture& fixture, Session& session, const std::string& script,
                       StepKey key) {
    try {
        fixture.run(session, script, std::move(key));
    } catch (const NodeRefusal& refusal) {
        return refusal.what();
    }
    return "";
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(lost_ledger, RemoteFixture)

BOOST_AUTO_TEST_CASE(a_ledger_that_was_removed_is_put_back_on_a_session_that_is_kept) {
    const auto session = connect();
    run(*session, "true");
    std::filesystem::remove_all(path("state"));

    const Told told = run(*session, "echo back; exit 5");

    BOOST_TEST(told.out == "back\n");
    BOOST_TEST(told.result.exit_code == 5);
}

BOOST_AUTO_TEST_CASE(an_upload_puts_it_back_too) {
    const auto session = connect();
    run(*session, "true");
    std::filesystem::remove_all(path("state"));
    const Upload file{.path = path("file"), .content = "content"};

    await([](Session& to, Upload what) -> boost::asio::awaitable<bool> {
        co_await to.upload(what);
        co_return true;
    }(*session, file));

    BOOST_TEST(text_of_file(path("file")) == "content");
}

BOOST_AUTO_TEST_CASE(a_step_that_removes_the_ledger_is_told_so_at_once_and_the_next_one_runs) {
    const auto session = connect();

    const std::string why =
        refusal_of(*this, *session, "rm -rf " + path("state") + "; sleep 0.5", {"5-1-0", 1});
    const Told next = run(*session, "echo next", {"5-2-0", 2});

    BOOST_TEST(contains(why, "was removed while the step ran"), why);
    BOOST_TEST(next.out == "next\n");
}

BOOST_AUTO_TEST_CASE(a_step_whose_record_was_removed_does_not_run_beside_its_repetition) {
    const std::string script =
        "echo $$ >>" + path("pids") + "; echo ready; while sleep 0.2; do echo on; done";
    const Run endless{.label = "endless", .script = script};
    const auto first = connect();
    BOOST_CHECK_THROW(await(run_and_be_cut(*first, endless, {"6-1-0", 1})), TransportError);
    std::filesystem::remove_all(path("state"));
    const auto session = connect();

    // Whoever comes first finds out, for another task, too.
    const Told other = run(*session, "echo other", {"7-1-0", 1});
    const Told again = run(*session, script, {"6-1-0", 2});

    BOOST_TEST(other.out == "other\n");
    BOOST_TEST(again.result.exit_code == 137);
    BOOST_TEST(contains(again.err, "its processes are gone without a result"), again.err);
    BOOST_TEST(lines_of(path("pids")) == 1);
    const int pid = std::stoi(text_of_file(path("pids")));
    BOOST_TEST(!is_running(std::to_string(pid)));
}

BOOST_AUTO_TEST_CASE(a_stop_finds_a_step_whose_record_was_removed) {
    const Run endless{.label = "endless",
                      .script = "echo $$ >>" + path("pids") + "; echo ready; sleep 600"};
    const auto first = connect();
    BOOST_CHECK_THROW(await(run_and_be_cut(*first, endless, {"8-1-0", 1})), TransportError);
    std::filesystem::remove_all(path("state"));
    const auto session = connect();

    stop(*session, {"9-1-0", 1});
    const Told again = await(running(*session, endless, {"8-1-0", 2}));

    BOOST_TEST(again.result.exit_code == 137);
    BOOST_TEST(lines_of(path("pids")) == 1);
}

BOOST_AUTO_TEST_CASE(a_full_disk_is_told_at_once_and_in_the_systems_words) {
    const SmallDisk disk(path("state"), "size=128k");
    const auto session = connect();
    run(*session, "true");
    run(*session, "head -c 1000000 /dev/zero >" + path("state/filler"));

    const std::string why = refusal_of(*this, *session, "echo never", {"7-1-0", 1});

    BOOST_TEST(contains(why, "the node cannot keep what it is to run"), why);
    BOOST_TEST(contains(why, "No space left on device"), why);
}

BOOST_AUTO_TEST_CASE(a_disk_without_inodes_is_told_at_once) {
    const SmallDisk disk(path("state"), "nr_inodes=30");
    const auto session = connect();
    run(*session, "true");
    run(*session, "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do : >" +
                      path("state") + "/$i; done 2>/dev/null; true");

    const std::string why = refusal_of(*this, *session, "echo never", {"7-1-0", 1});

    BOOST_TEST(contains(why, "No space left on device"), why);
}

BOOST_AUTO_TEST_CASE(a_step_that_fills_the_disk_ends_as_it_ends) {
    const SmallDisk disk(path("state"), "size=128k");
    const auto session = connect();

    const Told told =
        run(*session, "head -c 1000000 /dev/zero >" + path("state/filler") + "; exit 3");

    BOOST_TEST(told.result.exit_code == 3);
}

BOOST_AUTO_TEST_CASE(a_folder_that_is_read_only_is_told_at_once) {
    const SmallDisk disk(path("state"), "size=128k");
    const auto session = connect();
    run(*session, "true");
    BOOST_REQUIRE(::mount("", disk.folder.c_str(), "", MS_REMOUNT | MS_RDONLY, "") == 0);

    const std::string why = refusal_of(*this, *session, "echo never", {"7-1-0", 1});

    BOOST_TEST(contains(why, "Read-only file system"), why);
}

BOOST_AUTO_TEST_SUITE_END()
