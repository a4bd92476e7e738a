#include "provisioner/providers/local/host/command_line.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner::providers::local;

BOOST_AUTO_TEST_SUITE(local_command_line)

namespace {

using Words = std::vector<std::string>;

const Words a_start = {
    "start",     "m1", "--state",    "/var/hosts", "--root", "/var/roots/debian12",
    "--cluster", "c1", "--hostname", "web.local",  "--key",  "ssh-ed25519 AAAA"};

Words with(Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

std::string error_of(const Words& words) {
    const auto command = parse_command_line(words);
    return command ? "no error" : command.error();
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_start_has_a_limit_of_processes_only_unless_others_are_given) {
    const auto plain = parse_command_line(a_start);
    const auto limited =
        parse_command_line(with(a_start, {"--memory-mb", "512", "--cpus", "0.5", "--max", "3"}));

    const auto& request = std::get<StartRequest>(plain.value());
    BOOST_TEST(request.name == "m1");
    BOOST_TEST(request.ssh_user == "root");
    BOOST_TEST((request.limits == Limits{0, 0, 4096}));
    BOOST_TEST((std::get<StartRequest>(limited.value()).limits == Limits{512, 0.5, 4096}));
    BOOST_TEST(std::get<StartRequest>(limited.value()).max_hosts == 3);
}

BOOST_AUTO_TEST_CASE(who_asks_may_say_for_which_task) {
    const auto start = parse_command_line(with(a_start, {"--task", "17"}));
    const auto stop = parse_command_line({"stop", "m1", "--state", "/s", "--task", "18"});
    const auto by_hand = parse_command_line({"stop", "m1", "--state", "/s"});

    BOOST_TEST(std::get<StartRequest>(start.value()).task == 17);
    BOOST_TEST(std::get<StopCommand>(stop.value()).task == 18);
    BOOST_TEST(std::get<StopCommand>(by_hand.value()).task == 0);
    BOOST_TEST(error_of({"status", "m1", "--state", "/s", "--task", "18"}) ==
               "unknown option --task");
}

BOOST_AUTO_TEST_CASE(packages_follow_cache_up_to_the_next_option) {
    const auto command =
        parse_command_line({"root", "/r", "--cache", "haproxy", "nginx", "--mirror", "http://m"});

    const auto& request = std::get<RootRequest>(command.value());
    BOOST_TEST(request.target == "/r");
    BOOST_TEST(request.mirror == "http://m");
    BOOST_TEST((request.cache == Words{"haproxy", "nginx"}));
    BOOST_TEST(request.install.empty());
}

BOOST_AUTO_TEST_CASE(packages_to_install_are_apart_from_those_that_are_only_fetched) {
    const auto command =
        parse_command_line({"root", "/r", "--install", "cloud-init", "--cache", "haproxy"});

    const auto& request = std::get<RootRequest>(command.value());
    BOOST_TEST((request.install == Words{"cloud-init"}));
    BOOST_TEST((request.cache == Words{"haproxy"}));
    BOOST_TEST(error_of({"root", "/r", "--install", "Cloud Init"}) ==
               "--install: \"Cloud Init\" is not the name of a package");
}

BOOST_AUTO_TEST_CASE(names_that_could_leave_their_directory_are_refused) {
    for (const char* name : {"..", ".hidden", "a/b", "", "a b"}) {
        BOOST_TEST(error_of({"stop", name, "--state", "/s"}).starts_with("machine name: "), name);
    }
}

BOOST_AUTO_TEST_CASE(every_wrong_word_is_named) {
    BOOST_TEST(error_of({}) == "a command is missing");
    BOOST_TEST(error_of({"dance"}) == "unknown command \"dance\"");
    BOOST_TEST(error_of({"list"}) == "option --state is missing");
    BOOST_TEST(error_of({"list", "--state"}) == "option --state wants a value");
    BOOST_TEST(error_of({"list", "--moon", "1"}) == "unknown option --moon");
    BOOST_TEST(error_of(with(a_start, {"--cpus", "two"})) ==
               "--cpus: \"two\" is not a number of processors: 0 (no limit) or from 0.01 to 10000");
    BOOST_TEST(error_of(with(a_start, {"--cpus", "0.001"})) != "");
    BOOST_TEST(
        error_of(with(a_start, {"--memory-mb", "8796093022208"})) ==
        "--memory-mb: \"8796093022208\" is not a whole number of megabytes from 0 (no limit) "
        "to 16777216");
    BOOST_TEST(error_of(with(a_start, {"--user", "Root!"})) ==
               "--user: \"Root!\" is not the name of a user");
    BOOST_TEST(error_of(with(a_start, {"--key", "ssh-ed25519 A\nssh-ed25519 B"}))
                   .ends_with("is not one public key"));
}

BOOST_AUTO_TEST_CASE(host_names_follow_the_rules_of_the_domain_name_system) {
    for (const char* name : {"web", "web-1.demo.local", "1.example"}) {
        BOOST_TEST(error_of(with(a_start, {"--hostname", name})) == "no error", name);
    }
    for (const char* name : {"-web", "web..local", "web_1", "web.local."}) {
        BOOST_TEST(error_of(with(a_start, {"--hostname", name})) != "no error", name);
    }
}

BOOST_AUTO_TEST_CASE(ports_are_lists_of_ports_and_protocols) {
    const auto plain = parse_command_line(a_start);
    const auto open = parse_command_line(
        with(a_start, {"--open", "80/tcp,53/udp", "--machine-ports", "3142/tcp"}));

    BOOST_TEST(std::get<StartRequest>(plain.value()).open_ports.empty());
    BOOST_TEST(std::get<StartRequest>(open.value()).open_ports.size() == 2u);
    BOOST_TEST(std::get<StartRequest>(open.value()).machine_ports.at(0) == "3142/tcp");
    for (const char* wrong : {"80", "80/tcp,,53/udp", "0/tcp", "80/tcp 81/tcp", "x"}) {
        BOOST_TEST(error_of(with(a_start, {"--open", wrong})).starts_with("--open: "), wrong);
    }
}

BOOST_AUTO_TEST_CASE(a_host_has_4096_processes_unless_somebody_says_otherwise) {
    const auto plain = parse_command_line(a_start);
    const auto more = parse_command_line(with(a_start, {"--processes", "9000"}));

    BOOST_TEST(std::get<StartRequest>(plain.value()).limits.processes == 4096);
    BOOST_TEST(std::get<StartRequest>(more.value()).limits.processes == 9000);
}

BOOST_AUTO_TEST_CASE(who_starts_a_host_may_say_whose_it_is_and_that_tenants_mix) {
    const auto plain = parse_command_line(a_start);
    const auto named = parse_command_line(with(a_start, {"--tenant", "3", "--mix-tenants", "on"}));

    BOOST_TEST(std::get<StartRequest>(plain.value()).tenant == "");
    BOOST_TEST(!std::get<StartRequest>(plain.value()).mixes_tenants);
    BOOST_TEST(std::get<StartRequest>(named.value()).tenant == "3");
    BOOST_TEST(std::get<StartRequest>(named.value()).mixes_tenants);
    BOOST_TEST(error_of(with(a_start, {"--mix-tenants", "maybe"})) ==
               "--mix-tenants: \"maybe\" is not on or off");
    BOOST_TEST(
        error_of(with(a_start, {"--tenant", "../3"})).starts_with("--tenant: \"../3\" is not"));
}

BOOST_AUTO_TEST_CASE(a_helper_needs_everything_but_a_limit) {
    const Words whole = {"serve",   "--socket",   "/run/s",  "--group", "g",     "--user", "u",
                         "--state", "/var/hosts", "--roots", "/roots",  "--max", "7"};

    const auto command = parse_command_line(whole);
    const auto& serve = std::get<ServeCommand>(command.value());
    BOOST_TEST(serve.socket == "/run/s");
    BOOST_TEST(serve.user == "u");
    BOOST_TEST(serve.max_hosts == 7);
    BOOST_TEST(!serve.mixes_tenants);
    for (std::size_t i = 1; i + 2 < whole.size(); i += 2) {
        Words less = whole;
        less.erase(less.begin() + static_cast<long>(i), less.begin() + static_cast<long>(i) + 2);
        BOOST_TEST(error_of(less) == "option " + whole[i] + " is missing");
    }
    BOOST_TEST(error_of(with(whole, {"more"})) == "unexpected \"more\"");
}

BOOST_AUTO_TEST_SUITE_END()
