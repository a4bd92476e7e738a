#include "provisioner/providers/openstack/parts.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/providers/cloud/failures.hpp"

BOOST_AUTO_TEST_SUITE(openstack_parts)

using namespace provisioner;
using namespace provisioner::providers;
using namespace provisioner::providers::openstack;

cloud::Mark mark(long long task = 10) {
    return {.installation = "0123456789abcdef0123456789abcdef",
            .cluster = "00000001",
            .name = "00000001-1001",
            .task = task,
            .attempt = 1};
}

std::string refusal_of(const std::vector<base::Json>& things, const std::string& name) {
    try {
        return id_named(things, name, "image", "image");
    } catch (const cloud::Refusal& refusal) {
        return refusal.what();
    }
}

BOOST_AUTO_TEST_CASE(a_mark_is_read_back_from_a_description) {
    BOOST_TEST((mark_in_description(description_of(mark())) == mark()));
    BOOST_TEST((mark_in_description("the database's address") == cloud::Mark()));
    BOOST_TEST(description_of(mark()).size() < 255U);
}

BOOST_AUTO_TEST_CASE(an_address_that_was_taken_remembers_what_it_was_called) {
    const std::string taken = description_of_taken(mark(), "the old website");

    BOOST_TEST((mark_in_description(taken) == mark()));
    BOOST_TEST(description_before(taken).value_or("?") == "the old website");
    BOOST_TEST(description_before(description_of_taken(mark(), "")).value_or("?") == "");
    BOOST_TEST(!description_before(description_of(mark())).has_value());
    BOOST_TEST(description_of_taken(mark(), std::string(300, 'x')).size() == 255U);
}

BOOST_AUTO_TEST_CASE(parts_of_a_later_task_and_of_others_do_not_belong_to_a_machine) {
    cloud::Mark other = mark();
    other.installation = "ffffffffffffffffffffffffffffffff";
    cloud::Mark second = mark();
    second.name = "00000001-1002";
    cloud::Mark cluster = mark(0);
    cluster.name.clear();

    BOOST_TEST(belongs_to(mark(), mark()));
    BOOST_TEST(belongs_to(mark(10), mark(0)));
    BOOST_TEST(!belongs_to(mark(20), mark(10)));
    BOOST_TEST(!belongs_to(other, mark()));
    BOOST_TEST(!belongs_to(second, mark()));
    BOOST_TEST(belongs_to(second, cluster));
    BOOST_TEST(!belongs_to(cloud::Mark(), cloud::Mark()));
}

BOOST_AUTO_TEST_CASE(names_are_resolved_and_doubtful_ones_refused) {
    const std::vector<base::Json> images{{{"id", "1"}, {"name", "debian-12"}},
                                         {{"id", "2"}, {"name", "ubuntu"}},
                                         {{"id", "3"}, {"name", "ubuntu"}}};

    BOOST_TEST(refusal_of(images, "debian-12") == "1");
    BOOST_TEST(refusal_of(images, "3") == "3");
    BOOST_TEST(refusal_of(images, "debain-12") ==
               "image: there is no image \"debain-12\"; near: debian-12");
    BOOST_TEST(refusal_of(images, "ubuntu") ==
               "image: several of the name \"ubuntu\" are there (image): give the id, one of 2 and "
               "3");
}

BOOST_AUTO_TEST_CASE(networks_that_are_down_empty_or_external_are_not_for_machines) {
    const auto network = [](const char* name, bool up, bool external, base::Json subnets) {
        return base::Json{{"id", name},
                          {"name", name},
                          {"admin_state_up", up},
                          {"router:external", external},
                          {"subnets", std::move(subnets)}};
    };
    const std::vector<base::Json> all{
        network("a", true, false, {"s"}), network("b", false, false, {"s"}),
        network("c", true, false, base::Json::array()), network("d", true, true, {"s"})};

    const auto usable = usable_networks(all);

    BOOST_REQUIRE(usable.size() == 1U);
    BOOST_TEST(usable[0].at("id") == "a");
    BOOST_TEST(external_networks(all).at(0).at("id") == "d");
}

// As Neutron 21 answers.
const char* const group_of_neutron = R"({"id": "g", "security_group_rules": [
  {"id": "r0", "direction": "egress", "ethertype": "IPv4", "protocol": null,
   "port_range_min": null, "port_range_max": null, "remote_ip_prefix": null,
   "remote_group_id": null},
  {"id": "r1", "direction": "ingress", "ethertype": "IPv4", "protocol": null,
   "port_range_min": null, "port_range_max": null, "remote_ip_prefix": null,
   "remote_group_id": "g"},
  {"id": "r2", "direction": "ingress", "ethertype": "IPv4", "protocol": "tcp",
   "port_range_min": 22, "port_range_max": 22, "remote_ip_prefix": "192.0.2.0/24",
   "remote_group_id": null},
  {"id": "r3", "direction": "ingress", "ethertype": "IPv4", "protocol": "tcp",
   "port_range_min": 3306, "port_range_max": 3306, "remote_ip_prefix": null,
   "remote_group_id": null}]})";

BOOST_AUTO_TEST_CASE(rules_of_a_group_are_compared_as_neutron_does) {
    const std::vector<cloud::FirewallRule> wanted{
        {.protocol = "tcp", .first_port = 22, .last_port = 22, .range = "192.0.2.7/24"},
        {.protocol = "udp", .first_port = 53, .last_port = 60, .range = "2001:db8::1/32"}};

    const auto changes = changes_of_group(*base::parse_json(group_of_neutron), wanted);

    BOOST_TEST((changes.surplus == std::set<std::string>{"r3"}));
    BOOST_REQUIRE(changes.missing.size() == 2U);
    BOOST_TEST(base::to_text(changes.missing[0]) ==
               R"({"security_group_id":"g","direction":"ingress","ethertype":"IPv6",)"
               R"("remote_group_id":"g"})");
    BOOST_TEST(base::to_text(changes.missing[1]) ==
               R"({"security_group_id":"g","direction":"ingress","ethertype":"IPv6",)"
               R"("protocol":"udp","port_range_min":53,"port_range_max":60,)"
               R"("remote_ip_prefix":"2001:db8::/32"})");
}

BOOST_AUTO_TEST_CASE(a_rule_from_everywhere_may_be_written_in_two_ways) {
    const std::vector<cloud::FirewallRule> wanted{
        {.protocol = "tcp", .first_port = 3306, .last_port = 3306, .range = "0.0.0.0/0"}};

    const auto changes = changes_of_group(*base::parse_json(group_of_neutron), wanted);

    BOOST_TEST((changes.surplus == std::set<std::string>{"r2"}));
}

BOOST_AUTO_TEST_SUITE_END()
