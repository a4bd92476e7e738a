#include "provisioner/providers/clouds.hpp"

#include "provisioner/providers/aws/aws_cloud.hpp"
#include "provisioner/providers/cloud/cloud_provider.hpp"
#include "provisioner/providers/cloudstack/cloudstack_cloud.hpp"
#include "provisioner/providers/digitalocean/digitalocean_cloud.hpp"
#include "provisioner/providers/google/google_cloud.hpp"
#include "provisioner/providers/joyent/joyent_cloud.hpp"
#include "provisioner/providers/openstack/openstack_cloud.hpp"
#include "provisioner/providers/rackspace/rackspace_cloud.hpp"

namespace provisioner::providers {

std::vector<std::unique_ptr<Provider>> all_clouds(cloud::Tools tools) {
    std::vector<std::unique_ptr<Provider>> clouds;
    const auto add = [&](std::unique_ptr<cloud::Cloud> cloud) {
        clouds.push_back(cloud::provider_of(std::move(cloud), tools.own_network));
    };
    add(google::make_google(tools));
    add(std::make_unique<aws::AwsCloud>(tools));
    add(std::make_unique<cloudstack::CloudStackCloud>(tools));
    add(std::make_unique<digitalocean::DigitalOceanCloud>(tools));
    add(std::make_unique<joyent::JoyentCloud>(tools));
    add(std::make_unique<openstack::OpenStackCloud>(tools));
    add(std::make_unique<rackspace::RackspaceCloud>(tools));
    return clouds;
}

}  // namespace provisioner::providers
