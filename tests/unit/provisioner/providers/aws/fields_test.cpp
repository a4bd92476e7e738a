#include "provisioner/providers/aws/fields.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/model/plugins/plugin_type.hpp"
#include "provisioner/providers/aws/api.hpp"

using namespace provisioner;
using namespace provisioner::providers;
using namespace provisioner::providers::aws;

BOOST_AUTO_TEST_SUITE(aws_fields)

namespace {

Account account_with(const base::Json& fields) {
    Account account;
    account.provider_type = "aws";
    account.fields = {{"api_user", "AKIAEXAMPLE"}, {"api_password", "secret"}};
    if (fields.is_object()) account.fields.update(fields);
    return account;
}

MachineSpec a_machine() {
    MachineSpec spec;
    spec.image = "ami-0123456789abcdef0";
    spec.flavor = "t3.micro";
    return spec;
}

constexpr auto closed = http_client::OwnNetwork::closed;

std::string problems(const base::Json& fields, const MachineSpec& spec = a_machine()) {
    const Account account = account_with(fields);
    base::Problems all = check_account(account, false, closed);
    for (auto& problem : check_machine(account, spec)) all.push_back(std::move(problem));
    std::string text;
    for (const auto& problem : all) text += problem.field + "\n";
    return text;
}

}  // namespace

/// Coopr's fields, in its order: shared/spec/plugins.md, 4.2.
BOOST_AUTO_TEST_CASE(the_type_has_the_fields_of_coopr_and_ours_after_them) {
    const model::PluginType type = aws_type();
    std::string text;
    for (const auto& field : type.admin.fields) {
        text += field.name + " (" + field.label + ") " + field.kind + " " +
                (field.default_value.is_string() ? field.default_value.get<std::string>() : "-") +
                (field.overridable ? " override" : "") + (field.is_secret() ? " secret" : "") +
                "\n";
    }

    BOOST_TEST(text ==
               "api_user (Access Key ID) text -\n"
               "api_password (Secret Access Key) password - secret\n"
               "ssh_keypair (Key Pair Name) text - override\n"
               "ssh_key_resource (SSH Key Resource Name) text - override\n"
               "aws_region (AWS Region) select us-east-1\n"
               "aws_root_ebs_size (Root EBS size) text 10 override\n"
               "aws_root_ebs_delete_on_term (Delete EBS root on termination) checkbox true "
               "override\n"
               "aws_root_ebs_volume_type (Root disk type) select standard override\n"
               "security_groups (Security Groups) text default override\n"
               "security_group_ids (Security Group IDs (VPC only)) text - override\n"
               "subnet_id (Subnet ID (VPC only)) text - override\n"
               "dedicated_instance (Use Dedicated instances (VPC only)) checkbox - override\n"
               "associate_public_ip (Associate public IP (VPC only)) checkbox true override\n"
               "provider_hostname (Set hostname to provider-generated public DNS hostname "
               "(overrides DNS suffix)) checkbox - override\n"
               "availability_zone (Availability Zone) text - override\n"
               "iam_instance_profile (IAM instance profile) text - override\n"
               "placement_group (Placement group) text - override\n"
               "aws_credentials (Credentials) select -\n"
               "spot (Spot machines) checkbox - override\n"
               "spot_max_price (Highest price of spot machines) text - override\n"
               "aws_metadata_tokens (Metadata of machines) select required override\n");
}

