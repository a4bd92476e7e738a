#include "provisioner/providers/local/helper/request.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/base/json.hpp"
#include "provisioner/providers/local/protocol.hpp"

using namespace provisioner::providers::local;
using provisioner::base::Json;

BOOST_AUTO_TEST_SUITE(local_helper_requests)

namespace {

const ServeCommand helper{.socket = "/run/helper.sock",
                          .group = "g",
                          .user = "u",
                          .state = "/var/hosts",
                          .roots = "/var/roots",
                          .max_hosts = 20,
                          .max_processes = 500,
                          .machine_ports = {"3142/tcp"}};

Json a_start() {
    return {{"verb", "start"},         {"name", "m1"},    {"image", "debian12"},
            {"hostname", "web.local"}, {"cluster", "c"},  {"key", "ssh-ed25519 AAAA"},
            {"ssh_user", "ops"},       {"task", "17"},    {"memory_mb", "512"},
            {"cpus", "0.5"},           {"max_hosts", "3"}};
}

Json with(Json json, const std::string& member, const Json& value) {
    json[member] = value;
    return json;
}

std::string error_of(const std::string& request) {
    const auto command = command_in(request, helper);
    return command ? "no error" : command.error();
}

std::string error_of(const Json& request) {
    return error_of(request.dump());
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_request_opens_ports_of_its_cluster_and_none_of_the_machine) {
    const auto command =
        command_in(with(a_start(), "open", "80/tcp,8000-8100/udp").dump() + "\n", helper);

    const auto& request = std::get<StartRequest>(command.value());
    BOOST_TEST(request.open_ports.size() == 2u);
    BOOST_TEST(request.open_ports.at(1) == "8000-8100/udp");
    BOOST_TEST(error_of(with(a_start(), "open", "80/tcp } ; flush ruleset")) ==
               "--open: \"80/tcp } ; flush ruleset\" is not of the form 80/tcp or 8000-8100/udp");
    BOOST_TEST(error_of(with(a_start(), "machine_ports", "22/tcp")) ==
               "unknown member \"machine_ports\" of start");
}

BOOST_AUTO_TEST_CASE(a_request_can_only_lower_the_number_of_processes) {
    const auto processes = [](const char* asked, long most) {
        ServeCommand settings = helper;
        settings.max_processes = most;
        const auto command =
            command_in(with(a_start(), "processes", asked).dump() + "\n", settings);
        return std::get<StartRequest>(command.value()).limits.processes;
    };

    BOOST_TEST(processes("100", 500) == 100);
    BOOST_TEST(processes("1000", 500) == 500);
    BOOST_TEST(processes("0", 500) == 500);
    BOOST_TEST(processes("1000", 0) == 1000);
    BOOST_TEST(error_of(with(a_start(), "processes", "3")) ==
               "--processes: \"3\" is not a number of processes: 0 (no limit) or from 16 to "
               "4194304");
}

BOOST_AUTO_TEST_CASE(a_host_whose_hardware_type_names_no_memory_has_that_of_the_settings) {
    const auto memory = [](const Json& request, long otherwise) {
        ServeCommand settings = helper;
        settings.memory_mb = otherwise;
        const auto command = command_in(request.dump() + "\n", settings);
        return std::get<StartRequest>(command.value()).limits.memory_mb;
    };
    Json unnamed = a_start();
    unnamed.erase("memory_mb");

    BOOST_TEST(memory(unnamed, ServeCommand{}.memory_mb) == 2048);
    BOOST_TEST(memory(unnamed, 300) == 300);
    BOOST_TEST(memory(unnamed, 0) == 0);
    BOOST_TEST(memory(a_start(), 300) == 512);
    BOOST_TEST(memory(with(a_start(), "memory_mb", "0"), 300) == 0);
}

BOOST_AUTO_TEST_CASE(a_start_has_the_helpers_own_folders_and_what_the_request_says) {
    const auto command = command_in(a_start().dump() + "\n", helper);

    const auto& request = std::get<StartRequest>(command.value());
    BOOST_TEST((request == StartRequest{.name = "m1",
                                        .state = "/var/hosts",
                                        .root = "/var/roots/debian12",
                                        .cluster = "c",
                                        .task = 17,
                                        .hostname = "web.local",
                                        .ssh_user = "ops",
                                        .authorized_key = "ssh-ed25519 AAAA",
                                        .limits = {512, 0.5, 500},
                                        .max_hosts = 3,
                                        .open_ports = {},
                                        .machine_ports = {"3142/tcp"},
                                        .most_hosts = 20}));
}

BOOST_AUTO_TEST_CASE(what_the_provider_asks_is_what_the_helper_reads) {
    provisioner::providers::MachineSpec spec;
    spec.name = "00000001-1001";
    spec.cluster = "00000001";
    spec.hostname = "web.local";
    spec.image = "debian12";
    spec.authorized_key = "ssh-ed25519 AAAA";

    const auto start = command_in(start_request({}, Json::object(), spec).value(), helper);
    const auto stop = command_in(stop_request("m", 18), helper);
    const auto status = command_in(status_request("m"), helper);
    const auto list = command_in(list_request(), helper);

    BOOST_TEST(std::get<StartRequest>(start.value()).name == spec.name);
    BOOST_TEST(std::get<StopCommand>(stop.value()).task == 18);
    BOOST_TEST(std::get<StopCommand>(stop.value()).state == "/var/hosts");
    BOOST_TEST(std::get<StatusCommand>(status.value()).state == "/var/hosts");
    BOOST_TEST(std::get<ListCommand>(list.value()).state == "/var/hosts");
}

BOOST_AUTO_TEST_CASE(a_request_can_lower_the_limit_of_hosts_but_not_raise_it) {
    const auto limit_of = [](const Json& request) {
        const auto command = command_in(request.dump(), helper);
        return std::get<StartRequest>(command.value()).max_hosts;
    };
    Json without = a_start();
    without.erase("max_hosts");

    BOOST_TEST(limit_of(with(a_start(), "max_hosts", "3")) == 3);
    BOOST_TEST(limit_of(with(a_start(), "max_hosts", "500")) == 20);
    BOOST_TEST(limit_of(without) == 20);
}

BOOST_AUTO_TEST_CASE(tenants_mix_only_if_the_helper_allows_it) {
    ServeCommand lenient = helper;
    lenient.mixes_tenants = true;
    const std::string of_3 = with(a_start(), "tenant", "3").dump();
    const auto start = [&](const ServeCommand& settings) {
        return std::get<StartRequest>(command_in(of_3, settings).value());
    };

    BOOST_TEST(start(helper).tenant == "3");
    BOOST_TEST(!start(helper).mixes_tenants);
    BOOST_TEST(start(lenient).mixes_tenants);
    BOOST_TEST(error_of(with(a_start(), "mix_tenants", "on")) ==
               "unknown member \"mix_tenants\" of start");
    BOOST_TEST(error_of(with(a_start(), "tenant", "--mix-tenants")) != "no error");
}

BOOST_AUTO_TEST_CASE(no_path_can_be_named) {
    for (const char* image : {"..", ".", "../etc", "/etc", "a/b", "", ".hidden", "a b", "a,b"}) {
        BOOST_TEST(error_of(with(a_start(), "image", image)) ==
                   std::string("image: \"") + image +
                       "\" is not the name of a root for local hosts");
    }
    for (const char* member : {"state", "root", "roots", "socket", "--state", "program"}) {
        BOOST_TEST(error_of(with(a_start(), member, "/tmp")) ==
                   std::string("unknown member \"") + member + "\" of start");
    }
    for (const char* name : {"../m", "/m", "--state", "", ".", "a/b"}) {
        for (const char* verb : {"status", "stop"}) {
            const std::string error = error_of(Json{{"verb", verb}, {"name", name}});
            BOOST_TEST(error.starts_with("name: "), error);
        }
        BOOST_TEST(error_of(with(a_start(), "cluster", name)) != "no error");
    }
}

BOOST_AUTO_TEST_CASE(a_value_is_never_taken_for_an_option) {
    const Json start = a_start();
    for (const auto& [name, value] : start.items()) {
        for (const char* option : {"--state", "--root", "--max", "--cache"}) {
            BOOST_TEST(error_of(with(a_start(), name, option)) != "no error", name);
        }
    }
}

BOOST_AUTO_TEST_CASE(only_what_hosts_need_can_be_asked) {
    for (const char* verb : {"root", "cleanup", "serve", "help", "--help", "", "START"}) {
        BOOST_TEST(error_of(Json{{"verb", verb}, {"name", "m"}}) ==
                   std::string("verb: \"") + verb + "\" is not start, status, stop or list");
    }
}

BOOST_AUTO_TEST_CASE(what_is_no_request_is_refused_in_words) {
    for (const char* text : {"", "\n", "[]", "1", "null", "{", "list", "{\"verb\":\"list\"} {}"}) {
        BOOST_TEST(error_of(std::string(text)) == "the request is no JSON object");
    }
    BOOST_TEST(error_of(std::string(60'000, '[')) == "the request is no JSON object");
    BOOST_TEST(error_of(Json{{"verb", "list"}, {"name", "m"}}) ==
               "unknown member \"name\" of list");
    const Json start = a_start();
    for (const auto& [name, value] : start.items()) {
        for (const Json& other : {Json(1), Json(nullptr), Json::array(), Json::object()}) {
            BOOST_TEST(error_of(with(a_start(), name, other)) != "no error", name);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
