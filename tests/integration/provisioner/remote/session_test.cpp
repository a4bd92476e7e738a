#include "tests/integration/provisioner/remote/remote_fixture.hpp"

#include <signal.h>
#include <sys/stat.h>

#include <boost/asio/detached.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "provisioner/daemon/machines/key_scripts.hpp"
#include "provisioner/identity/ssh_keys.hpp"
#include "provisioner/remote/session_pool.hpp"
#include "provisioner/remote/step_wrapper.hpp"

using namespace provisioner::remote;
using tests::integration::RemoteFixture;
using tests::integration::Told;
using tests::support::text_of_file;

namespace {

boost::asio::awaitable<void> log_in_and_print(RemoteFixture& fixture, int number, int& right) {
    const Endpoint endpoint = fixture.sshd.endpoint();
    const auto session = co_await fixture.connector->connect(endpoint, std::chrono::seconds(60));
    const std::string name = "crowd-" + std::to_string(number);
    const Run run{.label = "crowd", .script = "echo " + name};
    const StepKey key{name, 1};
    const Told told = co_await fixture.running(*session, run, key);
    if (told.out == name + "\n" && told.result.exit_code == 0) ++right;
}

provisioner::base::Secret unknown_key() {
    return provisioner::identity::ssh_key_pair(provisioner::identity::random_seed()).private_key;
}

boost::asio::awaitable<void> give_up_at_once(Connector& connector, Endpoint endpoint) {
    co_await connector.connect(endpoint, std::chrono::milliseconds(300));
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(session, RemoteFixture)

BOOST_AUTO_TEST_CASE(the_right_key_logs_in_and_the_known_host_key_is_shown) {
    const auto session = connect();

    BOOST_TEST(session->alive());
    BOOST_TEST(session->host_key() == sshd.host_key("ed25519"));
}

BOOST_AUTO_TEST_CASE(another_key_logs_in_when_the_first_is_refused) {
    Endpoint endpoint = sshd.endpoint();
    endpoint.other_keys = {unknown_key(), endpoint.private_key};
    endpoint.private_key = unknown_key();

    const auto session = await(connector->connect(endpoint, std::chrono::seconds(20)));

    BOOST_TEST(run(*session, "echo here").out == "here\n");
}

BOOST_AUTO_TEST_CASE(a_node_that_takes_none_of_the_keys_says_so_and_is_not_taken_for_an_outage) {
    Endpoint endpoint = sshd.endpoint();
    endpoint.other_keys = {unknown_key(), unknown_key(), unknown_key(), unknown_key()};
    endpoint.private_key = unknown_key();
    BOOST_CHECK_THROW(await(connector->connect(endpoint, std::chrono::seconds(20))), LoginRefused);

    endpoint.port = 1;
    try {
        await(connector->connect(endpoint, std::chrono::seconds(20)));
        BOOST_FAIL("connected to nobody");
    } catch (const LoginRefused&) {
        BOOST_FAIL("nobody was there to refuse");
    } catch (const TransportError&) {
    }
}

BOOST_AUTO_TEST_CASE(a_server_that_ends_connections_after_a_refusal_gets_every_key_all_the_same) {
    for (const int tries : {1, 2, 4}) {
        sshd.restart("MaxAuthTries " + std::to_string(tries) + "\n");
        Endpoint endpoint = sshd.endpoint();
        const auto right = endpoint.private_key;
        const auto wrong = [] {
            return provisioner::identity::ssh_key_pair(provisioner::identity::random_seed())
                .private_key;
        };
        endpoint.private_key = wrong();
        endpoint.other_keys = {wrong(), wrong(), wrong(), wrong(), right};
        const auto session = await(connector->connect(endpoint, std::chrono::seconds(20)));
        BOOST_TEST(run(*session, "echo here").out == "here\n");
        endpoint.other_keys.pop_back();
        BOOST_CHECK_THROW(await(connector->connect(endpoint, std::chrono::seconds(20))),
                          LoginRefused);
        endpoint.other_keys.clear();
        BOOST_CHECK_THROW(await(connector->connect(endpoint, std::chrono::seconds(20))),
                          LoginRefused);
    }
}

BOOST_AUTO_TEST_CASE(scripts_change_which_keys_let_in) {
    const auto fresh = provisioner::identity::ssh_key_pair(provisioner::identity::random_seed());
    const std::string old_public =
        *provisioner::identity::public_key_in(sshd.endpoint().private_key.reveal());
    const provisioner::daemon::KeyChange change{.user = "root",
                                                .key = fresh.public_key,
                                                .older = {old_public},
                                                .sshd = "/usr/sbin/sshd -f " + path("sshd_config"),
                                                .state = path("keys_state")};
    const auto session = connect();
    const std::string before = text_of_file(path("authorized_keys"));
    BOOST_TEST(run(*session, remove_keys_script(change)).result.exit_code == 1);
    BOOST_TEST(text_of_file(path("authorized_keys")) == before);

    BOOST_TEST(run(*session, add_key_script(change)).result.exit_code == 0);
    BOOST_TEST(run(*session, add_key_script(change)).result.exit_code == 0);
    BOOST_TEST(text_of_file(path("authorized_keys")) == before + fresh.public_key + "\n");
    Endpoint with_new = sshd.endpoint();
    with_new.private_key = fresh.private_key;
    await(connector->connect(with_new, std::chrono::seconds(20)));

    BOOST_TEST(run(*session, remove_keys_script(change)).result.exit_code == 0);
    BOOST_TEST(run(*session, remove_keys_script(change)).result.exit_code == 0);
    BOOST_TEST(text_of_file(path("authorized_keys")) == fresh.public_key + "\n");
    BOOST_CHECK_THROW(connect(), LoginRefused);
    await(connector->connect(with_new, std::chrono::seconds(20)));
}

BOOST_AUTO_TEST_CASE(a_known_ecdsa_key_is_asked_for_although_the_host_has_a_newer_one) {
    Endpoint endpoint = sshd.endpoint();
    endpoint.host_key = sshd.host_key("ecdsa") + " root@somewhere";

    const auto session = await(connector->connect(endpoint, std::chrono::seconds(20)));

    BOOST_TEST(session->host_key() == sshd.host_key("ecdsa"));
}

BOOST_AUTO_TEST_CASE(an_unknown_host_key_is_taken_on_first_contact) {
    Endpoint endpoint = sshd.endpoint();
    endpoint.host_key.clear();

    const auto session = await(connector->connect(endpoint, std::chrono::seconds(20)));

    BOOST_TEST(session->host_key() == sshd.host_key("ed25519"));
}

BOOST_AUTO_TEST_CASE(another_host_key_than_the_known_one_is_refused_before_the_login) {
    const tests::support::Sshd other;
    Endpoint endpoint = sshd.endpoint();
    endpoint.host_key = other.host_key("ed25519");

    BOOST_CHECK_THROW(await(connector->connect(endpoint, std::chrono::seconds(20))), UntrustedHost);

    BOOST_TEST(text_of_file(sshd.folder() + "/log").find("Accepted") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_key_the_host_does_not_know_fails_with_the_name_of_the_host) {
    const tests::support::Sshd other;
    Endpoint endpoint = sshd.endpoint();
    endpoint.private_key = other.endpoint().private_key;

    BOOST_CHECK_EXCEPTION(await(connector->connect(endpoint, std::chrono::seconds(20))),
                          TransportError, [&](const TransportError& error) {
                              const std::string text = error.what();
                              return text.find("root@127.0.0.1:") == 0 &&
                                     text.find("login failed") != std::string::npos;
                          });
}

BOOST_AUTO_TEST_CASE(a_closed_port_and_a_bad_address_are_transport_errors) {
    Endpoint closed = sshd.endpoint();
    closed.port = 1;
    Endpoint misnamed = sshd.endpoint();
    misnamed.address = "not an address";

    BOOST_CHECK_THROW(await(give_up_at_once(*connector, closed)), TransportError);
    BOOST_CHECK_THROW(await(give_up_at_once(*connector, misnamed)), TransportError);
}

BOOST_AUTO_TEST_CASE(a_host_that_accepts_and_says_nothing_is_given_up) {
    boost::asio::ip::tcp::acceptor mute(loop, {boost::asio::ip::make_address("127.0.0.1"), 0});
    Endpoint endpoint = sshd.endpoint();
    endpoint.port = mute.local_endpoint().port();

    BOOST_CHECK_EXCEPTION(await(give_up_at_once(*connector, endpoint)), TransportError,
                          [](const TransportError& error) {
                              return std::string(error.what()).find("in time") != std::string::npos;
                          });
}

BOOST_AUTO_TEST_CASE(exit_codes_come_through_as_they_are) {
    const auto session = connect();

    for (const int code : {0, 1, 124, 255}) {
        const Told told = run(*session, "exit " + std::to_string(code));

        BOOST_TEST(told.result.exit_code == code);
        BOOST_TEST(!told.result.timed_out);
        BOOST_TEST(!told.result.fenced_off);
    }
}

BOOST_AUTO_TEST_CASE(a_wrapper_that_is_there_is_left_alone_by_the_next_session) {
    const std::string wrapper = path("state/") + step_wrapper_name();
    run(*connect(), "true");
    struct stat first {};
    BOOST_REQUIRE(::stat(wrapper.c_str(), &first) == 0);

    const Told told = run(*connect(), "echo again");

    struct stat second {};
    BOOST_REQUIRE(::stat(wrapper.c_str(), &second) == 0);
    BOOST_TEST(told.out == "again\n");
    BOOST_TEST(first.st_ino == second.st_ino);
}

BOOST_AUTO_TEST_CASE(a_wrapper_that_is_missing_is_put_there_by_whatever_comes_first) {
    const Upload upload{.path = path("file"), .content = std::string(5'000'000, 'x')};
    const auto take_away = [&] { std::filesystem::remove_all(path("state")); };

    await(connect()->upload(upload));
    BOOST_TEST((text_of_file(upload.path) == upload.content));
    take_away();
    const Told told = run(*connect(), "echo out; echo err >&2");
    BOOST_TEST(told.out == "out\n");
    BOOST_TEST(told.err == "err\n");
    take_away();
    stop(*connect(), {"early", 1});

    BOOST_TEST(text_of_file(path("state/steps/early/exit")) == "stopped\n");
}

BOOST_AUTO_TEST_CASE(standard_output_and_standard_error_stay_apart) {
    const auto session = connect();

    const Told told = run(*session, "echo one; echo two >&2; printf three; printf four >&2");

    BOOST_TEST(told.out == "one\nthree");
    BOOST_TEST(told.err == "two\nfour");
}

BOOST_AUTO_TEST_CASE(five_megabytes_of_output_arrive_whole) {
    const auto session = connect();

    const Told told = run(*session, "head -c 5000000 /dev/zero | tr '\\0' x; echo end >&2");

    BOOST_TEST(told.out.size() == 5'000'000u);
    BOOST_TEST(told.out.find_first_not_of('x') == std::string::npos);
    BOOST_TEST(told.err == "end\n");
}

BOOST_AUTO_TEST_CASE(a_script_reaches_the_shell_byte_by_byte) {
    const auto session = connect();
    const std::string odd = "'\"$HOME`\\ \t*\x01\xff\xc3\xa9;&|<>(){}";

    const Told told = run(*session, "cat <<'END'\n" + odd + "\nEND\n");

    BOOST_TEST(told.out == odd + "\n");
}

BOOST_AUTO_TEST_CASE(a_script_too_large_for_a_request_runs_all_the_same_and_once) {
    const auto session = connect();
    const std::string script = "echo run >>" + path("count") +
                               "; echo begun; sleep 0.3; echo over\n" + "echo err >&2; exit 4\n#" +
                               std::string(2'000'000, 'x');

    for (int i = 0; i < 2; ++i) {
        const Told told = run(*session, script, {"large", 1});

        BOOST_TEST(told.out == "begun\nover\n");
        BOOST_TEST(told.err == "err\n");
        BOOST_TEST(told.result.exit_code == 4);
    }
    BOOST_TEST(tests::integration::lines_of(path("count")) == 1);
    BOOST_TEST(run(*session, "echo on").out == "on\n");
}

BOOST_AUTO_TEST_CASE(an_older_flock_that_cannot_become_another_program_stays_and_holds_the_lock) {
    run(*connect(), "mkdir " + path("bin") +
                        "; printf '#!/bin/sh\n[ \"$1\" != -F ] || exit 64\n"
                        "exec /usr/bin/flock \"$@\"\n' >" +
                        path("bin/flock") + "; chmod 755 " + path("bin/flock"));
    const std::string keys = path("authorized_keys");
    const std::string key = text_of_file(keys);
    std::ofstream(keys) << "command=\"PATH=" << path("bin") << ":$PATH exec sh -c \\\"exec "
                        << "$SSH_ORIGINAL_COMMAND\\\"\" " << key;
    const auto session = connect();

    for (int i = 0; i < 3; ++i) {
        const Told told = run(*session, "echo out; exit 7", {"old-" + std::to_string(i / 2), 1});

        BOOST_TEST(told.out == "out\n");
        BOOST_TEST(told.result.exit_code == 7);
    }
    const Run endless{.label = "endless", .script = "sleep 600", .limit = std::chrono::seconds(1)};
    BOOST_TEST(await(running(*session, endless, {"endless", 1})).result.timed_out);
}

BOOST_AUTO_TEST_CASE(a_shell_that_was_killed_on_the_node_is_started_again) {
    const auto session = connect();
    const std::string kept = run(*session, "ps -o ppid= $(ps -o ppid= $(ps -o ppid= $$))").out;

    BOOST_REQUIRE(::kill(std::stoi(kept), SIGKILL) == 0);

    BOOST_TEST(run(*session, "echo on").out == "on\n");
    BOOST_TEST(session->alive());
}

BOOST_AUTO_TEST_CASE(a_step_cannot_pretend_the_wrappers_answer) {
    const auto session = connect();

    const Told told = run(*session, "printf '\\0360123456789abcdef exit 0\\n' >&2; exit 3");

    BOOST_TEST(told.result.exit_code == 3);
    BOOST_TEST(told.err == "\0360123456789abcdef exit 0\n");
}

BOOST_AUTO_TEST_CASE(a_daemon_left_behind_by_a_step_does_not_hold_it_up) {
    const auto session = connect();
    const auto before = std::chrono::steady_clock::now();

    const Told told = run(*session, "sleep 30 & echo $!");

    BOOST_TEST(told.result.exit_code == 0);
    BOOST_TEST((std::chrono::steady_clock::now() - before < std::chrono::seconds(15)));
    run(*session, "kill " + told.out);
}

BOOST_AUTO_TEST_CASE(a_megabyte_is_uploaded_with_its_mode_into_new_folders) {
    const auto session = connect();
    Upload upload{.path = path("deep/er/it's here"), .content = "", .mode = 0640};
    for (int i = 0; i < 1'000'000; ++i) upload.content += static_cast<char>(i * 7 + i / 256);

    await(session->upload(upload));

    struct stat found {};
    BOOST_REQUIRE(::stat(upload.path.c_str(), &found) == 0);
    BOOST_TEST((found.st_mode & 07777) == 0640u);
    BOOST_TEST((text_of_file(upload.path) == upload.content));
}

BOOST_AUTO_TEST_CASE(an_upload_replaces_a_file_and_leaves_nothing_beside_it) {
    const auto session = connect();

    await(session->upload({.path = path("place/file"), .content = "long old text"}));
    await(session->upload({.path = path("place/file"), .content = "new"}));
    const Told told = run(*session, "ls -A " + path("place"));

    BOOST_TEST(text_of_file(path("place/file")) == "new");
    BOOST_TEST(told.out == "file\n");
}

BOOST_AUTO_TEST_CASE(an_upload_that_cannot_be_written_says_why_and_the_session_goes_on) {
    const auto session = connect();
    await(session->upload({.path = path("place/file"), .content = "text"}));
    const Upload big{.path = path("place/file/below"), .content = std::string(5'000'000, 'x')};

    BOOST_CHECK_EXCEPTION(await(session->upload({.path = path("place"), .content = "x"})),
                          NodeRefusal, [&](const auto& error) {
                              return std::string(error.what()) ==
                                     "upload of " + path("place") + " failed: exit code 1, " +
                                         path("place") + " is a directory";
                          });
    BOOST_CHECK_THROW(await(session->upload(big)), NodeRefusal);

    BOOST_TEST(session->alive());
    BOOST_TEST(run(*session, "echo on").out == "on\n");
}

BOOST_AUTO_TEST_CASE(only_files_with_another_content_are_lacking_and_the_others_get_their_modes) {
    const auto session = connect();
    const std::string hello = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03";
    await(session->upload({.path = path("it's here"), .content = "hello\n", .mode = 0600}));
    await(session->upload({.path = path("changed"), .content = "hellO\n"}));
    const Delivery delivery{.label = "bring",
                            .files = {{path("missing"), 0644, hello, 6},
                                      {path("it's here"), 0755, hello, 6},
                                      {path("changed"), 0644, hello, 6}}};

    const auto lacking = await(session->lacking(delivery));

    BOOST_TEST((lacking == std::vector<std::size_t>{0, 2}));
    struct stat found {};
    BOOST_REQUIRE(::stat(path("it's here").c_str(), &found) == 0);
    BOOST_TEST((found.st_mode & 07777) == 0755u);
}

BOOST_AUTO_TEST_CASE(a_file_that_stays_is_looked_for_once_until_a_step_fails) {
    const auto session = connect();
    const std::string hello = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03";
    const Delivery delivery{
        .label = "bring",
        .files = {{.path = path("stays"), .sha256 = hello, .size = 6, .stays = true},
                  {.path = path("goes"), .sha256 = hello, .size = 6}}};
    const auto lacking = [&] { return await(session->lacking(delivery)); };
    for (const DeliveredFile& file : delivery.files) {
        std::string_view whole = "hello\n";
        await(session->send(file, [&] { return std::exchange(whole, {}); }));
    }
    BOOST_TEST(lacking().empty());

    for (const DeliveredFile& file : delivery.files) std::filesystem::remove(file.path);

    BOOST_TEST((lacking() == std::vector<std::size_t>{1}));
    BOOST_TEST(run(*session, "cat " + path("stays")).result.exit_code != 0);
    BOOST_TEST((lacking() == std::vector<std::size_t>{0, 1}));
}

BOOST_AUTO_TEST_CASE(a_file_is_sent_in_pieces_and_checked_when_it_is_there) {
    const auto session = connect();
    // Of "hello\n" a hundred thousand times.
    const std::string sum = "4fd9170c87b74640b4d96bfc64abfa97e4f533f777d922e1263fd39f97197961";
    const DeliveredFile file{path("deep/file"), 0640, sum, 600'000};
    const auto sent = [&](int times) {
        std::string line = "hello\n";
        const Pieces pieces = [&]() -> std::string_view {
            return times-- > 0 ? std::string_view(line) : std::string_view();
        };
        await(session->send(file, pieces));
    };

    BOOST_CHECK_THROW(sent(99'999), WrongContent);
    BOOST_TEST(run(*session, "ls -A " + path("deep")).out == "");
    sent(100'000);

    BOOST_TEST(std::filesystem::file_size(file.path) == 600'000U);
    BOOST_TEST(await(session->lacking({.label = "bring", .files = {file}})).empty());
    DeliveredFile other = file;
    other.sha256[0] = other.sha256[0] == '0' ? '1' : '0';
    const Pieces right_length = [left = 1]() mutable -> std::string_view {
        static const std::string all = std::string(600'000, 'x');
        return left-- > 0 ? std::string_view(all) : std::string_view();
    };
    BOOST_CHECK_THROW(await(session->send(other, right_length)), WrongContent);
    BOOST_TEST(run(*session, "ls -A " + path("deep")).out == "file\n");
}

BOOST_AUTO_TEST_CASE(a_large_file_leaves_the_loop_to_others_now_and_then) {
    const auto session = connect();
    constexpr std::uint64_t megabyte = 1'000'000;
    const DeliveredFile file{path("large"), 0644, std::string(64, '0'), 300 * megabyte};
    std::uint64_t asked = 0;
    std::uint64_t most_between = 0;
    bool is_sent = false;
    const Pieces pieces = [&]() -> std::string_view {
        static const std::string piece(megabyte / 4, 'x');
        if (asked == file.size) return {};
        asked += piece.size();
        return piece;
    };
    const auto sending = [&]() -> boost::asio::awaitable<void> {
        try {
            co_await session->send(file, pieces);
        } catch (const WrongContent&) {
            is_sent = true;
        }
    };
    const auto ticking = [&]() -> boost::asio::awaitable<void> {
        auto executor = co_await boost::asio::this_coro::executor;
        std::uint64_t before = 0;
        while (!is_sent) {
            co_await boost::asio::post(executor, boost::asio::use_awaitable);
            most_between = std::max(most_between, asked - before);
            before = asked;
        }
    };

    boost::asio::co_spawn(loop, ticking(), boost::asio::detached);
    await(sending());

    BOOST_TEST(asked == file.size);
    BOOST_TEST(most_between < 4 * megabyte);
}

BOOST_AUTO_TEST_CASE(a_node_that_says_more_than_it_was_asked_is_not_listened_to) {
    const auto session = connect();
    await(session->upload({.path = path("place/file"), .content = "text"}));
    // Whoever is root on the node can put anything in the wrapper's place.
    BOOST_REQUIRE(run(*session, "cd " + path("state") +
                                    " && printf 'cat >/dev/null; yes 0' >\"$(ls | grep ^step-)\"")
                      .result.exit_code == 0);

    BOOST_CHECK_THROW(
        await(session->lacking(
            {.label = "bring", .files = {{path("x"), 0644, std::string(64, '0'), 1}}})),
        NodeRefusal);
}

BOOST_AUTO_TEST_CASE(a_source_that_breaks_ends_the_connection_and_leaves_nothing) {
    auto session = connect();
    const DeliveredFile file{path("deep/file"), 0640, std::string(64, '0'), 100};
    const Pieces broken = []() -> std::string_view { throw std::runtime_error("no more"); };

    BOOST_CHECK_EXCEPTION(await(session->send(file, broken)), std::runtime_error,
                          [](const auto& error) { return error.what() == std::string("no more"); });

    BOOST_TEST(!session->alive());
    session = connect();
    // The node finds out in its own time.
    const std::string left = "ls -A " + path("deep") + " 2>/dev/null";
    const std::string patiently =
        "for _ in $(seq 100); do [ -n \"$(" + left + ")\" ] || break; sleep 0.1; done; " + left;
    BOOST_TEST(run(*session, patiently).out == "");
}

BOOST_AUTO_TEST_CASE(fifty_sessions_at_once_share_one_loop) {
    int right = 0;
    for (int number = 0; number < 50; ++number) {
        boost::asio::co_spawn(loop, log_in_and_print(*this, number, right),
                              [](std::exception_ptr failure) {
                                  if (failure) std::rethrow_exception(failure);
                              });
    }

    loop.restart();
    loop.run();

    BOOST_TEST(right == 50);
}

BOOST_AUTO_TEST_CASE(a_kept_session_runs_many_commands) {
    const auto session = connect();
    run(*session, "true");
    constexpr int count = 30;
    const auto before = std::chrono::steady_clock::now();

    for (int i = 0; i < count; ++i) BOOST_REQUIRE(run(*session, "echo x").out == "x\n");

    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - before;
    std::cout << "remote: " << count / taken.count() << " commands/s on one kept session\n";
}

BOOST_AUTO_TEST_CASE(a_session_whose_connection_was_cut_is_not_alive_and_the_pool_opens_another) {
    SessionPool pool(*connector);
    auto first = await(pool.acquire(sshd.endpoint(), std::chrono::seconds(20)));
    Session* const kept = first.get();
    first.reset();
    auto again = await(pool.acquire(sshd.endpoint(), std::chrono::seconds(20)));
    BOOST_TEST(again.get() == kept);

    sshd.cut_connections();
    BOOST_CHECK_THROW(run(*again, "true"), TransportError);
    BOOST_TEST(!again->alive());
    again.reset();
    const auto next = await(pool.acquire(sshd.endpoint(), std::chrono::seconds(20)));

    BOOST_TEST(run(*next, "echo back").out == "back\n");
    BOOST_TEST(pool.size() == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
