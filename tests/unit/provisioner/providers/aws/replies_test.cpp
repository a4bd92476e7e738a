#include "provisioner/providers/aws/replies.hpp"

#include <boost/test/unit_test.hpp>

#include <pugixml.hpp>

#include "provisioner/providers/aws/xml.hpp"

using namespace provisioner;
using namespace provisioner::providers;
using namespace provisioner::providers::aws;
using State = cloud::CloudMachine::State;

BOOST_AUTO_TEST_SUITE(aws_replies)

namespace {

http_client::Reply answer(const std::string& body) {
    http_client::Reply reply;
    reply.status = 200;
    reply.body = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + body;
    return reply;
}

/// A piece of the example of DescribeInstances in AWS's reference.
std::string instance(const std::string& state, const std::string& more = "") {
    return "<DescribeInstancesResponse xmlns=\"http://ec2.amazonaws.com/doc/2016-11-15/\">"
           "<requestId>8f7724cf-496f-496e-8fe3-example</requestId><reservationSet><item>"
           "<reservationId>r-1234567890abcdef0</reservationId><instancesSet><item>"
           "<instanceId>i-1234567890abcdef0</instanceId><imageId>ami-bff32ccc</imageId>"
           "<instanceState><code>16</code><name>" +
           state +
           "</name></instanceState><privateDnsName>ip-192-168-1-88.eu-west-1.compute.internal"
           "</privateDnsName><dnsName>ec2-54-194-252-215.eu-west-1.compute.amazonaws.com</dnsName>"
           "<instanceType>t2.micro</instanceType><placement><availabilityZone>eu-west-1c"
           "</availabilityZone><groupName/><tenancy>default</tenancy></placement>"
           "<privateIpAddress>192.168.1.88</privateIpAddress>" +
           more +
           "<tagSet><item><key>Name</key><value>Server_1</value></item><item>"
           "<key>cooperage-machine</key><value>00000001-1</value></item><item>"
           "<key>cooperage-task</key><value>12-3</value></item></tagSet></item></instancesSet>"
           "</item></reservationSet></DescribeInstancesResponse>";
}

const std::string public_address = "<ipAddress>54.194.252.215</ipAddress>";

cloud::CloudMachine machine(const std::string& state, const std::string& more = "",
                            bool waits_for_public = false) {
    const auto machines = machines_in(answer(instance(state, more)), true, waits_for_public);
    BOOST_REQUIRE(machines.size() == 1U);
    return machines[0];
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_instance_is_read_with_its_mark_and_its_addresses) {
    const auto read = machine("running", public_address);

    BOOST_TEST(read.id == "i-1234567890abcdef0");
    BOOST_TEST((read.state == State::running));
    BOOST_TEST(read.mark.name == "00000001-1");
    BOOST_TEST(read.mark.task == 12);
    BOOST_TEST(read.mark.attempt == 3);
    BOOST_TEST(read.addresses.at("access_v4") == "54.194.252.215");
    BOOST_TEST(read.addresses.at("bind_v4") == "192.168.1.88");
    BOOST_TEST(read.hostname == "ec2-54-194-252-215.eu-west-1.compute.amazonaws.com");
    BOOST_TEST(read.reason == "");
}

BOOST_AUTO_TEST_CASE(states_are_those_of_clouds) {
    BOOST_TEST((machine("pending").state == State::starting));
    BOOST_TEST((machine("shutting-down").state == State::leaving));
    BOOST_TEST((machine("terminated").state == State::gone));
    BOOST_TEST((machine("stopped").state == State::failed));
    BOOST_TEST((machine("stopping").state == State::failed));
}

BOOST_AUTO_TEST_CASE(a_machine_that_ended_says_why) {
    const auto with = [](const std::string& code, const std::string& message) {
        return "<stateReason><code>" + code + "</code><message>" + message +
               "</message></stateReason>";
    };

    BOOST_TEST(machine("terminated", with("Server.SpotInstanceTermination", "x")).reason ==
               "AWS took the spot machine back (Server.SpotInstanceTermination)");
    BOOST_TEST(machine("terminated", with("Client.VolumeLimitExceeded",
                                          "Client.VolumeLimitExceeded: Volume limit exceeded"))
                   .reason == "terminated: Client.VolumeLimitExceeded: Volume limit exceeded");
    BOOST_TEST(machine("stopped").reason == "stopped");
}

BOOST_AUTO_TEST_CASE(a_private_address_is_taken_unless_a_public_one_is_to_come) {
    BOOST_TEST(machine("running").addresses.at("access_v4") == "192.168.1.88");
    BOOST_TEST(!machine("running", "", true).addresses.contains("access_v4"));
    BOOST_TEST(machine("running", public_address, true).addresses.at("access_v4") ==
               "54.194.252.215");
}

BOOST_AUTO_TEST_CASE(the_answer_to_run_instances_has_the_machine_at_its_root) {
    const auto machines = machines_in(
        answer("<RunInstancesResponse><instancesSet><item><instanceId>i-1</instanceId>"
               "<instanceState><code>0</code><name>pending</name></instanceState></item>"
               "</instancesSet></RunInstancesResponse>"),
        false, false);

    BOOST_REQUIRE(machines.size() == 1U);
    BOOST_TEST(machines[0].id == "i-1");
    BOOST_TEST(machines[0].addresses.empty());
}

BOOST_AUTO_TEST_CASE(an_answer_that_is_cut_off_is_lost) {
    const std::string whole = instance("running");
    for (const std::size_t length :
         {std::size_t{0}, std::size_t{20}, whole.size() / 2, whole.size() - 1}) {
        http_client::Reply reply;
        reply.status = 200;
        reply.body = whole.substr(0, length);
        BOOST_CHECK_THROW(machines_in(reply, false, false), cloud::Lost);
    }
}

BOOST_AUTO_TEST_CASE(xml_that_is_no_answer_of_the_api_is_lost_and_no_empty_account) {
    for (const char* body :
         {"<html><body>Please log in</body></html>", "<Response/>", "<ErrorResponse2/>", "<a/>"}) {
        BOOST_CHECK_THROW(machines_in(answer(body), false, false), cloud::Lost);
        BOOST_CHECK_THROW(things_in(answer(body), "volumeSet", "volumeId"), cloud::Lost);
    }
    BOOST_TEST(machines_in(answer("<DescribeInstancesResponse><reservationSet/>"
                                  "</DescribeInstancesResponse>"),
                           false, false)
                   .empty());
}

BOOST_AUTO_TEST_CASE(an_image_has_the_size_of_its_root_disk_and_not_of_others) {
    const auto images = images_in(answer(
        "<DescribeImagesResponse><imagesSet><item><imageId>ami-1</imageId>"
        "<imageState>available</imageState><architecture>arm64</architecture><name>debian</name>"
        "<rootDeviceType>ebs</rootDeviceType><rootDeviceName>/dev/xvda</rootDeviceName>"
        "<blockDeviceMapping><item><deviceName>/dev/sdb</deviceName><ebs>"
        "<volumeSize>100</volumeSize></ebs></item><item><deviceName>/dev/xvda</deviceName><ebs>"
        "<volumeSize>8</volumeSize></ebs></item></blockDeviceMapping></item></imagesSet>"
        "</DescribeImagesResponse>"));

    BOOST_REQUIRE(images.size() == 1U);
    const Image expected{.id = "ami-1",
                         .name = "debian",
                         .state = "available",
                         .root_device = "/dev/xvda",
                         .is_on_volume = true,
                         .root_size = 8,
                         .architecture = "arm64"};
    BOOST_TEST((images[0] == expected));
}

BOOST_AUTO_TEST_CASE(rules_of_a_group_are_read_for_both_families) {
    const auto groups = groups_in(answer(
        "<DescribeSecurityGroupsResponse><securityGroupInfo><item><groupId>sg-1</groupId>"
        "<ipPermissions><item><ipProtocol>tcp</ipProtocol><fromPort>80</fromPort>"
        "<toPort>81</toPort><groups/><ipRanges><item><cidrIp>192.0.2.0/24</cidrIp></item>"
        "<item><cidrIp>10.0.0.0/8</cidrIp></item></ipRanges><ipv6Ranges><item>"
        "<cidrIpv6>::/0</cidrIpv6></item></ipv6Ranges></item><item><ipProtocol>-1</ipProtocol>"
        "<groups><item><groupId>sg-1</groupId></item></groups></item></ipPermissions></item>"
        "</securityGroupInfo></DescribeSecurityGroupsResponse>"));

    BOOST_REQUIRE(groups.size() == 1U);
    BOOST_TEST(groups[0].is_open_inside);
    BOOST_REQUIRE(groups[0].rules.size() == 3U);
    BOOST_TEST(groups[0].rules[0].range == "10.0.0.0/8");
    BOOST_TEST(groups[0].rules[2].range == "::/0");
    BOOST_TEST(groups[0].rules[2].last_port == 81);
}

BOOST_AUTO_TEST_CASE(rules_of_a_group_without_ports_are_told_from_those_for_all) {
    const auto permission = [](const std::string& protocol, const std::string& ports) {
        return "<item><ipProtocol>" + protocol + "</ipProtocol>" + ports +
               "<ipRanges><item><cidrIp>0.0.0.0/0</cidrIp></item></ipRanges></item>";
    };
    const auto groups = groups_in(answer(
        "<DescribeSecurityGroupsResponse><securityGroupInfo><item><groupId>sg-1</groupId>"
        "<ipPermissions>" +
        permission("50", "") + permission("icmp", "<fromPort>-1</fromPort><toPort>-1</toPort>") +
        permission("icmp", "<fromPort>8</fromPort><toPort>-1</toPort>") +
        "</ipPermissions></item></securityGroupInfo></DescribeSecurityGroupsResponse>"));

    BOOST_REQUIRE(groups.size() == 1U);
    const std::vector<cloud::FirewallRule> expected{
        {.protocol = "50", .first_port = no_port, .last_port = no_port, .range = "0.0.0.0/0"},
        {.protocol = "icmp", .first_port = -1, .last_port = -1, .range = "0.0.0.0/0"},
        {.protocol = "icmp", .first_port = 8, .last_port = -1, .range = "0.0.0.0/0"}};
    BOOST_TEST((groups[0].rules == expected));
}

BOOST_AUTO_TEST_CASE(things_pages_and_texts_are_read) {
    const auto reply = answer(
        "<DescribeVolumesResponse><volumeSet><item><volumeId>vol-1</volumeId>"
        "<size>30</size><status>in-use</status><tagSet><item><key>a</key><value>b</value></item></"
        "tagSet></item>"
        "</volumeSet><nextToken>more</nextToken></DescribeVolumesResponse>");

    const auto things = things_in(reply, "volumeSet", "volumeId");

    BOOST_REQUIRE(things.size() == 1U);
    BOOST_TEST(things[0].id == "vol-1");
    BOOST_TEST(things[0].state == "in-use");
    BOOST_TEST(things[0].size_gb == 30);
    BOOST_TEST(things[0].tags.at("a") == "b");
    BOOST_TEST(next_page(reply) == "more");
    BOOST_TEST(texts_in(reply, "volumeSet", "status").at(0) == "in-use");
    BOOST_TEST(text_below_root(reply, "nothing") == "");
}

BOOST_AUTO_TEST_CASE(entities_that_a_document_declares_are_neither_read_nor_expanded) {
    provisioner::http_client::Reply reply;
    reply.status = 200;
    reply.body = R"(<?xml version="1.0"?><!DOCTYPE r [<!ENTITY file SYSTEM "file:///etc/passwd">)"
                 R"(<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>)"
                 R"(<SomeResponse><file>&file;</file><many>&b;&b;</many></SomeResponse>)";
    pugi::xml_document document;
    const auto root = provisioner::providers::aws::root_of(reply, document);

    BOOST_TEST(provisioner::providers::aws::text_in(root, "file") == "&file;");
    BOOST_TEST(provisioner::providers::aws::text_in(root, "many") == "&b;&b;");
}

BOOST_AUTO_TEST_SUITE_END()
