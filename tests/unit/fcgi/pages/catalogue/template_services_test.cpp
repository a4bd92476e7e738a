#include "fcgi/pages/catalogue/template_services.hpp"

#include <boost/test/unit_test.hpp>

#include "fcgi/pages/catalogue/editors/edit_page.hpp"

using namespace fcgi::pages;
using provisioner::base::Json;
using provisioner::model::CatalogueKind;
using provisioner::operations::CatalogueEntries;

namespace {

Json a_template(const std::string& name, const char* services, const std::string& parent = "",
                const char* includes = "[]") {
    Json entry = {{"name", name}, {"description", ""}};
    entry["defaults"]["services"] = Json::parse(services);
    entry["includes"] = Json::array();
    for (const Json& include : Json::parse(includes)) {
        entry["includes"].push_back(Json{{"name", include}});
    }
    if (!parent.empty()) entry["extends"] = {{"name", parent}};
    return entry;
}

Json a_part(const std::string& name, const char* services) {
    Json entry = a_template(name, services);
    entry.erase("includes");
    entry["immutable"] = false;
    return entry;
}

}  // namespace

BOOST_AUTO_TEST_CASE(services_of_a_template_may_come_from_parents_and_partial_templates) {
    CatalogueEntries entries;
    entries[CatalogueKind::cluster_template] = {
        a_template("base", R"(["db"])"), a_template("middle", "[]", "base"),
        a_template("empty-base", "[]", "", R"(["gives"])"), a_template("circle", "[]", "circle")};
    entries[CatalogueKind::partial_template] = {a_part("gives", R"(["web"])"),
                                                a_part("nothing", "[]")};

    BOOST_TEST(lacks_default_services(entries, a_template("new", "[]")));
    BOOST_TEST(!lacks_default_services(entries, a_template("new", R"(["db"])")));
    BOOST_TEST(!lacks_default_services(entries, a_template("new", "[]", "middle")));
    BOOST_TEST(!lacks_default_services(entries, a_template("new", "[]", "empty-base")));
    BOOST_TEST(!lacks_default_services(entries, a_template("new", "[]", "", R"(["gives"])")));
    BOOST_TEST(lacks_default_services(entries, a_template("new", "[]", "", R"(["nothing"])")));
    BOOST_TEST(lacks_default_services(entries, a_template("new", "[]", "gone")));
    BOOST_TEST(lacks_default_services(entries, a_template("new", "[]", "circle")));
}

BOOST_AUTO_TEST_CASE(parts_and_parents_may_lack_services) {
    CatalogueEntries entries;
    entries[CatalogueKind::cluster_template] = {a_template("base", "[]"),
                                                a_template("child", R"(["db"])", "base")};

    BOOST_TEST(!lacks_default_services(entries, a_template("base", "[]")));
    BOOST_TEST(!lacks_default_services(entries, a_part("part", "[]")));
}

BOOST_AUTO_TEST_CASE(a_template_without_services_is_warned_of_on_its_page) {
    const auto warnings =
        warnings_about(CatalogueKind::cluster_template, a_template("new", "[]"), {});
    BOOST_REQUIRE(warnings.size() == 1U);
    BOOST_TEST(warnings[0] == words_on_lacking_services());
    BOOST_TEST(warnings_about(CatalogueKind::partial_template, a_part("p", "[]"), {}).empty());
}
