#include "provisioner/operations/catalogue/edit.hpp"

#include <boost/test/unit_test.hpp>

using provisioner::base::Json;
using provisioner::model::CatalogueKind;
using provisioner::operations::canonical_entry;

namespace {

Json image(const std::string& key, std::size_t length) {
    return {{"name", "deb"}, {"providermap", {{"cloud", {{key, std::string(length, 'x')}}}}}};
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_nodes_keep_of_a_provider_map_has_to_fit_their_columns) {
    for (const CatalogueKind kind : {CatalogueKind::hardware_type, CatalogueKind::image_type}) {
        for (const char* key : {"flavor", "image", "sshuser"}) {
            BOOST_TEST(canonical_entry(kind, image(key, 255)).has_value());
            const auto entry = canonical_entry(kind, image(key, 256));
            BOOST_REQUIRE(!entry.has_value());
            BOOST_TEST(entry.error().front().field == std::string("providermap.cloud.") + key);
            BOOST_TEST(entry.error().front().message ==
                       std::string(key) + " of provider cloud must not exceed 255 characters.");
        }
        BOOST_TEST(canonical_entry(kind, image("other", 5000)).has_value());
    }
}

namespace {

Json names(std::size_t count) {
    Json all = Json::array();
    for (std::size_t i = 0; i < count; ++i) all.push_back("service" + std::to_string(i));
    return all;
}

Json entries(std::size_t count) {
    Json all = Json::object();
    for (const Json& name : names(count)) {
        all[name.get<std::string>()] = {{"quantities", {{"min", 1}}}};
    }
    return all;
}

Json groups(std::size_t count, std::size_t members) {
    Json all = Json::array();
    for (std::size_t i = 0; i < count; ++i) {
        Json group = names(members);
        group[0] = "first" + std::to_string(i);
        all.push_back(group);
    }
    return all;
}

Json a_template(const Json& defaults, const Json& compatibility, const Json& constraints) {
    return {{"name", "web"},
            {"defaults", {{"services", defaults}, {"provider", "cloud"}}},
            {"compatibility", {{"services", compatibility}}},
            {"constraints", constraints}};
}

Json of_kind(CatalogueKind kind, Json made) {
    if (kind == CatalogueKind::partial_template) made["immutable"] = false;
    return made;
}

void check_refused(const Json& made, const std::string& field, const std::string& message) {
    for (const auto kind : {CatalogueKind::cluster_template, CatalogueKind::partial_template}) {
        const auto entry = canonical_entry(kind, of_kind(kind, made));
        BOOST_REQUIRE(!entry.has_value());
        BOOST_REQUIRE(entry.error().size() == 1U);
        BOOST_TEST(entry.error()[0].field == field);
        BOOST_TEST(entry.error()[0].message == message);
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(templates_have_room_for_far_more_than_people_write_and_no_more) {
    const Json none = Json::array();
    const auto layout = [](const char* kind, const Json& all) {
        return Json{{"layout", {{kind, all}}}};
    };
    const auto full = a_template(
        names(1000), names(1000),
        {{"services", entries(1000)},
         {"layout", {{"mustcoexist", groups(10'000, 2)}, {"cantcoexist", groups(10'000, 2)}}}});
    for (const auto kind : {CatalogueKind::cluster_template, CatalogueKind::partial_template}) {
        BOOST_TEST(canonical_entry(kind, of_kind(kind, full)).has_value());
    }

    const std::string services = "has 1001 services; a template may have at most 1000";
    check_refused(a_template(names(1001), none, Json::object()), "defaults.services", services);
    check_refused(a_template(none, names(1001), Json::object()), "compatibility.services",
                  services);
    check_refused(a_template(none, none, {{"services", entries(1001)}}), "constraints.services",
                  services);
    for (const char* kind : {"mustcoexist", "cantcoexist"}) {
        const std::string field = std::string("constraints.layout.") + kind;
        check_refused(a_template(none, none, layout(kind, groups(10'001, 1))), field,
                      "has 10001 groups; a template may have at most 10000");
        check_refused(a_template(none, none, layout(kind, groups(201, 100))), field,
                      "has 20100 names in its groups; a template may have at most 20000");
    }
}

BOOST_AUTO_TEST_CASE(what_is_wrong_with_an_entry_is_said_at_once) {
    using provisioner::operations::problems_with_entry;
    Json type = image("image", 256);
    type["name"] = "-deb";
    type["label"] = Json::array();
    const Json good{{"name", "web"}};

    std::vector<std::string> fields;
    for (const auto& problem : problems_with_entry(CatalogueKind::image_type, type)) {
        fields.push_back(problem.field);
    }

    const std::vector<std::string> expected{"label", "name", "providermap.cloud.image"};
    BOOST_TEST(fields == expected, boost::test_tools::per_element());
    BOOST_TEST(problems_with_entry(CatalogueKind::cluster_template, good).empty());
    BOOST_TEST(!problems_with_entry(CatalogueKind::provider, Json::array()).empty());
}

BOOST_AUTO_TEST_CASE(a_write_that_is_based_on_another_entry_or_version_is_a_conflict) {
    using provisioner::model::PresentVersion;
    using provisioner::model::SeenVersion;
    const auto told = [](const PresentVersion& present, const std::optional<SeenVersion>& seen) {
        const auto conflict = provisioner::operations::conflict_with(
            present, CatalogueKind::service, "web", {.based_on = seen});
        return conflict ? conflict->problems.front().message : "";
    };
    const PresentVersion second{.seen = {.version = 2, .line = 20}};
    PresentVersion anew = second;
    anew.begun = {.id = 18, .version = 1, .written_by = "grace"};
    const PresentVersion gone{.seen = {.version = 0, .line = 30}};

    BOOST_TEST(told(second, SeenVersion{}) ==
               "service web was created meanwhile: version 2 is in force. Look at what changes.");
    BOOST_TEST(told(anew, SeenVersion{}) ==
               "service web was created meanwhile by grace: version 2 is in force. Look at what "
               "changes.");
    BOOST_TEST(told(gone, SeenVersion{}) == "");
    BOOST_TEST(told(gone, SeenVersion{.version = 0, .line = 12}) == "");
    BOOST_TEST(told(second, SeenVersion{.version = 2}) == "");
    BOOST_TEST(told(second, SeenVersion{.version = 2, .line = 20}) == "");
    BOOST_TEST(told(anew, SeenVersion{.version = 2, .line = 12}) ==
               "service web was deleted and created anew by grace meanwhile. Look at what "
               "changes.");
    // The second version was deleted, and written anew.
    BOOST_TEST(told(second, SeenVersion{.version = 2, .line = 12}) ==
               "service web was changed meanwhile. Look at what changes.");
    BOOST_TEST(told(second, SeenVersion{.version = 1}) ==
               "service web was changed meanwhile: version 2 is in force, and this is based on "
               "version 1.");
    BOOST_TEST(told(gone, SeenVersion{.version = 1}) == "service web was deleted meanwhile.");
    BOOST_TEST(told(second, std::nullopt) == "");
}
