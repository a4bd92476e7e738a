#include <boost/test/unit_test.hpp>

#include "fcgi/pages/catalogue/editors/edit_page.hpp"
#include "fcgi/pages/catalogue/editors/parts.hpp"

BOOST_AUTO_TEST_SUITE(providers_of_a_type)

using namespace fcgi::pages;
using namespace provisioner::model;
using fcgi::http::FormData;
using provisioner::base::Json;

namespace {

EditPage small_with(const std::vector<std::string>& providers) {
    EditPage page{.kind = CatalogueKind::hardware_type};
    for (const auto& name : providers) {
        page.context.entries[CatalogueKind::provider].push_back(
            Json{{"name", name}, {"providertype", "existing"}});
    }
    page.entry = Json::parse(R"({"name":"small","providermap":{"b":{"flavor":"m1"}}})");
    return page;
}

Json mapped(const EditPage& page) {
    std::vector<NamedControl> controls;
    return mapped_part(page, controls);
}

std::string row_names(const Json& part) {
    std::string names;
    for (const Json& row : part.at("rows")) names += row.at("provider").get<std::string>() + ' ';
    return names;
}

/// The row for one more provider, with this choice.
FormData with_added(const std::string& provider, const std::string& flavor,
                    const std::string& more) {
    FormData sent;
    sent.fields = {{"name", "small"},
                   {"providermap.b.flavor", ""},
                   {"added_provider", provider},
                   {"providermap.*.flavor", flavor},
                   {"providermap.*.more", more}};
    return sent;
}

}  // namespace

BOOST_AUTO_TEST_CASE(only_providers_in_use_have_rows_and_others_are_offered) {
    const Json part = mapped(small_with({"a", "b", "c"}));

    BOOST_TEST(row_names(part) == "b ");
    const Json& options = part.at("added").at("choice").at("options");
    BOOST_REQUIRE(options.size() == 3);
    BOOST_TEST(options[1].at("value") == "a");
    BOOST_TEST(options[2].at("value") == "c");
    BOOST_TEST(mapped(small_with({"b"})).at("added").is_null());
}

BOOST_AUTO_TEST_CASE(a_single_provider_has_a_row_at_once) {
    EditPage page = small_with({"a"});
    page.entry.erase("providermap");

    BOOST_TEST(row_names(mapped(page)) == "a ");
}

BOOST_AUTO_TEST_CASE(an_added_provider_is_saved_without_another_step) {
    EditPage page = small_with({"a", "b", "c"});
    const auto sent = with_added("c", "big", "cpus=2");

    page.entry = entry_in_form(page.kind, sent, page.entry, page.context);
    read_rows(sent, page);

    BOOST_TEST(page.entry.at("providermap").dump() == R"({"c":{"flavor":"big","cpus":"2"}})");
    // The emptied row stays until the form is saved.
    BOOST_TEST(row_names(mapped(page)) == "b c ");
    BOOST_TEST(problems_in_lines(sent).empty());
}

BOOST_AUTO_TEST_CASE(settings_without_a_provider_are_refused_and_not_lost) {
    EditPage page = small_with({"a", "b", "c"});
    const auto sent = with_added("", "big", "cpus");

    const auto problems = problems_in_lines(sent);
    page.problems = problems;
    read_rows(sent, page);
    const Json added = mapped(page).at("added");

    BOOST_REQUIRE(problems.size() == 2);
    BOOST_TEST(problems[0].field == "providermap.*.more");
    BOOST_TEST(problems[1].field == "added_provider");
    BOOST_TEST(added.at("inputs")[0].at("value") == "big");
    BOOST_TEST(added.at("more").at("value") == "cpus");
    BOOST_TEST(added.at("more").at("problem") == "Line 1 is not name=value.");
    BOOST_TEST(added.at("choice").at("problem") == "Choose the provider of these settings.");
}

BOOST_AUTO_TEST_CASE(a_wrong_line_of_an_added_provider_is_told_in_its_row) {
    const auto problems = problems_in_lines(with_added("c", "", "cpus"));

    BOOST_REQUIRE(problems.size() == 1);
    BOOST_TEST(problems[0].field == "providermap.c.more");
}

BOOST_AUTO_TEST_CASE(a_row_without_a_flavor_is_refused_and_an_emptied_one_is_not) {
    const auto problems = problems_in_rows(with_added("c", "", ""), CatalogueKind::hardware_type);
    BOOST_REQUIRE(problems.size() == 1);
    BOOST_TEST(problems[0].field == "providermap.c.flavor");

    BOOST_TEST(problems_in_rows(with_added("c", "big", ""), CatalogueKind::hardware_type).empty());
    BOOST_TEST(problems_in_rows(with_added("", "", ""), CatalogueKind::hardware_type).empty());
    BOOST_TEST(problems_in_rows(with_added("c", "", ""), CatalogueKind::service).empty());
}

BOOST_AUTO_TEST_CASE(an_ssh_user_needs_an_image_beside_it) {
    FormData sent;
    sent.fields = {{"providermap.b.image", " "}, {"providermap.b.sshuser", "admin"}};

    const auto problems = problems_in_rows(sent, CatalogueKind::image_type);

    BOOST_REQUIRE(problems.size() == 1);
    BOOST_TEST(problems[0].field == "providermap.b.image");
}

BOOST_AUTO_TEST_SUITE_END()
