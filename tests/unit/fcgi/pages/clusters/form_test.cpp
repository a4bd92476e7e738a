#include "fcgi/pages/clusters/form.hpp"

#include <boost/test/unit_test.hpp>

namespace {

using namespace std::chrono_literals;
using namespace fcgi::pages;
using fcgi::http::parse_form;
using provisioner::base::Json;
using provisioner::model::ClusterTemplate;

ClusterForm filled_in() {
    return read_cluster_form(
        parse_form("name=+shop+&clusterTemplate=web&numMachines=4&description=d&provider=local&"
                   "hardwaretype=&imagetype=debian"
                   "&dnsSuffix=example.test&config=%7B%22a%22%3A1%7D&services=web&services=cache&"
                   "leaseDays=1&leaseHours=2"
                   "&leaseMinutes=3&providerFields.key=k&providerFields.empty="));
}

std::string problems_of(const ClusterForm& form) {
    provisioner::base::Problems problems;
    wanted(form, problems);
    return provisioner::base::to_text(problems);
}

/// What a form without mistakes asks for.
provisioner::operations::CreateCluster asked_by(const ClusterForm& form) {
    provisioner::base::Problems problems;
    auto request = wanted(form, problems);
    BOOST_TEST(problems.empty());
    return request;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_form_becomes_the_request_it_asks_for) {
    const auto request = asked_by(filled_in());

    BOOST_TEST(request.name == "shop");
    BOOST_TEST(request.cluster_template == "web");
    BOOST_TEST(request.machines == 4);
    BOOST_TEST(request.provider.value() == "local");
    BOOST_TEST(!request.hardware_type.has_value());
    BOOST_TEST(request.image_type.value() == "debian");
    BOOST_TEST(request.dns_suffix.value() == "example.test");
    BOOST_TEST(request.config.dump() == R"({"a":1})");
    BOOST_TEST(request.services == (std::vector<std::string>{"web", "cache"}),
               boost::test_tools::per_element());
    BOOST_TEST(request.provider_fields.dump() == R"({"key":"k"})");
    BOOST_TEST((request.lease.value() == 24h + 2h + 3min));
}

BOOST_AUTO_TEST_CASE(what_is_left_empty_is_left_to_the_template) {
    const auto request =
        asked_by(read_cluster_form(parse_form("name=a&clusterTemplate=web&numMachines=1")));

    BOOST_TEST(!request.lease.has_value());
    BOOST_TEST(!request.provider.has_value());
    BOOST_TEST(request.config.is_null());
    BOOST_TEST(request.services.empty());
}

BOOST_AUTO_TEST_CASE(what_was_changed_in_the_advanced_part_is_known) {
    ClusterTemplate web;
    web.defaults.provider = "local";
    web.defaults.services = {"cache", "web"};
    web.defaults.config = {{"port", 80}, {"name", "x"}};
    web.lease.initial = 24h;
    const auto usual = form_for(web);
    BOOST_TEST(!is_changed_in_advanced(usual, web));
    auto sent = usual;
    sent.name = "shop";
    sent.machines = "7";
    sent.services = {"web", "cache"};
    sent.config.clear();
    for (const char c : usual.config) sent.config += c == '\n' ? "\r\n" : std::string(1, c);
    BOOST_TEST(!is_changed_in_advanced(sent, web));

    const auto changed = [&](auto change) {
        auto other = usual;
        change(other);
        return is_changed_in_advanced(other, web);
    };
    BOOST_TEST(changed([](ClusterForm& form) { form.lease_days = "2"; }));
    BOOST_TEST(changed([](ClusterForm& form) { form.provider = "moon"; }));
    BOOST_TEST(changed([](ClusterForm& form) { form.services = {"web"}; }));
    BOOST_TEST(changed([](ClusterForm& form) { form.config = "{}"; }));
}

BOOST_AUTO_TEST_CASE(zero_days_hours_and_minutes_mean_for_ever) {
    auto form = filled_in();
    form.lease_days = form.lease_hours = form.lease_minutes = "0";

    BOOST_TEST((asked_by(form).lease.value() == 0ms));
}

BOOST_AUTO_TEST_CASE(every_problem_is_told_at_once_and_names_its_control) {
    ClusterForm form;
    form.machines = "four";
    form.config = "[1]";
    form.lease_days = "soon";

    BOOST_TEST(problems_of(form) ==
               "numMachines: Enter how many machines: a whole "
               "number from 1 to 10,000.; "
               "initialLeaseDuration: Enter days, hours and minutes as whole numbers, 0 or more.; "
               "config: The configuration must be a JSON object: {...}.");
}

BOOST_AUTO_TEST_CASE(what_can_be_read_is_asked_for_although_something_else_is_wrong) {
    auto form = filled_in();
    form.config = "{";
    provisioner::base::Problems problems;

    const auto request = wanted(form, problems);

    BOOST_TEST(problems.size() == 1U);
    BOOST_TEST(request.name == "shop");
    BOOST_TEST(request.machines == 4);
    BOOST_TEST(request.config.is_null());
}

BOOST_AUTO_TEST_CASE(a_macro_that_can_never_be_expanded_is_a_problem_of_the_configuration) {
    auto form = filled_in();
    form.config = R"({"web":{"peers":["%host.service.db%","%host.bogus%"]}})";
    BOOST_TEST(problems_of(form) ==
               "config: A macro cannot be expanded: 'host.bogus' is not a valid macro name "
               "(%host.bogus% in web.peers.1).");

    form.config = R"({"width":"50%","peer":"%host.service.absent[7]%"})";
    BOOST_TEST(problems_of(form) == "");
}

BOOST_AUTO_TEST_CASE(numbers_beyond_reason_are_problems_and_do_not_overflow) {
    auto form = filled_in();
    form.machines = "99999999999999999999";
    form.lease_days = "9223372036854775807";

    BOOST_TEST(problems_of(form) ==
               "numMachines: Enter how many machines: a whole number from 1 to 10,000.; "
               "initialLeaseDuration: Enter days, hours and minutes as whole numbers, 0 or more.");
}

BOOST_AUTO_TEST_CASE(the_empty_form_says_what_the_template_says) {
    ClusterTemplate web;
    web.header.name = "web";
    web.constraints.size_min = 2;
    web.defaults.services = {"cache"};
    web.lease.initial = 36h + 5min;

    const auto form = form_for(web);

    BOOST_TEST(form.machines == "2");
    BOOST_TEST(form.config == "");
    BOOST_TEST(form.lease_days + '/' + form.lease_hours + '/' + form.lease_minutes == "1/12/5");
    BOOST_TEST(problems_of(form) == "");
}

BOOST_AUTO_TEST_CASE(another_template_keeps_name_and_description_and_fits_the_number_of_machines) {
    ClusterTemplate small;
    small.header.name = "redis";
    small.constraints.size_max = 3;
    small.defaults.services = {"cache"};

    const auto form = switched(filled_in(), small);

    BOOST_TEST(form.name == "shop");
    BOOST_TEST(form.description == "d");
    BOOST_TEST(form.cluster_template == "redis");
    BOOST_TEST(form.machines == "3");
    BOOST_TEST(form.services.size() == 1U);
    BOOST_TEST(form.provider == "");
}

BOOST_AUTO_TEST_CASE(a_form_like_a_cluster_has_what_it_was_made_of_and_none_of_its_secrets) {
    ClusterTemplate web;
    web.header.name = "web";
    web.constraints.size_min = 3;
    web.constraints.size_max = 10;
    web.defaults.config = {{"from", "template"}};
    web.defaults.provider = "local";
    provisioner::model::Cluster cluster;
    cluster.name = "shop";
    cluster.description = "For the fair";
    cluster.node_count = 12;
    cluster.services = {"web", "cache"};
    cluster.dns_suffix = "example.test";
    cluster.config = {{"colour", "blue"}};
    cluster.snapshot.provider.header.name = "cloud";
    cluster.id = provisioner::model::ClusterId{7};

    auto form = form_like(cluster, web);
    BOOST_TEST(form.like == "00000007");
    BOOST_TEST(form.name == "shop");
    BOOST_TEST(form.cluster_template == "web");
    BOOST_TEST(form.description == "For the fair");
    BOOST_TEST(form.machines == "10");
    BOOST_TEST(form.services == cluster.services, boost::test_tools::per_element());
    BOOST_TEST(form.dns_suffix == "example.test");
    BOOST_TEST(form.provider == "cloud");
    BOOST_TEST(Json::parse(form.config) == cluster.config);
    // One that was never made has no machines.
    cluster.node_count = 0;
    cluster.snapshot.machines_asked_for = 7;
    BOOST_TEST(form_like(cluster, web).machines == "7");
    cluster.node_count = 12;
    cluster.snapshot.machines_asked_for = 0;

    cluster.node_count = 0;
    cluster.config = {{"colour", "blue"}, {"db", {{"password", "secret"}}}};
    form = form_like(cluster, web);
    BOOST_TEST(form.machines == "3");
    BOOST_TEST(Json::parse(form.config).dump() ==
               R"({"colour":"blue","db":{"password":"********"}})");
    // Neither does a password of the template stand in a page.
    web.defaults.config["db"]["password"] = "of the template";
    BOOST_TEST(form_for(web).config.find("of the template") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_form_like_a_cluster_has_its_lease_if_a_new_one_may_be_so_long) {
    ClusterTemplate web;
    web.lease.initial = 7 * 24h;
    provisioner::model::Cluster cluster;
    cluster.created_at = provisioner::base::from_sql("2026-11-20 10:00:00");
    const auto lease = [&] {
        const auto form = form_like(cluster, web);
        return form.lease_days + '/' + form.lease_hours + '/' + form.lease_minutes;
    };
    cluster.expires_at = cluster.created_at + 26h + 30min;
    BOOST_TEST(lease() == "1/2/30");
    BOOST_TEST(!words_not_copied(cluster, web).contains("initialLeaseDuration"));

    cluster.expires_at = cluster.created_at + 9 * 24h;
    BOOST_TEST(lease() == "7/0/0");
    BOOST_TEST(words_not_copied(cluster, web).at("initialLeaseDuration") ==
               "Not copied: this is the longest that the template allows at first.");
    cluster.expires_at.reset();
    BOOST_TEST(lease() == "7/0/0");
    web.lease.initial = {};
    BOOST_TEST(lease() == "0/0/0");
    BOOST_TEST(!words_not_copied(cluster, web).contains("initialLeaseDuration"));
}

BOOST_AUTO_TEST_CASE(a_form_like_a_cluster_says_what_it_does_not_have_from_it) {
    ClusterTemplate web;
    provisioner::model::Cluster cluster;
    cluster.config = {{"colour", "blue"}};
    auto words = words_not_copied(cluster, web);
    BOOST_TEST(!words.contains("config"));
    BOOST_TEST(words.at("hardwaretype") == "Not copied: this is the template's choice.");
    BOOST_TEST(words.at("imagetype") == "Not copied: this is the template's choice.");
}
