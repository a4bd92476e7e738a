#include "provisioner/providers/aws/aws_cloud.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/unit/provisioner/providers/cloud/http_site.hpp"

using namespace provisioner;
using namespace provisioner::providers;
using namespace provisioner::providers::aws;

BOOST_AUTO_TEST_SUITE(aws_cloud)

namespace {

std::string response(const std::string& action, const std::string& content) {
    return "<" + action + "Response>" + content + "</" + action + "Response>";
}

/// EC2 with an image and the network of the region, where no machine can be made.
struct Ec2 {
    Ec2() {
        account.provider_type = "aws";
        account.fields = {
            {"api_user", "AKIAX"}, {"api_password", "s"}, {"aws_region", "us-east-1"}};
        spec.image = "ami-12345678";
        spec.flavor = "t3.small";
        client.answer = [this](const http_client::Request& request) { return reply(request); };
    }
    http_client::Reply reply(const http_client::Request& request) const {
        const std::string action = request.body.substr(7, request.body.find('&') - 7);
        if (action == "RunInstances") {
            return tests::reply_with(400, "<Response><Errors><Error><Code>" + run_error +
                                              "</Code><Message>words</Message></Error></Errors>"
                                              "</Response>");
        }
        const auto found = answers.find(action);
        return tests::reply_with(200,
                                 response(action, found == answers.end() ? "" : found->second));
    }
    /// What make() comes to.
    std::string outcome() {
        cloud::Order order{.account = account, .spec = spec};
        order.placement = ec2.placements(account, spec).front();
        order.mark = cloud::mark_of(account, spec);
        order.part = "machine 0";
        order.user_data = user_data;
        try {
            return tests::run(ec2.make(order)).id;
        } catch (const cloud::NotYet& wait) {
            return std::string("not yet: ") + wait.what();
        } catch (const cloud::Refusal& refusal) {
            return std::string("refused: ") + refusal.what();
        }
    }

    std::string run_error;
    std::string user_data = "#cloud-config";
    std::map<std::string, std::string> answers{
        {"DescribeImages",
         "<imagesSet><item><imageId>ami-12345678</imageId><imageState>available</imageState>"
         "</item></imagesSet>"},
        {"DescribeVpcs", "<vpcSet><item><vpcId>vpc-1</vpcId></item></vpcSet>"},
        {"DescribeSubnets",
         "<subnetSet><item><subnetId>subnet-12345678</subnetId><vpcId>vpc-1</vpcId></item>"
         "</subnetSet>"},
        {"DescribeSecurityGroups",
         "<securityGroupInfo><item><groupId>sg-1</groupId></item></securityGroupInfo>"},
        {"DescribeKeyPairs", "<keySet><item><keyName>ours</keyName></item></keySet>"}};
    Account account = tests::an_account();
    MachineSpec spec = tests::a_spec();
    tests::SetClock clock;
    tests::AnsweringClient client;
    tests::CloudTools tools{client, clock};
    AwsCloud ec2{tools};
};

}  // namespace

BOOST_AUTO_TEST_CASE(the_clusters_group_that_is_not_seen_yet_is_waited_for) {
    for (const char* code : {"InvalidGroup.NotFound", "InvalidSecurityGroupID.NotFound"}) {
        Ec2 site;
        site.run_error = code;
        BOOST_TEST(site.outcome() == "not yet: the cluster's security group is not seen yet");
        // With a subnet, the answer has the other code.
        site.account.fields["subnet_id"] = "subnet-12345678";
        BOOST_TEST(site.outcome() == "not yet: the cluster's security group is not seen yet");
        site.account.fields["security_group_ids"] = "sg-7";
        BOOST_TEST(site.outcome().starts_with("refused: AWS refuses RunInstances: words"));
    }
}

BOOST_AUTO_TEST_CASE(the_clusters_key_pair_that_is_not_seen_yet_is_waited_for) {
    Ec2 site;
    site.run_error = "InvalidKeyPair.NotFound";
    site.user_data.clear();

    BOOST_TEST(site.outcome() == "not yet: the cluster's key pair is not seen yet");
    site.account.fields["ssh_keypair"] = "our";
    BOOST_TEST(site.outcome() == "refused: ssh_keypair: there is no key pair \"our\"; near: ours");
}

BOOST_AUTO_TEST_SUITE_END()
