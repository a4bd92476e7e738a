#include "provisioner/providers/aws/launch.hpp"

#include <boost/test/unit_test.hpp>

#include <sstream>

using namespace provisioner;
using namespace provisioner::providers;
using namespace provisioner::providers::aws;

BOOST_AUTO_TEST_SUITE(aws_launch_requests)

namespace {

struct Wanted {
    Account account{};
    MachineSpec spec{};
    cloud::Placement placement{.flavor = "t3.micro", .zone = ""};
    std::string user_data = "#cloud-config\n";
    Launch launch{};

    Wanted() {
        account.installation = "0123456789abcdef";
        account.fields = base::Json::object();
        spec.name = "00000001-1";
        spec.task = 7;
        spec.cluster = "00000001";
        spec.hostname = "web1.example.org";
        launch.image = {.id = "ami-1",
                        .name = "debian",
                        .state = "available",
                        .root_device = "/dev/xvda",
                        .is_on_volume = true,
                        .root_size = 8,
                        .architecture = "x86_64"};
        launch.groups = {"sg-1", "sg-2"};
    }

    cloud::Order order() const {
        cloud::Order order{.account = account, .spec = spec};
        order.placement = placement;
        order.mark = cloud::mark_of(account, spec);
        order.part = "machine 0";
        order.user_data = user_data;
        return order;
    }

