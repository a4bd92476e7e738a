#include <boost/test/unit_test.hpp>

#include "tests/integration/provisioner/providers/aws/site.hpp"

using namespace provisioner;
using namespace provisioner::providers;
using tests::AwsSite;
using tests::fresh_site;
using tests::results_of;

BOOST_AUTO_TEST_SUITE(aws_network)

namespace {

/// The rules of the cluster's group, one a line, sorted.
std::string rules_of(AwsSite& site) {
    std::vector<std::string> lines;
    const base::Json groups = site.things("groups");
    for (const base::Json& group : groups) {
        if (!group.at("tags").contains("cooperage-cluster")) continue;
        for (const base::Json& rule : group.at("ingress")) {
            std::string line = rule.get<std::string>();
            const auto own = line.find(base::text_at(group, "id"));
            if (own != std::string::npos) line = line.substr(0, own) + "itself";
            lines.push_back(line + "\n");
        }
    }
    std::sort(lines.begin(), lines.end());
    std::string text;
    for (const std::string& line : lines) text += line;
    return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_cluster_gets_a_group_of_its_own_that_goes_with_its_last_machine) {
    AwsSite& site = fresh_site();
    const Account account = site.account(
        {{"ssh_ranges", "192.0.2.0/24"}, {"client_ranges", "198.51.100.7, 2001:db8::/32"}});

    site.made(account, site.spec(1001));
    site.made(account, site.spec(1002));

    BOOST_TEST(rules_of(site) ==
               "-1 None-None itself\n"
               "tcp 22-22 192.0.2.0/24\n"
               "tcp 80-80 198.51.100.7/32\n"
               "tcp 80-80 2001:db8::/32\n");
    const auto machines = site.living();
    BOOST_TEST(machines[0].at("groups") == machines[1].at("groups"));
    site.removed(account, site.spec(1001));
    BOOST_TEST(!rules_of(site).empty());
    site.removed(account, site.spec(1002));
    BOOST_TEST(rules_of(site).empty());
    BOOST_TEST(site.left() == 0);
    BOOST_TEST(site.refused_by_judge().empty());
}

BOOST_AUTO_TEST_CASE(the_group_of_a_cluster_is_repaired_when_its_ports_have_changed) {
    AwsSite& site = fresh_site();
    const base::Json fields{{"ssh_ranges", "192.0.2.0/24"}, {"client_ranges", "198.51.100.0/24"}};
    site.made(site.account(fields), site.spec(1001));
    MachineSpec grown = site.spec(1002);
    grown.open_ports = {"443/tcp", "5000-5010/udp"};

    site.made(site.account(fields), grown);

    BOOST_TEST(rules_of(site) ==
               "-1 None-None itself\n"
               "tcp 22-22 192.0.2.0/24\n"
               "tcp 443-443 198.51.100.0/24\n"
               "udp 5000-5010 198.51.100.0/24\n");
}

BOOST_AUTO_TEST_CASE(groups_are_found_by_name_and_by_id) {
    AwsSite& site = fresh_site();
    site.made(site.account({{"security_groups", "default"}}), site.spec());
    const std::string group = base::text_at(site.request(), "SecurityGroupId.1");
    BOOST_TEST(group.starts_with("sg-"));

    AwsSite other;
    const base::Json groups = other.things("groups");
    other.made(other.account({{"security_group_ids", groups[0].at("id")}}), other.spec());

    BOOST_TEST(base::text_at(other.request(), "SecurityGroupId.1") ==
               base::text_at(groups[0], "id"));
    BOOST_TEST(!other.calls().at("operations").contains("CreateSecurityGroup"));
}

BOOST_AUTO_TEST_CASE(the_group_of_another_cluster_is_refused_by_name_and_by_id) {
    AwsSite& site = fresh_site();
    site.made(site.account(), site.spec(1001));
    base::Json own;
    for (const base::Json& group : site.things("groups")) {
        if (base::text_at(group, "name").starts_with("cooperage-")) own = group;
    }
    MachineSpec another = site.spec(1002);
    another.cluster = "00000002";

    for (const char* member : {"name", "id"}) {
        const Refused refused =
            site.refusal(site.account({{"security_groups", base::text_at(own, member)}}), another);
        BOOST_TEST(refused.message.find("belongs to Cooperage") != std::string::npos,
                   refused.message);
    }
}

BOOST_AUTO_TEST_CASE(a_subnet_stands_in_the_interface_and_the_next_is_tried_when_it_is_full) {
    AwsSite& site = fresh_site();
    site.set({{"no_capacity", {"*/us-east-1a"}}});
    std::string subnets;
    const base::Json all = site.things("subnets");
    for (const char* zone : {"us-east-1a", "us-east-1c"}) {
        for (const base::Json& subnet : all) {
            if (base::text_at(subnet, "zone") == zone) subnets += base::text_at(subnet, "id") + ",";
        }
    }
    const Account account =
        site.account({{"subnet_id", subnets}, {"associate_public_ip", "false"}});

    const std::string id = site.made(account, site.spec());
    const Confirmed confirmed = site.confirm(account, site.spec(), results_of(id));

    const base::Json request = site.request();
    BOOST_TEST(base::text_at(site.living().at(0), "zone") == "us-east-1c");
    BOOST_TEST(!request.contains("SubnetId"));
    BOOST_TEST(!request.contains("SecurityGroupId.1"));
    BOOST_TEST(base::text_at(request, "NetworkInterface.1.AssociatePublicIpAddress") == "false");
    BOOST_REQUIRE(std::holds_alternative<Reachable>(confirmed));
    const auto& addresses = std::get<Reachable>(confirmed).addresses;
    BOOST_TEST(addresses.at("access_v4") == addresses.at("bind_v4"));
}

BOOST_AUTO_TEST_CASE(a_machine_gets_the_name_of_the_provider_when_that_is_wanted) {
    AwsSite& site = fresh_site();
    const Account account =
        site.account({{"provider_hostname", "true"}, {"associate_public_ip", "true"}});

    const std::string id = site.made(account, site.spec());
    const Confirmed confirmed = site.confirm(account, site.spec(), results_of(id));

    BOOST_REQUIRE(std::holds_alternative<Reachable>(confirmed));
    BOOST_TEST(std::get<Reachable>(confirmed).hostname.ends_with(".compute-1.amazonaws.com"));
}

BOOST_AUTO_TEST_CASE(two_machines_at_once_make_one_group) {
    AwsSite& site = fresh_site();
    const Account account = site.account();
    const MachineSpec one = site.spec(1001);
    const MachineSpec other = site.spec(1002);
    boost::asio::io_context loop;
    auto first =
        boost::asio::co_spawn(loop, site.provider().create(account, one), boost::asio::use_future);
    auto second = boost::asio::co_spawn(loop, site.provider().create(account, other),
                                        boost::asio::use_future);
    loop.run();
    first.get();
    second.get();

    site.made(account, one);
    site.made(account, other);

    BOOST_TEST(site.living().size() == 2U);
    int groups = 0;
    const base::Json all = site.things("groups");
    for (const base::Json& group : all) groups += group.at("tags").empty() ? 0 : 1;
    BOOST_TEST(groups == 1);
}

BOOST_AUTO_TEST_SUITE_END()
