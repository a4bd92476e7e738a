#include "fcgi/pages/labels.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(labels_of_entries)

namespace {

using namespace fcgi::pages;
using provisioner::model::CatalogueKind;

std::string words(const NamedTexts& texts) {
    std::string all;
    for (const auto& [name, text] : texts) all += (all.empty() ? "" : "; ") + name + ": " + text;
    return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(people_read_the_label_and_the_name_where_there_is_none) {
    BOOST_TEST(words(told_apart(NamedTexts{{"small", "Small, 2 cores"}, {"large", ""}})) ==
               "small: Small, 2 cores; large: large");
}

BOOST_AUTO_TEST_CASE(entries_that_would_read_the_same_have_their_names_beside_the_label) {
    BOOST_TEST(words(told_apart(NamedTexts{{"a", "Small"}, {"b", "Small"}, {"c", "Large"}})) ==
               "a: Small (a); b: Small (b); c: Large");
    // A label that is the name of another entry.
    BOOST_TEST(words(told_apart(NamedTexts{{"small", ""}, {"tiny", "small"}})) ==
               "small: small; tiny: small (tiny)");
}

BOOST_AUTO_TEST_CASE(kinds_have_labels_of_their_own_and_unknown_names_stay) {
    Labels labels;
    labels.add(CatalogueKind::service, {{"web", "Web server"}});
    labels.add(CatalogueKind::hardware_type, {{"web", "Machine for the web"}});

    BOOST_TEST(labels.service("web") == "Web server");
    BOOST_TEST(labels.hardware_type("web") == "Machine for the web");
    BOOST_TEST(labels.image_type("web") == "web");
    const auto services = labels.services({"db", "web"});
    BOOST_TEST(services.front() == "db");
    BOOST_TEST(services.back() == "Web server");
}

BOOST_AUTO_TEST_CASE(sentences_have_labels_and_paths_have_names) {
    Labels labels;
    labels.add(CatalogueKind::service, {{"web-balancer", "Load balancer"}, {"web", "Web server"}});

    BOOST_TEST(labels.in("web-balancer requires web, which is not on the cluster.") ==
               "Load balancer requires Web server, which is not on the cluster.");
    BOOST_TEST(labels.in("It needs web.") == "It needs Web server.");
    BOOST_TEST(labels.in("config/cluster/web/port must be a port") ==
               "config/cluster/web/port must be a port");
    BOOST_TEST(labels.in("webs and my-web stay") == "webs and my-web stay");
    BOOST_TEST(labels.in("") == "");
    const auto problems = labels.in(provisioner::base::Problems{{"services", "no web"}});
    BOOST_TEST(problems.front().message == "no Web server");
    BOOST_TEST(problems.front().field == "services");
}

BOOST_AUTO_TEST_CASE(services_of_a_cluster_have_the_labels_that_it_was_made_with) {
    provisioner::model::Cluster cluster;
    cluster.snapshot.services.resize(2);
    cluster.snapshot.services[0].header.name = "web";
    cluster.snapshot.services[0].header.label = "Web server";
    cluster.snapshot.services[1].header.name = "db";

    BOOST_TEST(words(texts_of_services(cluster)) == "web: Web server; db: db");
}

BOOST_AUTO_TEST_SUITE_END()
