#include <boost/test/unit_test.hpp>

#include <fstream>
#include <set>
#include <sstream>

#include "tests/integration/provisioner/providers/google/google_site.hpp"

using namespace tests;

BOOST_AUTO_TEST_SUITE(google_permissions)

namespace {

/// The permissions in the README of the provider: the lines of its role that begin with "- ".
std::vector<std::string> permissions_of_the_readme() {
    std::ifstream file("provisioner/providers/google/README.md");
    std::vector<std::string> permissions;
    std::string line;
    while (std::getline(file, line)) {
        const auto found = line.find("- compute.");
        if (found != std::string::npos) permissions.push_back(line.substr(found + 2));
    }
    return permissions;
}

void do_everything(GoogleSite& site, const providers::Account& account) {
    for (const char* image : {"ubuntu-2204-lts", "debian-12"}) {
        auto spec = GoogleSite::small();
        spec.image = image;
        site.start(account, spec);
        auto more = GoogleSite::small(1002, 11);
        more.image = image;
        more.open_ports = {"443/tcp"};
        site.start(account, more);
        site.answer(site.provider().machines(account));
        site.end(account, spec);
        site.end(account, more);
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_permissions_of_the_readme_are_enough_and_all_of_them_are_needed) {
    GoogleSite site;
    site.hurry();
    const auto listed = permissions_of_the_readme();
    BOOST_REQUIRE(listed.size() > 10U);
    site.key_file = base::to_text(site.key(Json(listed)));
    const auto account = site.account();

    do_everything(site, account);
    const auto tested = site.answer(site.provider().test(account));
    BOOST_TEST(std::holds_alternative<providers::Offer>(tested));
    // A disk that is there already, and a wrong name: what else may be asked for.
    site.control("POST", "/-/disk",
                 R"({"project": "acme-1", "zone": "us-central1-a", "disk": {"name":
                 "cooperage-01234567-00000001-1001-10-1-data", "sizeGb": "200"}})");
    site.start(account, GoogleSite::small());
    site.end(account, GoogleSite::small());

    // A machine that somebody deleted by hand, so that its disks are left.
    site.start(account, GoogleSite::small(1003, 12));
    site.control("POST", "/-/abandon",
                 R"({"project": "acme-1", "instance": "cooperage-01234567-00000001-1003-12-1"})");
    site.end(account, GoogleSite::small(1003, 12));

    const auto used = base::strings_of(base::member(site.calls(), "permissions"));
    const std::set<std::string> needed(used.begin(), used.end());
    for (const std::string& permission : listed) {
        BOOST_TEST(needed.contains(permission), permission << " is not needed");
    }
    BOOST_TEST(site.state().at("disks").empty());
}

BOOST_AUTO_TEST_CASE(a_permission_that_is_missing_is_named) {
    GoogleSite site;
    auto listed = permissions_of_the_readme();
    std::erase(listed, "compute.instances.setLabels");
    site.key_file = base::to_text(site.key(Json(listed)));
    const std::string said = refusal_of(site.make(site.account(), GoogleSite::small()));
    BOOST_TEST(has(said, "Required 'compute.instances.setLabels' permission"));
}

BOOST_AUTO_TEST_SUITE_END()