BOOST_AUTO_TEST_CASE(the_type_has_the_options_and_required_sets_of_coopr) {
    const model::PluginType type = aws_type();
    const std::vector<std::string> regions{
        "ap-northeast-1", "ap-northeast-2", "ap-south-1", "ap-southeast-1", "ap-southeast-2",
        "ca-central-1",   "eu-central-1",   "eu-west-1",  "eu-west-2",      "sa-east-1",
        "us-east-1",      "us-east-2",      "us-west-1",  "us-west-2"};

    const auto& offered = type.admin.fields[4].options;
    BOOST_REQUIRE(offered.size() > regions.size());
    BOOST_TEST(std::vector<std::string>(offered.begin(), offered.begin() + 14) == regions);
    BOOST_TEST(type.admin.fields[7].options[0] == "standard");
    BOOST_TEST(type.admin.fields[7].options[1] == "gp2");
    BOOST_REQUIRE(type.admin.required.size() == 4U);
    BOOST_TEST(type.admin.required[0] ==
               (std::vector<std::string>{"api_user", "api_password", "ssh_keypair",
                                         "ssh_key_resource", "aws_region", "security_groups"}));
    BOOST_TEST(
        type.admin.required[1] ==
        (std::vector<std::string>{"api_user", "api_password", "ssh_keypair", "ssh_key_resource",
                                  "aws_region", "security_group_ids", "subnet_id"}));
    BOOST_REQUIRE(type.resource_types.size() == 1U);
    BOOST_TEST(type.resource_types[0].name == "ssh_keys");
    BOOST_TEST(type.resource_types[0].permissions.value() == "0400");
    const auto read =
        model::plugin_type_from_json(model::PluginKind::provider, model::to_json(type));
    BOOST_REQUIRE(read.has_value());
    BOOST_TEST((*read == type));
}

BOOST_AUTO_TEST_CASE(fields_that_are_right_have_no_problems) {
    BOOST_TEST(problems({}) == "");
    BOOST_TEST(problems({{"aws_region", "us-gov-west-1"},
                         {"aws_root_ebs_size", "16384"},
                         {"aws_root_ebs_volume_type", "gp3"},
                         {"security_group_ids", "sg-1, sg-2"},
                         {"subnet_id", "subnet-1"},
                         {"spot_max_price", "0.035"},
                         {"tags", {"a=b", "c="}}}) == "");
    BOOST_TEST(problems({{"spot_max_price", "000.01234567"}}) == "");
}

BOOST_AUTO_TEST_CASE(every_wrong_field_is_named) {
    MachineSpec spec = a_machine();
    spec.image = "debian-12";
    spec.flavor = "";

    BOOST_TEST(problems({{"api_user", "A:B"}, {"aws_region", "moon"}}, spec) ==
               "api_user\naws_region\nimage\nflavor\n");
    BOOST_TEST(problems({{"api_password", ""}}) == "api_password\n");
    BOOST_TEST(problems({{"aws_root_ebs_size", "0"},
                         {"aws_root_ebs_volume_type", "floppy"},
                         {"aws_metadata_tokens", "maybe"},
                         {"security_group_ids", "default"},
                         {"subnet_id", "10.0.0.0/24"},
                         {"spot_max_price", "-1"}}) ==
               "aws_root_ebs_size\naws_root_ebs_volume_type\naws_metadata_tokens\n"
               "security_group_ids\nsubnet_id\nspot_max_price\n");
    for (const char* tag : {"novalue", "aws:x=1", "=1", "cooperage-task=1"}) {
        BOOST_TEST(problems({{"tags", base::Json::array({tag})}}) == "tags\n", tag);
    }
}

BOOST_AUTO_TEST_CASE(the_profile_of_the_machine_is_lent_only_by_the_installation) {
    const Account account = account_with({{"aws_credentials", "instance_profile"}});

    BOOST_TEST(check_account(account, true, closed).empty());
    const auto refused = check_account(account, false, closed);
    BOOST_REQUIRE(refused.size() == 1U);
    BOOST_TEST(refused[0].field == "aws_credentials");
}

