#include "fcgi/pages/labels.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <regex>

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

BOOST_AUTO_TEST_CASE(what_services_provide_is_called_by_their_labels) {
    provisioner::model::Cluster cluster;
    const auto add = [&](const std::string& name, const std::string& label,
                         const std::vector<std::string>& provides) {
        provisioner::model::Service service;
        service.header.name = name;
        service.header.label = label;
        service.dependencies.provides = provides;
        cluster.snapshot.services.push_back(service);
    };
    add("ten-app", "Application", {});
    add("ten-database", "Database", {"ten-sql", "ten-app"});
    add("ten-lite", "Lite", {"ten-sql"});

    BOOST_TEST(words(texts_of_provided(cluster)) == "ten-sql: Database or Lite");
    Labels labels;
    labels.add(CatalogueKind::service, texts_of_services(cluster));
    labels.add(CatalogueKind::service, texts_of_provided(cluster));
    BOOST_TEST(labels.in("ten-app requires ten-sql, which would not be on the cluster.") ==
               "Application requires Database or Lite, which would not be on the cluster.");
}

BOOST_AUTO_TEST_CASE(a_service_that_is_called_like_a_word_makes_no_nonsense_of_sentences) {
    Labels labels;
    labels.add(CatalogueKind::service,
               {{"on", "Switch"}, {"start", "Starter"}, {"db", "Database"}});

    BOOST_TEST(labels.in("db is on 1 machine and needs at least 1.") ==
               "Database is on 1 machine and needs at least 1.");
    BOOST_TEST(labels.in("Service on is not on the cluster.") ==
               "Service Switch is not on the cluster.");
    BOOST_TEST(labels.in("start db") == "start Database");
}

BOOST_AUTO_TEST_CASE(types_have_their_labels_and_other_things_their_names) {
    Labels labels;
    labels.add(CatalogueKind::service, {{"web", "Web server"}, {"small", "Little service"}});
    labels.add(CatalogueKind::hardware_type, {{"small", "Small, 2 cores"}, {"web", "Web machine"}});
    labels.add(CatalogueKind::image_type, {{"deb", "Debian 12"}});

    BOOST_TEST(labels.in("web runs only on hardware type small or web.") ==
               "Web server runs only on hardware type Small, 2 cores or Web machine.");
    BOOST_TEST(labels.in("deb is the only image type this cluster can have.") ==
               "Debian 12 is the only image type this cluster can have.");
    BOOST_TEST(labels.in("Hardware type small has no flavor for provider web.") ==
               "Hardware type Small, 2 cores has no flavor for provider web.");
    BOOST_TEST(labels.in("Template web allows no image type that provider web has an image for.") ==
               "Template web allows no image type that provider web has an image for.");
}

BOOST_AUTO_TEST_CASE(the_words_of_sentences_are_known) {
    // A service that is called like any word of their texts keeps its name.
    for (const char* folder : {"provisioner/solver", "provisioner/operations/changes"}) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
            if (entry.path().extension() != ".cpp") continue;
            std::ifstream file(entry.path());
            for (std::string line; std::getline(file, line);) {
                const auto comment = line.find("//");
                if (line.starts_with("#") || comment != std::string::npos) continue;
                const std::regex literal("\"([^\"]*)\"");
                for (std::sregex_iterator found(line.begin(), line.end(), literal), end;
                     found != end; ++found) {
                    const std::string text = (*found)[1];
                    const std::regex letters("[A-Za-z]+");
                    for (std::sregex_iterator word(text.begin(), text.end(), letters);
                         word != std::sregex_iterator(); ++word) {
                        std::string name = word->str();
                        std::ranges::transform(name, name.begin(),
                                               [](unsigned char c) { return std::tolower(c); });
                        Labels labels;
                        labels.add(CatalogueKind::service, {{name, "?"}});
                        BOOST_TEST(labels.in(name) == name, entry.path() << ": " << name);
                    }
                }
            }
        }
    }
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