    /// The parameters of RunInstances whose names begin so, one a line.
    std::string lines(const std::string& prefix) const {
        std::istringstream form(run_instances(order(), launch).body());
        std::string text;
        for (std::string part; std::getline(form, part, '&');) {
            if (part.starts_with(prefix)) text += part + "\n";
        }
        return text;
    }
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_plain_machine_has_groups_token_and_data_of_its_own) {
    const Wanted wanted;

    BOOST_TEST(wanted.lines("ImageId") == "ImageId=ami-1\n");
    BOOST_TEST(wanted.lines("InstanceType") == "InstanceType=t3.micro\n");
    BOOST_TEST(wanted.lines("UserData") == "UserData=I2Nsb3VkLWNvbmZpZwo%3D\n");
    BOOST_TEST(wanted.lines("SecurityGroupId") ==
               "SecurityGroupId.1=sg-1\nSecurityGroupId.2=sg-2\n");
    BOOST_TEST(wanted.lines("NetworkInterface") == "");
    BOOST_TEST(wanted.lines("KeyName") == "");
    BOOST_TEST(wanted.lines("Placement") == "");
    BOOST_TEST(wanted.lines("MetadataOptions") == "MetadataOptions.HttpTokens=required\n");
}

BOOST_AUTO_TEST_CASE(tokens_differ_by_attempt_task_and_placement_and_by_nothing_else) {
    Wanted wanted;
    const std::string first = client_token(wanted.order());
    wanted.account.fields["spot"] = "true";
    BOOST_TEST(client_token(wanted.order()) == first);
    BOOST_TEST(first.size() <= 64U);

    wanted.spec.attempt = 2;
    const std::string second = client_token(wanted.order());
    wanted.spec.task = 8;
    const std::string third = client_token(wanted.order());
    cloud::Order other = wanted.order();
    other.part = "machine 1";

    BOOST_TEST(first != second);
    BOOST_TEST(second != third);
    BOOST_TEST(client_token(other) != third);
}

BOOST_AUTO_TEST_CASE(a_subnet_or_a_choice_of_addresses_stands_in_the_interface_with_the_groups) {
    Wanted wanted;
    wanted.placement.zone = "subnet-1";
    wanted.account.fields["associate_public_ip"] = true;

    BOOST_TEST(wanted.lines("NetworkInterface") ==
               "NetworkInterface.1.DeviceIndex=0\n"
               "NetworkInterface.1.SubnetId=subnet-1\n"
               "NetworkInterface.1.DeleteOnTermination=true\n"
               "NetworkInterface.1.AssociatePublicIpAddress=true\n"
               "NetworkInterface.1.SecurityGroupId.1=sg-1\n"
               "NetworkInterface.1.SecurityGroupId.2=sg-2\n");
    BOOST_TEST(wanted.lines("SecurityGroupId") == "");
    BOOST_TEST(wanted.lines("SubnetId") == "");
    BOOST_TEST(wanted.lines("Placement") == "");
}

BOOST_AUTO_TEST_CASE(the_root_disk_follows_the_fields_then_the_image) {
    Wanted wanted;
    BOOST_TEST(wanted.lines("BlockDevice") ==
               "BlockDeviceMapping.1.DeviceName=%2Fdev%2Fxvda\n"
               "BlockDeviceMapping.1.Ebs.VolumeSize=8\n"
               "BlockDeviceMapping.1.Ebs.DeleteOnTermination=true\n");
    wanted.account.fields["aws_ebs_size"] = "9";
    BOOST_TEST(wanted.lines("BlockDeviceMapping.1.Ebs.VolumeSize") ==
               "BlockDeviceMapping.1.Ebs.VolumeSize=9\n");
    wanted.account.fields["aws_root_ebs_size"] = "20";
    wanted.account.fields["aws_root_ebs_volume_type"] = "gp2";
    BOOST_TEST(wanted.lines("BlockDeviceMapping.1.Ebs.Volume") ==
               "BlockDeviceMapping.1.Ebs.VolumeSize=20\n"
               "BlockDeviceMapping.1.Ebs.VolumeType=gp2\n");
    wanted.launch.image.is_on_volume = false;
    BOOST_TEST(wanted.lines("BlockDevice") == "");
}

BOOST_AUTO_TEST_CASE(a_disk_that_is_kept_has_no_mark) {
    Wanted wanted;
    wanted.account.fields["aws_root_ebs_delete_on_term"] = false;

    BOOST_TEST(wanted.lines("BlockDeviceMapping.1.Ebs.Delete") ==
               "BlockDeviceMapping.1.Ebs.DeleteOnTermination=false\n");
    BOOST_TEST(wanted.lines("TagSpecification.2") ==
               "TagSpecification.2.ResourceType=volume\n"
               "TagSpecification.2.Tag.1.Key=Name\n"
               "TagSpecification.2.Tag.1.Value=web1.example.org\n");
    BOOST_TEST(wanted.lines("TagSpecification.1").find("cooperage-machine") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_made_is_refused_before_it_is_sent) {
    Wanted wanted;
    wanted.spec.hardware["aws_root_ebs_size"] = "7";
    BOOST_CHECK_THROW(wanted.lines(""), cloud::Refusal);
    wanted.spec.hardware.clear();
    wanted.user_data = std::string(16384, 'x');
    BOOST_CHECK_NO_THROW(wanted.lines(""));
    wanted.user_data += 'x';
    BOOST_CHECK_THROW(wanted.lines(""), cloud::Refusal);
}

BOOST_AUTO_TEST_CASE(spot_machines_profiles_and_placements_are_asked_for) {
    Wanted wanted;
    wanted.placement.zone = "eu-west-1b";
    wanted.account.fields = {{"spot", true},
                             {"dedicated_instance", "true"},
                             {"placement_group", "near"},
                             {"iam_instance_profile", "arn:aws:iam::1:instance-profile/app"}};

    BOOST_TEST(wanted.lines("InstanceMarketOptions") ==
               "InstanceMarketOptions.MarketType=spot\n"
               "InstanceMarketOptions.SpotOptions.SpotInstanceType=one-time\n"
               "InstanceMarketOptions.SpotOptions.InstanceInterruptionBehavior=terminate\n");
    BOOST_TEST(wanted.lines("Placement") ==
               "Placement.AvailabilityZone=eu-west-1b\n"
               "Placement.GroupName=near\n"
               "Placement.Tenancy=dedicated\n");
    BOOST_TEST(wanted.lines("IamInstanceProfile") ==
               "IamInstanceProfile.Arn=arn%3Aaws%3Aiam%3A%3A1%3Ainstance-profile%2Fapp\n");
    BOOST_TEST(wanted.lines("TagSpecification.4.ResourceType") ==
               "TagSpecification.4.ResourceType=spot-instances-request\n");
}

BOOST_AUTO_TEST_SUITE_END()
