#include "provisioner/providers/aws/groups.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner;
using namespace provisioner::providers;
using namespace provisioner::providers::aws;

BOOST_AUTO_TEST_SUITE(aws_groups)

BOOST_AUTO_TEST_CASE(the_group_of_a_cluster_is_named_and_tagged) {
    Account account;
    account.installation = "0123456789abcdef";
    cloud::Mark mark;
    mark.installation = account.installation;
    mark.cluster = "00000001";

    BOOST_TEST(create_group(account, mark, "vpc-1").body() ==
               "Action=CreateSecurityGroup&Version=2016-11-15"
               "&GroupName=cooperage-01234567-00000001"
               "&GroupDescription=Cluster%2000000001%20of%20Cooperage&VpcId=vpc-1"
               "&TagSpecification.1.ResourceType=security-group"
               "&TagSpecification.1.Tag.1.Key=Name"
               "&TagSpecification.1.Tag.1.Value=cooperage-01234567-00000001"
               "&TagSpecification.1.Tag.2.Key=cooperage-cluster"
               "&TagSpecification.1.Tag.2.Value=00000001"
               "&TagSpecification.1.Tag.3.Key=cooperage-installation"
               "&TagSpecification.1.Tag.3.Value=0123456789abcdef");
}

BOOST_AUTO_TEST_CASE(rules_are_ranges_of_either_family_and_the_group_itself) {
    const std::vector<cloud::FirewallRule> rules{
        {.protocol = "tcp", .first_port = 22, .last_port = 22, .range = "192.0.2.0/24"},
        {.protocol = "-1", .first_port = 0, .last_port = 0, .range = "2001:db8::/32"}};

    BOOST_TEST(change_rules("AuthorizeSecurityGroupIngress", "sg-1", rules, true).body() ==
               "Action=AuthorizeSecurityGroupIngress&Version=2016-11-15&GroupId=sg-1"
               "&IpPermissions.1.IpProtocol=tcp&IpPermissions.1.FromPort=22"
               "&IpPermissions.1.ToPort=22&IpPermissions.1.IpRanges.1.CidrIp=192.0.2.0%2F24"
               "&IpPermissions.2.IpProtocol=-1"
               "&IpPermissions.2.Ipv6Ranges.1.CidrIpv6=2001%3Adb8%3A%3A%2F32"
               "&IpPermissions.3.IpProtocol=-1&IpPermissions.3.Groups.1.GroupId=sg-1");
}

BOOST_AUTO_TEST_CASE(a_rule_is_revoked_with_the_ports_it_has) {
    const std::vector<cloud::FirewallRule> rules{
        {.protocol = "50", .first_port = no_port, .last_port = no_port, .range = "10.0.0.0/8"},
        {.protocol = "icmp", .first_port = -1, .last_port = -1, .range = "10.0.0.0/8"}};

    BOOST_TEST(change_rules("RevokeSecurityGroupIngress", "sg-1", rules, false).body() ==
               "Action=RevokeSecurityGroupIngress&Version=2016-11-15&GroupId=sg-1"
               "&IpPermissions.1.IpProtocol=50&IpPermissions.1.IpRanges.1.CidrIp=10.0.0.0%2F8"
               "&IpPermissions.2.IpProtocol=icmp&IpPermissions.2.FromPort=-1"
               "&IpPermissions.2.ToPort=-1&IpPermissions.2.IpRanges.1.CidrIp=10.0.0.0%2F8");
}

BOOST_AUTO_TEST_SUITE_END()
