#include "fcgi/pages/catalogue/files/given_files.hpp"

#include <boost/test/unit_test.hpp>

#include "fcgi/pages/catalogue/editors/edit_page.hpp"
#include "fcgi/pages/catalogue/template_checks.hpp"

using namespace fcgi::pages;
using provisioner::base::Json;
using provisioner::model::CatalogueKind;

namespace {

GivenFiles some_files() {
    GivenFiles given;
    auto& type = given.automator_types.emplace_back();
    type.header.name = "shell";
    type.admin.fields.emplace_back().name = "script";
    type.resource_types.emplace_back().name = "scripts";
    given.files["shell/scripts"] = {"db.sh"};
    return given;
}

/// Web, whose two actions run a script, and a template that has it by default.
provisioner::operations::CatalogueEntries a_site(const std::string& script) {
    const Json action{{"type", "shell"}, {"fields", {{"script", script}}}};
    Json web{{"name", "web"}, {"label", "Web"}};
    web["provisioner"]["actions"] = {{"install", action}, {"start", action}};
    Json shop{{"name", "shop"}};
    shop["defaults"]["services"] = {"web"};
    return {{CatalogueKind::service, {web}}, {CatalogueKind::cluster_template, {shop}}};
}

std::vector<std::string> words_with(const std::string& script, const GivenFiles& given) {
    const auto all = a_site(script);
    return words_on_lacking_files(all, services_lacking_files(all, given),
                                  all.at(CatalogueKind::cluster_template).front());
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_template_says_which_file_its_default_services_lack) {
    const std::vector<std::string> expected{
        "Its default service Web needs web.sh, which is not among the files that machines get."};

    BOOST_TEST(words_with("web.sh", some_files()) == expected, boost::test_tools::per_element());
    BOOST_TEST(words_with("db.sh", some_files()).empty());
    BOOST_TEST(words_with("%name%.sh", some_files()).empty());
}

BOOST_AUTO_TEST_CASE(a_file_that_a_default_service_lacks_is_to_be_checked_before_users_get_it) {
    const auto told_with = [](const std::string& script) {
        const EditContext context{.entries = a_site(script), .given = some_files()};
        const auto& shop = context.entries.at(CatalogueKind::cluster_template).front();
        return told_of_template(
            context, CatalogueKind::cluster_template, shop,
            {.warnings = {"2 machines: not possible."}, .is_about_sizes = true});
    };

    const auto lacking = told_with("web.sh");
    const auto given = told_with("db.sh");

    BOOST_REQUIRE(lacking.size() == given.size() + 1);
    BOOST_TEST(lacking.back() == words_with("web.sh", some_files()).front());
    BOOST_TEST(given.back() == "2 machines: not possible.");
}

BOOST_AUTO_TEST_CASE(
    files_lack_also_where_none_of_their_type_is_in_use_but_not_where_there_is_none) {
    auto given = some_files();
    given.files["shell/scripts"].clear();
    BOOST_TEST(words_with("web.sh", given).size() == 1U);

    given.files.clear();
    BOOST_TEST(words_with("web.sh", given).empty());
}
