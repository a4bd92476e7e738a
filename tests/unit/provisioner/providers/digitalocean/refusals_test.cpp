#include "provisioner/providers/digitalocean/refusals.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/base/json.hpp"

using namespace provisioner;
using namespace provisioner::providers;
using namespace provisioner::providers::digitalocean;
using base::Json;

BOOST_AUTO_TEST_SUITE(digitalocean_refusals)

const Catalogue catalogue{.regions = *base::parse_json(R"([{"slug": "nyc3", "available": true},
        {"slug": "nyc2", "available": false}, {"slug": "fra1", "available": true}])"),
                          .sizes = *base::parse_json(R"([
        {"slug": "s-1vcpu-1gb", "available": true, "disk": 25, "regions": ["nyc3", "fra1"]},
        {"slug": "g-2vcpu-8gb", "available": true, "disk": 25, "regions": ["fra1"]},
        {"slug": "gpu", "available": false, "disk": 720, "regions": []}])"),
                          .images = *base::parse_json(R"([
        {"id": 1, "slug": "debian-12-x64", "min_disk_size": 10, "regions": ["nyc3", "fra1"]},
        {"id": 900001, "slug": null, "name": "golden", "min_disk_size": 50,
         "regions": ["nyc3"]}])")};

/// What the refusal says; "" when nothing is wrong. NoCapacity begins with "no room: ".
std::string refusal(const std::string& region, const std::string& size, const std::string& image,
                    const Catalogue& known = catalogue) {
    try {
        explain_by_catalogue(known, {.flavor = size, .zone = region}, image);
    } catch (const cloud::NoCapacity& none) {
        return std::string("no room: ") + none.what();
    } catch (const cloud::Refusal& refused) {
        BOOST_TEST(!refused.refused().worth_retrying);
        BOOST_TEST(refused.refused().nothing_created);
        return refused.what();
    }
    return "";
}

BOOST_AUTO_TEST_CASE(nothing_is_wrong_with_what_exists) {
    BOOST_TEST(refusal("nyc3", "s-1vcpu-1gb", "debian-12-x64") == "");
    BOOST_TEST(refusal("nyc3", "s-1vcpu-1gb", "1") == "");
}

BOOST_AUTO_TEST_CASE(names_that_do_not_exist_come_with_near_ones) {
    BOOST_TEST(refusal("nyc33", "s-1vcpu-1gb", "1") ==
               "digitalocean_region: there is no region \"nyc33\"; near: nyc3, nyc2");
    BOOST_TEST(refusal("nyc3", "s-1vcpu-1g", "1") ==
               "flavor: there is no size \"s-1vcpu-1g\"; near: s-1vcpu-1gb");
    BOOST_TEST(refusal("nyc3", "s-1vcpu-1gb", "golden") ==
               "image: there is no image \"golden\"; near: 900001 (golden)");
}

BOOST_AUTO_TEST_CASE(want_of_room_says_where_there_is_some) {
    BOOST_TEST(refusal("nyc2", "s-1vcpu-1gb", "1") ==
               "no room: the region nyc2 takes no new droplets now; open are nyc3, fra1");
    BOOST_TEST(refusal("nyc3", "g-2vcpu-8gb", "1") ==
               "no room: droplets of size g-2vcpu-8gb cannot be made in nyc3 now; they can be made "
               "in fra1");
    BOOST_TEST(refusal("nyc3", "gpu", "1") ==
               "no room: droplets of size gpu cannot be made in nyc3 now");
}

BOOST_AUTO_TEST_CASE(images_that_do_not_fit_are_told_why) {
    BOOST_TEST(refusal("fra1", "s-1vcpu-1gb", "900001") ==
               "the image 900001 is not in the region fra1, only in nyc3: transfer it there first");
    BOOST_TEST(refusal("nyc3", "s-1vcpu-1gb", "900001") ==
               "the image 900001 needs a disk of 50 GB, and droplets of size s-1vcpu-1gb have 25 "
               "GB");
}

BOOST_AUTO_TEST_CASE(lists_that_a_token_may_not_read_explain_nothing) {
    BOOST_TEST(refusal("x", "y", "z", Catalogue{}) == "");
}

BOOST_AUTO_TEST_CASE(the_limit_of_droplets_has_its_numbers_where_they_are_known) {
    BOOST_TEST(droplet_limit_words(25, 24) ==
               "DigitalOcean's limit of droplets is reached: the account may have 25 and has 24; "
               "delete some, or ask DigitalOcean for a higher limit");
    BOOST_TEST(droplet_limit_words(-1, -1) ==
               "DigitalOcean's limit of droplets is reached; delete some, or ask DigitalOcean for "
               "a higher limit");
}

BOOST_AUTO_TEST_SUITE_END()
