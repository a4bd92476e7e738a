#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "provisioner/base/json.hpp"
#include "provisioner/providers/digitalocean/api.hpp"
#include "provisioner/providers/digitalocean/replies.hpp"
#include "tests/integration/provisioner/providers/digitalocean/fixture.hpp"

using namespace provisioner;
using namespace provisioner::providers;
using base::Json;

namespace {

/// An answer of the real service that libcloud recorded, from the package that the stand-in has
/// installed.
Json recorded(const std::string& name) {
    for (const auto& version : std::filesystem::directory_iterator("var/digitalocean-python/lib")) {
        const auto path = version.path() / "site-packages/libcloud/test/compute/fixtures" /
                          "digitalocean_v2" / name;
        std::ostringstream text;
        text << std::ifstream(path).rdbuf();
        const auto json = base::parse_json(text.str());
        if (json) return *json;
    }
    BOOST_FAIL("libcloud has no recorded answer " + name);
    return {};
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(digitalocean_recorded_answers, tests::DigitalOceanSite)

BOOST_AUTO_TEST_CASE(a_droplet_that_libcloud_recorded_is_read) {
    const Json body = recorded("list_nodes.json");

    const auto machine = digitalocean::machine_in(body["droplets"][0], true);

    BOOST_TEST(machine.id == "3164444");
    BOOST_TEST((machine.state == cloud::CloudMachine::State::running));
    BOOST_TEST(machine.addresses.at("access_v4") == "128.199.13.158");
    BOOST_TEST(machine.addresses.at("bind_v4") == "10.124.0.2");
    BOOST_TEST(machine.addresses.at("access_v6") == "2604:a880:4:1d0::142:9000");
    // It is somebody else's.
    BOOST_TEST(digitalocean::machines_in(body["droplets"], account.installation, true).empty());
}

BOOST_AUTO_TEST_CASE(errors_that_libcloud_recorded_are_read) {
    digitalocean::Answer answer;
    answer.status = 422;
    answer.body = recorded("error_invalid_image.json");
    BOOST_TEST(answer.message() == "You specified an invalid image for Droplet creation.");
    answer.body = recorded("error.json");
    BOOST_TEST(answer.message() == "Unable to authenticate you.");
}

BOOST_AUTO_TEST_CASE(keys_sizes_and_regions_that_libcloud_recorded_are_read) {
    const auto names = [](const char* file, const char* member, const char* text) {
        return digitalocean::texts_of(recorded(file)[member], text);
    };
    BOOST_TEST(names("list_key_pairs.json", "ssh_keys", "name").at(0) == "test1");
    BOOST_TEST(!names("list_sizes.json", "sizes", "slug").empty());
    BOOST_TEST(!names("list_locations.json", "regions", "slug").empty());
    BOOST_TEST(!names("list_images.json", "images", "name").empty());
}

BOOST_AUTO_TEST_SUITE_END()
