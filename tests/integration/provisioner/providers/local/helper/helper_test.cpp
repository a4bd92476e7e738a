#include <sys/stat.h>
#include <sys/wait.h>

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <optional>
#include <thread>

#include "provisioner/providers/local/host/processes.hpp"
#include "provisioner/providers/local/host/state_dir.hpp"
#include "tests/integration/provisioner/providers/local/fixture.hpp"
#include "tests/integration/provisioner/providers/local/helper/clients.hpp"

using namespace provisioner::providers;
using namespace std::chrono_literals;
using tests::as_user;
using tests::ask;
using tests::Client;
using tests::LocalHosts;
namespace fs = std::filesystem;

BOOST_AUTO_TEST_SUITE(helper)

namespace {

std::string start_of(const LocalHosts& hosts, const MachineSpec& spec) {
    return local::start_request(hosts.settings, provisioner::base::Json::object(), spec).value();
}

const std::string empty_list = "{\"exit_code\":0}\n";

/// Asks for twenty lists, again while no helper listens: as the daemon does. How many were answered
/// whole; a connection that was accepted and then cut off is not asked again.
int lists_answered(const std::string& socket) {
    int answered = 0;
    for (int asked = 0, refused = 0; asked < 20 && refused < 1000; ++asked) {
        try {
            answered += ask(socket, local::list_request()) == empty_list ? 1 : 0;
        } catch (const local::Failure&) {
            std::this_thread::sleep_for(10ms);
            --asked;
            ++refused;
        }
    }
    return answered;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_user_without_any_rights_makes_uses_and_removes_a_host) {
    LocalHosts hosts;
    const MachineSpec spec = hosts.spec("a");

    const std::string made = as_user("daemon", [&] {
        const Reachable reachable = hosts.reach(spec);
        return reachable.host_key;
    });
    const auto running = local::hosts_of(hosts.settings.state_dir).size();
    const std::string removed = as_user("daemon", [&]() -> std::string {
        return std::holds_alternative<Gone>(hosts.destroy(spec)) ? "gone" : "there";
    });

    BOOST_TEST(made.starts_with("ssh-ed25519 "), made);
    BOOST_TEST(running == 1u);
    BOOST_TEST(removed == "gone");
    BOOST_TEST(tests::traces_on_this_machine(hosts.settings.state_dir).empty());
}

BOOST_AUTO_TEST_CASE(a_user_of_another_group_cannot_connect) {
    LocalHosts hosts;

    const std::string answer =
        as_user("nobody", [&] { return ask(hosts.settings.socket, local::list_request()); });

    BOOST_TEST(answer == "error: cannot connect: Permission denied");
    struct stat found {};
    BOOST_REQUIRE(stat(hosts.settings.socket.c_str(), &found) == 0);
    BOOST_TEST((found.st_mode & 07777) == 0660u);
    BOOST_TEST(found.st_uid == 0u);
}

BOOST_AUTO_TEST_CASE(a_user_who_may_open_the_socket_is_still_not_listened_to) {
    LocalHosts hosts;
    // As if somebody had been let into the group by mistake.
    chmod(hosts.settings.socket.c_str(), 0666);

    const std::string other =
        as_user("nobody", [&] { return ask(hosts.settings.socket, local::list_request()); });
    const std::string own =
        as_user("daemon", [&] { return ask(hosts.settings.socket, local::list_request()); });

    BOOST_TEST(other == "");
    BOOST_TEST(own == empty_list);
}

BOOST_AUTO_TEST_CASE(hosts_survive_a_helper_that_ends_and_the_next_one_knows_them) {
    LocalHosts hosts;
    const MachineSpec spec = hosts.spec("a");
    const Reachable first = hosts.reach(spec);

    for (const int signal : {SIGTERM, SIGKILL}) {
        hosts.end_oldest_helper(signal);
        hosts.start_helper();

        const Confirmed confirmed = hosts.confirm(spec);
        BOOST_REQUIRE(std::holds_alternative<Reachable>(confirmed));
        BOOST_TEST(std::get<Reachable>(confirmed).host_key == first.host_key);
    }
}

BOOST_AUTO_TEST_CASE(a_helper_that_is_away_is_named_and_nothing_is_made) {
    LocalHosts hosts;
    hosts.end_oldest_helper(SIGTERM);
    const auto error_of = [&] {
        try {
            hosts.create(hosts.spec("a"));
            return std::string();
        } catch (const std::runtime_error& error) {
            return std::string(error.what());
        }
    };

    const std::string refused = error_of();
    std::filesystem::remove(hosts.settings.socket);
    const std::string missing = error_of();

    const std::string named = "the helper for local hosts at " + hosts.settings.socket;
    BOOST_TEST(refused == named + " cannot be asked: Connection refused");
    BOOST_TEST(missing == named + " cannot be asked: No such file or directory");
}

BOOST_AUTO_TEST_CASE(a_helper_that_stands_by_takes_over_and_no_request_is_cut_off) {
    LocalHosts hosts;
    for (int round = 0; round < 3; ++round) {
        hosts.start_helper();
        std::vector<pid_t> clients;
        for (int i = 0; i < 20; ++i) {
            const pid_t client = fork();
            if (client == 0) _exit(lists_answered(hosts.settings.socket) == 20 ? 0 : 1);
            clients.push_back(client);
        }
        std::this_thread::sleep_for(20ms);

        BOOST_TEST(hosts.end_oldest_helper(SIGTERM) == 0);

        for (const pid_t client : clients) {
            int status = -1;
            waitpid(client, &status, 0);
            BOOST_TEST(status == 0);
        }
    }
}

BOOST_AUTO_TEST_CASE(the_next_helper_serves_while_the_last_requests_of_the_old_one_end) {
    LocalHosts hosts;
    hosts.start_helper();
    const fs::path lock = fs::path(hosts.settings.state_dir) / "lock";
    fs::create_directories(lock.parent_path());
    auto held = std::make_optional<local::FileLock>(lock, local::LockKind::exclusive);
    const Client waiting(hosts.settings.socket);
    waiting.send(start_of(hosts, hosts.spec("a")));
    std::this_thread::sleep_for(50ms);
    const pid_t old = hosts.oldest_helper();

    kill(old, SIGTERM);

    BOOST_TEST(lists_answered(hosts.settings.socket) == 20);
    BOOST_TEST(waitpid(old, nullptr, WNOHANG) == 0);
    held.reset();
    BOOST_TEST(std::holds_alternative<local::Host>(local::read_answer(waiting.rest())));
    BOOST_TEST(hosts.end_oldest_helper(SIGTERM) == 0);
}

BOOST_AUTO_TEST_CASE(a_helper_that_is_killed_lets_the_starts_under_way_end) {
    LocalHosts hosts;
    const std::vector<std::string> names = {"a", "b", "c", "d"};
    std::vector<Client> clients;
    for (const std::string& name : names) {
        clients.emplace_back(hosts.settings.socket);
        clients.back().send(start_of(hosts, hosts.spec(name)));
    }
    std::this_thread::sleep_for(20ms);

    hosts.end_oldest_helper(SIGKILL);

    int made = 0;
    for (const Client& client : clients) {
        const std::string answer = client.rest();
        if (answer.empty()) continue;
        BOOST_TEST(std::holds_alternative<local::Host>(local::read_answer(answer)));
        ++made;
    }
    BOOST_TEST(local::hosts_of(hosts.settings.state_dir).size() == static_cast<std::size_t>(made));
    BOOST_TEST(made > 0);
    hosts.start_helper();
    for (const std::string& name : names) hosts.reach(hosts.spec(name));
}

BOOST_AUTO_TEST_CASE(a_helper_that_is_asked_to_end_answers_first) {
    LocalHosts hosts;
    const Client client(hosts.settings.socket);
    client.send(start_of(hosts, hosts.spec("a")));
    std::this_thread::sleep_for(20ms);

    BOOST_TEST(hosts.end_oldest_helper(SIGTERM) == 0);

    BOOST_TEST(std::holds_alternative<local::Host>(local::read_answer(client.rest())));
    hosts.start_helper();
}

BOOST_AUTO_TEST_SUITE_END()