/// std::regex overflowed the stack with such a region.
BOOST_AUTO_TEST_CASE(a_region_of_any_length_is_refused_in_a_short_text) {
    const Account account = account_with({{"aws_region", "eu-" + std::string(300'000, 'a') + "-1"},
                                          {"api_user", "AKIA"},
                                          {"api_password", "s"}});
    const auto refused = check_account(account, false, closed);
    BOOST_REQUIRE(refused.size() == 1U);
    BOOST_TEST(refused[0].field == "aws_region");
    BOOST_TEST(refused[0].message.size() < 600U);
}

/// The tenant's own server would get the session token and signed requests of the installation.
BOOST_AUTO_TEST_CASE(the_profile_of_the_machine_goes_to_ec2_and_nowhere_else) {
    const auto problems = [](const std::string& endpoint, http_client::OwnNetwork own_network) {
        const Account account = account_with({{"aws_credentials", "instance_profile"},
                                              {"aws_region", "eu-west-1"},
                                              {"api_endpoint", endpoint}});
        return base::to_text(check_account(account, true, own_network));
    };
    for (const char* endpoint :
         {"", "https://ec2.eu-west-1.amazonaws.com", "https://ec2.eu-west-1.amazonaws.com/",
          "https://ec2-fips.eu-west-1.amazonaws.com", "https://ec2.eu-west-1.amazonaws.com.cn",
          "https://vpce-0a1b-c2d3.ec2.eu-west-1.vpce.amazonaws.com"}) {
        BOOST_TEST(problems(endpoint, closed) == "", endpoint);
    }
    for (const char* endpoint :
         {"https://evil.example.org", "http://ec2.eu-west-1.amazonaws.com",
          "https://evil.example.org/.amazonaws.com", "https://evil.example.org#.amazonaws.com",
          "https://evil.example.org?ec2.eu-west-1.amazonaws.com",
          "https://ec2.eu-west-1.amazonaws.com@evil.example.org",
          "https://ec2.eu-west-1.amazonaws.com.evil.example.org",
          "https://abcdef.execute-api.eu-west-1.amazonaws.com",
          "https://mine.eu-west-1.elb.amazonaws.com", "https://ec2.us-east-1.amazonaws.com",
          "https://vpce-1.vpce-svc-1.eu-west-1.vpce.amazonaws.com"}) {
        BOOST_TEST(problems(endpoint, closed).starts_with("api_endpoint: cannot be given"),
                   endpoint);
    }
    BOOST_TEST(problems("http://127.0.0.1:5000", http_client::OwnNetwork::open) == "");
}

BOOST_AUTO_TEST_CASE(endpoints_follow_from_the_region_unless_one_is_given) {
    BOOST_TEST(endpoint_of(account_with({})) == "https://ec2.us-east-1.amazonaws.com");
    BOOST_TEST(endpoint_of(account_with({{"aws_region", "cn-north-1"}})) ==
               "https://ec2.cn-north-1.amazonaws.com.cn");
    BOOST_TEST(endpoint_of(account_with({{"api_endpoint", "http://127.0.0.1:5000/"}})) ==
               "http://127.0.0.1:5000");
}

BOOST_AUTO_TEST_CASE(an_account_is_named_by_key_and_region_and_never_by_its_secret) {
    BOOST_TEST(account_name_of(account_with({{"aws_region", "eu-west-1"}})) ==
               "AKIAEXAMPLE in eu-west-1");
    BOOST_TEST(account_name_of(account_with({{"aws_credentials", "instance_profile"}})) ==
               "instance profile in us-east-1");
    BOOST_TEST(account_name_of(account_with({{"api_endpoint", "https://cloud.example.org"}})) ==
               "AKIAEXAMPLE in us-east-1 at https://cloud.example.org");
}

BOOST_AUTO_TEST_CASE(a_request_is_a_signed_post_with_the_token_of_temporary_credentials) {
    Credentials credentials;
    credentials.access_key = "ASIAEXAMPLE";
    credentials.secret_key = base::Secret("secret");
    credentials.session = base::Secret("token");

    const auto request = signed_request(account_with({{"aws_region", "eu-west-1"}}), credentials,
                                        Query("DescribeRegions"));

    BOOST_TEST(request.method == "POST");
    BOOST_TEST(request.url == "https://ec2.eu-west-1.amazonaws.com/");
    BOOST_TEST(request.body == "Action=DescribeRegions&Version=2016-11-15");
    BOOST_REQUIRE(request.signing.has_value());
    BOOST_TEST(request.signing->service == "ec2");
    BOOST_TEST(request.signing->region == "eu-west-1");
    BOOST_TEST(request.signing->access_key == "ASIAEXAMPLE");
    BOOST_REQUIRE(request.headers.size() == 2U);
    BOOST_TEST(request.headers[1].first == "X-Amz-Security-Token");
}

BOOST_AUTO_TEST_SUITE_END()
