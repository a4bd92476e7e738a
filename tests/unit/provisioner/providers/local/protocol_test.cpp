#include "provisioner/providers/local/protocol.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner::providers;
using namespace provisioner::providers::local;

BOOST_AUTO_TEST_SUITE(local_conversation)

namespace {

const Settings settings{.socket = "/run/helper.sock", .state_dir = "/var/hosts", .max_hosts = 20};

const provisioner::base::Json nothing = provisioner::base::Json::object();

MachineSpec a_spec() {
    MachineSpec spec;
    spec.name = "00000001-1001";
    spec.cluster = "00000001";
    spec.hostname = "demo-1.local";
    spec.image = "debian12";
    spec.authorized_key = "ssh-ed25519 AAAA";
    return spec;
}

/// An answer with that exit code at its end.
std::string answered(int exit_code, const std::string& lines) {
    const std::string end = lines.empty() || lines.ends_with('\n') ? "" : "\n";
    return lines + end + R"({"exit_code":)" + std::to_string(exit_code) + "}\n";
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_start_names_the_image_and_leaves_out_what_is_not_set) {
    BOOST_TEST(start_request(settings, nothing, a_spec()).value() ==
               R"({"verb":"start","name":"00000001-1001","image":"debian12",)"
               R"("hostname":"demo-1.local","cluster":"00000001","ssh_user":"root",)"
               R"("key":"ssh-ed25519 AAAA","max_hosts":"20"})"
               "\n");
}

BOOST_AUTO_TEST_CASE(limits_come_from_the_hardware_type) {
    MachineSpec spec = a_spec();
    spec.hardware = {{"memory_mb", "512"}, {"cpus", "0.5"}, {"flavor", "small"}};

    BOOST_TEST(start_request(settings, nothing, spec)
                   .value()
                   .ends_with(R"("memory_mb":"512","cpus":"0.5","max_hosts":"20"})"
                              "\n"));
}

BOOST_AUTO_TEST_CASE(a_start_says_which_ports_services_of_the_cluster_open) {
    MachineSpec spec = a_spec();
    spec.open_ports = {"80/tcp", "8000-8100/udp"};
    spec.hardware = {{"processes", "500"}};

    BOOST_TEST(start_request(settings, nothing, spec)
                   .value()
                   .ends_with(R"("processes":"500","max_hosts":"20","open":"80/tcp,8000-8100/udp"})"
                              "\n"));
    spec.hardware = {{"processes", "many"}};
    const auto wrong = start_request(settings, nothing, spec);
    BOOST_TEST(wrong.error().at(0).field == "processes");
}

BOOST_AUTO_TEST_CASE(a_start_and_a_stop_say_for_which_task) {
    MachineSpec spec = a_spec();
    spec.task = 17;

    BOOST_TEST(start_request(settings, nothing, spec)
                   .value()
                   .ends_with(R"("max_hosts":"20","task":"17"})"
                              "\n"));
    BOOST_TEST(stop_request("m", 18) == R"({"verb":"stop","name":"m","task":"18"})"
                                        "\n");
    BOOST_TEST(stop_request("m", 0) == R"({"verb":"stop","name":"m"})"
                                       "\n");
    BOOST_TEST(status_request("m") == R"({"verb":"status","name":"m"})"
                                      "\n");
}

BOOST_AUTO_TEST_CASE(a_start_says_whose_host_it_is) {
    MachineSpec spec = a_spec();
    spec.tenant = "3";

    BOOST_TEST(start_request(settings, nothing, spec)
                   .value()
                   .ends_with(R"("max_hosts":"20","tenant":"3"})"
                              "\n"));
}

BOOST_AUTO_TEST_CASE(a_second_tenant_where_hosts_cannot_be_isolated_is_refused_for_good) {
    const auto answer = read_answer(answered(
        3, R"({"error":"tenant","message":"hosts of another tenant are on this machine"})"));

    BOOST_TEST(std::get<Refused>(answer).message == "hosts of another tenant are on this machine");
    BOOST_TEST(!std::get<Refused>(answer).worth_retrying);
    BOOST_TEST(std::get<Refused>(answer).nothing_created);
}

BOOST_AUTO_TEST_CASE(a_provider_may_lower_the_limit_of_the_installation_but_not_raise_it) {
    const auto with_fewer = start_request(settings, {{"max_hosts", "3"}}, a_spec());
    const auto with_more = start_request(settings, {{"max_hosts", 500}}, a_spec());

    BOOST_TEST(with_fewer->find(R"("max_hosts":"3")") != std::string::npos);
    BOOST_TEST(with_more->find(R"("max_hosts":"20")") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(every_wrong_setting_is_named) {
    MachineSpec spec = a_spec();
    spec.image = "../etc";
    spec.hardware = {{"memory_mb", "much"}, {"cpus", "1.2.3"}};

    const auto command = start_request(settings, {{"max_hosts", "many"}}, spec);

    BOOST_TEST_REQUIRE(!command.has_value());
    std::string fields;
    for (const auto& problem : command.error()) fields += problem.field + " ";
    BOOST_TEST(fields == "image memory_mb cpus max_hosts ");
}

BOOST_AUTO_TEST_CASE(a_limit_that_the_kernel_cannot_set_is_refused_with_its_range) {
    const auto text_of = [](const std::string& memory, const std::string& cpus) {
        MachineSpec spec = a_spec();
        spec.hardware = {{"memory_mb", memory}, {"cpus", cpus}};
        const auto command = start_request(settings, nothing, spec);
        return command ? "" : provisioner::base::to_text(command.error());
    };

    BOOST_TEST(text_of("16777217", "") ==
               "memory_mb: \"16777217\" is not a whole number of megabytes from 0 (no limit) to "
               "16777216");
    BOOST_TEST(text_of("", "0.009") ==
               "cpus: \"0.009\" is not a number of processors: 0 (no limit) or from 0.01 to 10000");
    BOOST_TEST(text_of("", "10001") != "");
    BOOST_TEST(text_of("16777216", "0.01") == "");
    BOOST_TEST(text_of("0", "0") == "");
}

BOOST_AUTO_TEST_CASE(a_running_host_is_read_into_facts_and_addresses) {
    const auto answer = read_answer(
        answered(0, R"({"name":"m","state":"running","ssh_user":"root","address":"10.77.0.9",)"
                    R"("host_key":"ssh-ed25519 KEY","limits":"memory 512 MB"})"));

    const Host& host = std::get<Host>(answer);
    BOOST_TEST(provisioner::base::to_text(machine_of(host).facts) ==
               R"({"providerid":"m","ssh-auth":{"user":"root"},"ssh_host_keys":{"ed25519":"KEY"},)"
               R"("limits":"memory 512 MB"})");
    BOOST_TEST(reachable_of(host).addresses.at("access_v4") == "10.77.0.9");
    BOOST_TEST(reachable_of(host).addresses.at("bind_v4") == "10.77.0.9");
    BOOST_TEST(reachable_of(host).host_key == "ssh-ed25519 KEY");
}

BOOST_AUTO_TEST_CASE(a_reached_limit_may_pass_and_a_missing_root_does_not) {
    const auto limit =
        read_answer(answered(3, R"({"error":"limit","message":"20 of at most 20"})"));
    const auto root = read_answer(answered(3, R"({"error":"root","message":"no root"})"));

    BOOST_TEST(std::get<Refused>(limit).message == "20 of at most 20");
    BOOST_TEST(std::get<Refused>(limit).worth_retrying);
    BOOST_TEST(std::get<Refused>(limit).nothing_created);
    BOOST_TEST(!std::get<Refused>(root).worth_retrying);
    BOOST_TEST(std::get<Refused>(root).nothing_created);
}

BOOST_AUTO_TEST_CASE(after_a_failure_it_is_not_certain_that_nothing_was_made) {
    const auto answer = read_answer(answered(1, R"({"error":"failure","message":"disk full"})"));

    BOOST_TEST(std::get<Refused>(answer).worth_retrying);
    BOOST_TEST(!std::get<Refused>(answer).nothing_created);
}

BOOST_AUTO_TEST_CASE(an_answer_that_was_cut_off_means_that_nothing_is_known) {
    const std::string running = R"({"name":"m","state":"running"})";
    const std::string whole = answered(0, running);

    BOOST_TEST(std::get<Host>(read_answer(whole)).name == "m");
    for (std::size_t size = 0; size < whole.size(); ++size) {
        BOOST_CHECK_THROW(read_answer(whole.substr(0, size)), std::runtime_error);
    }
    BOOST_CHECK_THROW(read_answer(answered(0, running + "\n" + running)), std::runtime_error);
    BOOST_CHECK_THROW(read_answer(whole + "more\n"), std::runtime_error);
    BOOST_CHECK_THROW(read_answer(answered(0, "")), std::runtime_error);
    BOOST_CHECK_THROW(read_answer(answered(1, "{}")), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(a_list_has_a_line_for_each_host) {
    BOOST_TEST(list_request() == "{\"verb\":\"list\"}\n");

    BOOST_TEST(read_list(answered(0, "")).empty());
    const auto machines = read_list(answered(0, R"({"name":"00000001-1000","address":"10.77.0.9"})"
                                                "\n"
                                                R"({"name":"web","state":"stopped"})"
                                                "\n"));
    BOOST_TEST((machines == std::vector<SeenMachine>{{.id = "00000001-1000",
                                                      .name = "00000001-1000",
                                                      .addresses = {{"access_v4", "10.77.0.9"}}},
                                                     {.id = "web", .name = "web"}}));
}

BOOST_AUTO_TEST_CASE(a_list_that_was_cut_off_means_that_nothing_is_known) {
    BOOST_CHECK_THROW(read_list(answered(0, R"({"name":"000)")), std::runtime_error);
    BOOST_CHECK_THROW(read_list(""), std::runtime_error);
    BOOST_CHECK_THROW(read_list("{\"name\":\"web\"}\n"), std::runtime_error);
    BOOST_CHECK_THROW(read_list(answered(1, R"({"error":"failure"})")), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(a_machine_is_found_by_its_providerid_or_else_by_its_name) {
    auto results = provisioner::base::Json::object();

    BOOST_TEST(provider_id(results, a_spec()) == "00000001-1001");
    results["providerid"] = "other";
    BOOST_TEST(provider_id(results, a_spec()) == "other");
}

BOOST_AUTO_TEST_SUITE_END()
