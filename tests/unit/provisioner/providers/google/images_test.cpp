#include "provisioner/providers/google/images.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/unit/provisioner/providers/google/orders.hpp"

using namespace tests;
using namespace provisioner::providers;

BOOST_AUTO_TEST_SUITE(google_images)

BOOST_AUTO_TEST_CASE(an_image_is_named_in_many_ways) {
    const std::vector<std::pair<std::string, std::string>> ways{
        {"debian-12", "projects/debian-cloud/global/images/family/debian-12"},
        {"debian-12-bookworm-v20240515",
         "projects/debian-cloud/global/images/debian-12-bookworm-v20240515"},
        {"ubuntu-2204-lts", "projects/ubuntu-os-cloud/global/images/family/ubuntu-2204-lts"},
        {"rocky-linux-9", "projects/rocky-linux-cloud/global/images/family/rocky-linux-9"},
        {"web", "projects/acme-1/global/images/web"},
        {"acme-images/web", "projects/acme-images/global/images/family/web"},
        {"acme-images/web-v20240515", "projects/acme-images/global/images/web-v20240515"},
        {"global/images/web", "projects/acme-1/global/images/web"},
        {"projects/x/global/images/family/web", "projects/x/global/images/family/web"},
        {"https://www.googleapis.com/compute/v1/projects/x/global/images/web",
         "projects/x/global/images/web"}};
    for (const auto& [text, link] : ways) {
        BOOST_TEST(google::image_place(text, "acme-1").link() == link);
    }
}

BOOST_AUTO_TEST_CASE(the_image_type_says_best_whether_cloud_init_runs) {
    auto account = google_account({{"cloud_init", "true"}});
    auto spec = google_spec();
    BOOST_TEST(!google::image_runs_cloud_init(account, spec), "Debian's images have an agent");
    spec.hardware["cloud_init"] = "true";
    BOOST_TEST(google::image_runs_cloud_init(account, spec));
    spec.hardware["cloud_init"] = "";
    spec.image = "ubuntu-2204-lts";
    BOOST_TEST(google::image_runs_cloud_init(account, spec));
    account.fields["cloud_init"] = "false";
    BOOST_TEST(!google::image_runs_cloud_init(account, spec));
}

BOOST_AUTO_TEST_SUITE_END()
