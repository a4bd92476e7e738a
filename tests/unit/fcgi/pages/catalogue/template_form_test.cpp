#include "fcgi/pages/catalogue/builder/template_form.hpp"

#include <boost/test/unit_test.hpp>
#include <set>

#include "fcgi/pages/catalogue/builder/json_text.hpp"
#include "fcgi/pages/catalogue/builder/sizes.hpp"
#include "fcgi/pages/catalogue/builder/template_page.hpp"
#include "fcgi/pages/catalogue/builder/touched.hpp"
#include "provisioner/solver/changes/changes.hpp"

using namespace fcgi::pages;
using namespace provisioner::model;
using provisioner::base::Json;
using provisioner::operations::SizeAnswer;
using provisioner::solver::ClusterLayout;
using provisioner::solver::TemplatePart;

namespace {

ClusterTemplate full_template() {
    ClusterTemplate made;
    made.header.name = "shop";
    made.header.label = "Shop";
    made.header.version = 7;
    made.defaults.services = {"db", "web"};
    made.defaults.provider = "local";
    made.defaults.config = {{"a", {{"b", 1}}}};
    made.compatibility.hardware_types = {"small"};
    made.constraints.size_min = 2;
    made.constraints.size_max = 9;
    made.constraints.must_coexist = {{"cache", "web"}};
    made.constraints.cant_coexist = {{"db", "web"}, {"db", "cache"}};
    made.constraints.services = {
        {"db", {.hardware_types = {"small"}, .image_types = {}, .min = 1, .max = 2}}};
    made.lease.initial = std::chrono::milliseconds(90'061'007);
    made.links = {{"Shop", "http://example.com"}};
    made.extends = "base";
    made.includes = {"one", "two"};
    return made;
}

TemplateForm full_form() {
    return template_form_of(CatalogueKind::cluster_template, full_template());
}

std::vector<SizeAnswer> sizes_with(const std::vector<std::pair<int, int>>& dbs_and_webs) {
    std::vector<SizeAnswer> sizes;
    for (const auto& [dbs, webs] : dbs_and_webs) {
        SizeAnswer size{.machines = dbs + webs};
        ClusterLayout layout;
        if (dbs > 0) layout.groups.push_back({"small", "debian", {"db"}, dbs});
        if (webs > 0) layout.groups.push_back({"small", "debian", {"web"}, webs});
        size.layout = layout;
        sizes.push_back(size);
    }
    return sizes;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(template_form_test)

BOOST_AUTO_TEST_CASE(a_template_survives_the_form) {
    const auto document = template_document(full_form());
    BOOST_REQUIRE(document.has_value());
    auto expected = to_json(full_template());
    expected.erase("version");
    BOOST_TEST(document->dump() == expected.dump());
}

BOOST_AUTO_TEST_CASE(boxes_in_the_order_of_the_catalogue_change_no_order_of_the_template) {
    ClusterTemplate stored = full_template();
    stored.compatibility.services = {"web", "db", "cache"};
    stored.constraints.services.front().second.hardware_types = {"small", "large"};
    const TemplateForm before = template_form_of(CatalogueKind::cluster_template, stored);
    TemplateForm form = before;
    form.fit_services = {"cache", "db", "queue", "web"};
    for (auto& group : form.groups) std::ranges::sort(group.services);
    form.groups.front().services = {"queue", "web"};
    form.limits.front().hardware_types = {"large", "medium", "small"};

    keep_order(form, before);

    BOOST_TEST((form.fit_services == std::vector<std::string>{"web", "db", "cache", "queue"}));
    BOOST_TEST((form.groups[0].services == std::vector<std::string>{"queue", "web"}));
    BOOST_TEST((form.groups[1].services == std::vector<std::string>{"db", "web"}));
    BOOST_TEST((form.groups[2].services == std::vector<std::string>{"db", "cache"}));
    BOOST_TEST(
        (form.limits[0].hardware_types == std::vector<std::string>{"small", "large", "medium"}));
}

BOOST_AUTO_TEST_CASE(a_row_without_its_service_is_a_problem_and_is_not_lost) {
    auto form = full_form();
    form.groups.push_back({});
    form.limits.push_back({});
    const auto document = template_document(form);

    BOOST_REQUIRE(!document.has_value());
    BOOST_REQUIRE(document.error().size() == 2U);
    BOOST_TEST(document.error()[0].field == "group.3.services");
    BOOST_TEST(document.error()[1].field == "limit.1.service");
}

BOOST_AUTO_TEST_CASE(rows_in_which_nothing_is_chosen_yet_do_not_keep_from_a_preview) {
    auto form = full_form();
    form.groups.insert(form.groups.begin(), {.is_together = false, .services = {}});
    form.limits.insert(form.limits.begin(), TemplateForm::Limit{});

    const auto made = template_in(form);
    BOOST_REQUIRE(made.has_value());
    BOOST_TEST((made->constraints == full_template().constraints));
    BOOST_TEST(problems_with_form(form).size() == 2U);
    // What was typed is not ignored, and problems are told of the row that has them.
    form.limits.front().min = "2";
    form.limits.back().max = "none";
    const auto half = template_in(form);
    BOOST_REQUIRE(!half.has_value());
    std::string fields;
    for (const auto& problem : half.error()) fields += problem.field + ' ';
    BOOST_TEST(fields == "limit.0.service limit.1.max ");
}

BOOST_AUTO_TEST_CASE(no_maximum_is_not_written_as_a_number) {
    auto made = full_template();
    made.constraints.size_max = no_maximum;
    auto form = template_form_of(CatalogueKind::cluster_template, made);
    BOOST_TEST(press(form, "json").empty());

    BOOST_TEST(form.json.find("2147483647") == std::string::npos);
    BOOST_TEST(press(form, "form").empty());
    BOOST_TEST(form.size_max == "");
}

BOOST_AUTO_TEST_CASE(a_partial_template_survives_the_form) {
    auto made = full_template();
    made.extends.reset();
    made.includes.clear();
    made.immutable = true;
    const auto document =
        template_document(template_form_of(CatalogueKind::partial_template, made));
    BOOST_REQUIRE(document.has_value());
    auto expected = to_json(made);
    expected.erase("version");
    BOOST_TEST(document->dump() == expected.dump());
}

BOOST_AUTO_TEST_CASE(rows_are_read_in_the_order_sent) {
    fcgi::http::FormData sent;
    sent.fields = {{"name", "shop"},
                   {"group.4.kind", "apart"},
                   {"group.4.services", "db"},
                   {"group.0.kind", "together"},
                   {"group.4.services", "web"},
                   {"group.0.services", "cache"},
                   {"limit.1.service", "db"},
                   {"limit.1.max", " 3 "},
                   {"include.2.name", "b"},
                   {"include.0.name", "a"},
                   {"link.0.label", "Shop"},
                   {"link.0.url", "http://example.com"}};
    const auto form = read_template_form(CatalogueKind::cluster_template, sent);
    BOOST_REQUIRE(form.groups.size() == 2U);
    BOOST_TEST(!form.groups[0].is_together);
    BOOST_TEST((form.groups[0].services == std::vector<std::string>{"db", "web"}));
    BOOST_TEST((form.groups[1].services == std::vector<std::string>{"cache"}));
    BOOST_TEST(form.limits.at(0).max == "3");
    BOOST_TEST((form.includes == std::vector<std::string>{"b", "a"}));
    BOOST_TEST(form.links.at(0).second == "http://example.com");
}

BOOST_AUTO_TEST_CASE(an_entry_that_exists_keeps_its_name) {
    fcgi::http::FormData sent;
    sent.fields = {{"was", "shop"}, {"name", "other"}};
    BOOST_TEST(read_template_form(CatalogueKind::cluster_template, sent).name == "shop");
}

BOOST_AUTO_TEST_CASE(buttons_add_remove_and_move_rows) {
    auto form = full_form();
    press(form, "add-group");
    BOOST_TEST(form.groups.size() == 4U);
    press(form, "remove-group.0");
    BOOST_TEST(form.groups.size() == 3U);
    BOOST_TEST(!form.groups[0].is_together);
    press(form, "raise-include.1");
    BOOST_TEST((form.includes == std::vector<std::string>{"two", "one"}));
    press(form, "remove-limit.7");
    press(form, "remove-limit.-1");
    press(form, "remove-limit.x");
    BOOST_TEST(form.limits.size() == 1U);
    press(form, "remove-limit.0");
    BOOST_TEST(form.limits.empty());
}

BOOST_AUTO_TEST_CASE(json_and_form_are_two_views_of_the_same) {
    auto form = full_form();
    BOOST_TEST(press(form, "json").empty());
    BOOST_TEST(form.is_json);
    BOOST_TEST(press(form, "form").empty());
    BOOST_TEST(!form.is_json);
    BOOST_TEST(form.was == "shop");
    BOOST_TEST(form.version == "7");
    auto expected = to_json(full_template());
    expected.erase("version");
    BOOST_TEST(template_document(form)->dump() == expected.dump());
}

BOOST_AUTO_TEST_CASE(wrong_json_keeps_what_was_typed_and_names_the_place) {
    auto form = full_form();
    press(form, "json");
    form.json = "{\n  \"name\": }\n";
    const auto problems = press(form, "form");
    BOOST_REQUIRE(problems.size() == 1U);
    BOOST_TEST(problems[0].field == "json");
    BOOST_TEST(problems[0].message.starts_with("Line 2, column 11"));
    BOOST_TEST(form.is_json);
    BOOST_TEST(form.json == "{\n  \"name\": }\n");
}

BOOST_AUTO_TEST_CASE(all_wrong_controls_are_named_at_once) {
    auto form = full_form();
    form.config = "[";
    form.size_min = "none";
    form.lease_max.days = "-1";
    form.limits[0].max = "0";
    const auto document = template_document(form);
    BOOST_REQUIRE(!document.has_value());
    std::string fields;
    for (const auto& problem : document.error()) fields += problem.field + " ";
    BOOST_TEST(
        fields ==
        "administration.leaseduration.max defaults.config constraints.size.min limit.0.max ");
}

BOOST_AUTO_TEST_CASE(what_can_be_read_is_checked_beside_what_cannot) {
    auto form = full_form();
    form.config = "[";
    form.size_min = "9";
    form.size_max = "3";

    const auto document = template_document(form);

    BOOST_REQUIRE(!document.has_value());
    std::string fields;
    for (const auto& problem : document.error()) fields += problem.field + " ";
    BOOST_TEST(fields == "defaults.config constraints.size.max ");
}

BOOST_AUTO_TEST_CASE(a_preview_links_its_problems_to_their_controls) {
    TemplatePage page{.form = full_form()};
    page.preview.problems = {{"defaults.config", "Line 1, column 2: expected a value."},
                             {"", "There is no provider."}};

    const Json problems = to_json(page).at("sizes_problems");

    BOOST_REQUIRE(problems.size() == 2U);
    BOOST_TEST(problems[0].at("label") == "Configuration");
    BOOST_TEST(problems[0].at("target") == "t-defaults.config");
    BOOST_TEST(problems[1].at("target").is_null());
}

BOOST_AUTO_TEST_CASE(a_remedy_changes_the_row_that_it_is_about) {
    auto form = full_form();
    const std::vector<TemplatePart> parts{
        {.kind = TemplatePart::Kind::apart, .services = {"cache", "db"}},
        {.kind = TemplatePart::Kind::at_most, .services = {"db"}, .bound = 5},
        {.kind = TemplatePart::Kind::hardware, .services = {"db"}, .type = "large"}};
    BOOST_TEST(can_apply(form, parts));
    press(form, button_for(parts));
    BOOST_TEST(form.groups.size() == 2U);
    BOOST_TEST(form.limits[0].max == "5");
    BOOST_TEST((form.limits[0].hardware_types == std::vector<std::string>{"small", "large"}));
    BOOST_TEST(!can_apply(form, parts));
    press(form, "apply:[1,{\"kind\":\"at-most\"},{\"kind\":\"what\"}]");
    press(form, "apply:nonsense");
    BOOST_TEST(form.limits[0].max == "5");
}

BOOST_AUTO_TEST_CASE(a_remedy_changes_the_size_of_the_template) {
    auto form = full_form();
    const auto parts = provisioner::solver::parts_of_size(3, 5);
    BOOST_TEST(can_apply(form, parts));

    press(form, "json");
    press(form, button_for(parts));

    BOOST_TEST(!form.is_json);
    BOOST_TEST(form.size_min == "3");
    BOOST_TEST(form.size_max == "5");
    // Without a maximum there is none to be set.
    BOOST_TEST(provisioner::solver::parts_of_size(3, no_maximum).size() == 1U);
}

namespace {

/// The sizes from 1 to 6, of which some work, at most 6 allowed.
provisioner::operations::TemplateSizes sizes_working(const std::set<int>& working) {
    provisioner::operations::TemplateSizes sizes{.provider = "local", .most = 6};
    for (int machines = 1; machines <= 6; ++machines) {
        SizeAnswer size{.machines = machines};
        if (working.contains(machines)) {
            size.layout = ClusterLayout{{{"small", "debian", {"web"}, machines}}};
        } else {
            size.why.reasons = {machines < 2 ? "It is far too small." : "It has a wrong size."};
            size.why.remedies = {{false,
                                  "Drop the minimum of db.",
                                  {{.kind = TemplatePart::Kind::at_least, .services = {"db"}}}}};
        }
        sizes.sizes.push_back(size);
    }
    return sizes;
}

/// "1 machine: remedy | remedy", a line for each row that is not possible.
std::string remedies_drawn(const provisioner::operations::TemplateSizes& sizes) {
    std::string text;
    const Json drawn = sizes_json({.sizes = sizes}, full_form());
    for (const Json& run : drawn.at("runs")) {
        if (run.at("is_possible") == true) continue;
        text += run.at("range").get<std::string>() + ':';
        for (const Json& remedy : run.at("remedies")) {
            text += ' ' + remedy.at("sentence").get<std::string>();
        }
        text += '\n';
    }
    return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(sizes_that_do_not_work_are_refused_by_another_size_of_the_template) {
    BOOST_TEST(remedies_drawn(sizes_working({4, 5})) ==
               "1 machine: Let clusters of the template have at least 4 machines. Drop the minimum "
               "of db.\n"
               "2–3 machines: Drop the minimum of db.\n"
               "6 machines: Let clusters of the template have at most 5 machines. Drop the minimum "
               "of db.\n");
    const Json drawn = sizes_json({.sizes = sizes_working({4, 5})}, full_form());
    BOOST_TEST(drawn.at("runs").at(0).at("remedies").at(0).at("button") ==
               button_for(provisioner::solver::parts_of_size(4, 6)));
}

BOOST_AUTO_TEST_CASE(another_size_of_the_template_is_offered_only_where_it_leaves_all_that_work) {
    BOOST_TEST(remedies_drawn(sizes_working({3, 5, 6})).find("at least") == std::string::npos);
    BOOST_TEST(remedies_drawn(sizes_working({})).find("at least") == std::string::npos);
    // Smaller ones that the template allows were not looked at.
    auto later = sizes_working({5, 6});
    later.sizes.erase(later.sizes.begin(), later.sizes.begin() + 2);
    BOOST_TEST(remedies_drawn(later).find("at least") == std::string::npos);
    later.least = 3;
    BOOST_TEST(remedies_drawn(later).find("at least 5 machines") != std::string::npos);
    // A larger one works.
    auto some = sizes_working({1, 2, 3});
    some.beyond = {{.machines = 12, .layout = ClusterLayout{}}};
    BOOST_TEST(remedies_drawn(some).find("at most") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(sizes_that_grow_by_the_same_machine_are_one_line) {
    const auto runs = runs_of(sizes_with({{1, 0}, {1, 1}, {1, 2}, {2, 2}, {3, 2}}), {"db"});
    BOOST_REQUIRE(runs.size() == 2U);
    BOOST_TEST(runs[0].first == 1);
    BOOST_TEST(runs[0].last == 3);
    BOOST_TEST(runs[0].each_more->services.front() == "web");
    BOOST_TEST(runs[1].first == 4);
    BOOST_TEST(runs[1].last == 5);
    BOOST_TEST(runs[1].each_more->services.front() == "db");
}

BOOST_AUTO_TEST_CASE(sizes_that_leave_out_other_services_are_lines_of_their_own) {
    const auto runs = runs_of(sizes_with({{2, 0}, {2, 1}, {2, 2}}), {"web", "db"});
    BOOST_REQUIRE(runs.size() == 2U);
    BOOST_TEST(runs[0].last == 2);
    BOOST_TEST(runs[1].first == 3);
    BOOST_TEST(runs[1].last == 4);
}

BOOST_AUTO_TEST_CASE(impossible_sizes_with_the_same_clash_are_one_line) {
    std::vector<SizeAnswer> sizes{{.machines = 1}, {.machines = 2}, {.machines = 3}};
    for (auto& size : sizes) {
        size.why.clash = {{.kind = TemplatePart::Kind::apart, .services = {"db", "web"}}};
        size.why.reasons = {std::to_string(size.machines)};
    }
    sizes[2].why.clash.clear();
    const auto runs = runs_of(sizes, {});
    BOOST_REQUIRE(runs.size() == 2U);
    BOOST_TEST(runs[0].last == 2);
    BOOST_TEST(!runs[0].layout.has_value());
}

BOOST_AUTO_TEST_CASE(a_clashing_rule_links_to_its_control) {
    const auto form = full_form();
    SizesSection section{.sizes = provisioner::operations::TemplateSizes{
                             .provider = "local", .sizes = {{.machines = 2}}, .most = 9}};
    auto& why = section.sizes->sizes[0].why;
    why.clash = {{.kind = TemplatePart::Kind::apart, .services = {"web", "db"}},
                 {.kind = TemplatePart::Kind::at_most, .services = {"db"}},
                 {.kind = TemplatePart::Kind::at_least, .services = {"queue"}}};
    const auto json = sizes_json(section, form);
    const auto& rules = json.at("runs").at(0).at("rules");
    BOOST_TEST(rules.at(0).at("href") == "#group-1");
    BOOST_TEST(rules.at(1).at("href") == "#limit-0-max");
    BOOST_TEST(rules.at(2).at("href") == "");
}

BOOST_AUTO_TEST_CASE(a_rule_says_which_other_rules_contradict_it) {
    auto form = full_form();
    form.groups = {{.is_together = true, .services = {"db", "cache"}},
                   {.is_together = true, .services = {"cache", "web"}},
                   {.is_together = false, .services = {"db", "cache"}},
                   {.is_together = false, .services = {"db", "web"}},
                   {.is_together = false, .services = {"db", "queue"}},
                   {.is_together = false, .services = {"db"}}};

    const Json rows = to_json(TemplatePage{.form = form}).at("groups");

    const auto said = [&](std::size_t row) { return rows.at(row).at("contradiction"); };
    BOOST_TEST(said(0) == "");
    BOOST_TEST(said(2) == "Contradicts rule 1.");
    BOOST_TEST(said(3) == "");
    BOOST_TEST(said(4) == "");
    BOOST_TEST(said(5) == "");
}

BOOST_AUTO_TEST_CASE(a_form_is_drawn_up_to_some_choices_of_services_and_types) {
    TemplatePage page{.form = full_form()};
    for (int i = 0; i < 100; ++i) page.form.fit_services.push_back("s" + std::to_string(i));
    page.form.limits.assign(most_cells_of_a_form / 200, {.service = "s1"});
    BOOST_TEST(fits_on_a_page(page));
    page.form.limits.assign(most_cells_of_a_form / 100, {.service = "s1"});
    BOOST_TEST(!fits_on_a_page(page));

    page = {.form = full_form()};
    page.form.limits.assign(most_cells_of_a_form / 200, {.service = "db"});
    page.offer.hardware_types.assign(200, "small");
    BOOST_TEST(!fits_on_a_page(page));

    page = {.form = full_form()};
    page.form.includes.resize(most_rows_of_a_form);
    page.offer.partials.assign(most_cells_of_a_form / most_rows_of_a_form + 1, "base");
    BOOST_TEST(!fits_on_a_page(page));

    page = {.form = full_form()};
    page.form.fit_services.assign(most_names_of_a_form + 1, "db");
    BOOST_TEST(!fits_on_a_page(page));
}

BOOST_AUTO_TEST_CASE(a_form_is_drawn_up_to_some_rows_and_boxes) {
    TemplatePage page{.form = full_form()};
    BOOST_TEST(fits_on_a_page(page));
    page.form.groups.assign(most_rows_of_a_form, {.services = {"db", "web"}});
    BOOST_TEST(fits_on_a_page(page));
    for (int i = 0; i < 60; ++i) page.offer.services.push_back("service" + std::to_string(i));
    BOOST_TEST(!fits_on_a_page(page));
    page.offer.services.clear();
    page.form.groups.emplace_back();
    BOOST_TEST(!fits_on_a_page(page));
    page.form.groups.clear();
    page.form.links.resize(most_rows_of_a_form + 1);
    BOOST_TEST(!fits_on_a_page(page));
}

BOOST_AUTO_TEST_CASE(an_explanation_is_open_for_the_first_size_that_is_not_possible) {
    const auto form = full_form();
    auto sizes = sizes_with({{1, 1}, {1, 2}, {1, 3}});
    for (const std::size_t i : {0UL, 2UL}) {
        sizes[i].layout.reset();
        sizes[i].why.reasons = {"because of " + std::to_string(i)};
    }
    const SizesSection section{.sizes = provisioner::operations::TemplateSizes{
                                   .provider = "local", .sizes = sizes, .most = 9}};

    const Json runs = sizes_json(section, form).at("runs");

    BOOST_REQUIRE(runs.size() == 3U);
    BOOST_TEST(runs.at(0).at("is_open") == true);
    BOOST_TEST(runs.at(1).at("is_open") == false);
    BOOST_TEST(runs.at(2).at("is_open") == false);
}

BOOST_AUTO_TEST_CASE(typed_json_has_limits) {
    BOOST_TEST(!read_typed_json(std::string(40, '[') + std::string(40, ']')).has_value());
    std::string many = "[1";
    for (int i = 0; i < 100'001; ++i) many += ",1";
    BOOST_TEST(!read_typed_json(many + "]").has_value());
    BOOST_TEST(!read_typed_json("").has_value());
    BOOST_TEST(read_typed_json("{}").has_value());
}

BOOST_AUTO_TEST_CASE(impossible_sizes_are_named_with_what_clashes) {
    auto sizes = sizes_with({{1, 0}, {1, 1}, {1, 2}});
    for (int machines : {4, 5}) {
        SizeAnswer none{.machines = machines};
        none.why.reasons = {"There is no room."};
        none.why.clash = {{.kind = TemplatePart::Kind::at_most, .services = {"db"}},
                          {.kind = TemplatePart::Kind::apart, .services = {"db", "web"}}};
        sizes.push_back(none);
    }

    const auto warnings = warnings_about_sizes({.sizes = sizes}, full_form(), {});

    BOOST_REQUIRE(warnings.size() == 1U);
    BOOST_TEST(warnings[0] ==
               "4–5 machines: not possible. There is no room. Rules that clash: Maximum of db; "
               "db and web are never all on one machine.");
    BOOST_TEST(
        warnings_about_sizes({.sizes = sizes_with({{1, 0}, {1, 1}})}, full_form(), {}).empty());
}

BOOST_AUTO_TEST_CASE(what_is_known_of_larger_sizes_is_said_of_the_last_impossible_ones) {
    provisioner::operations::TemplateSizes sizes;
    for (int machines : {11, 12}) {
        SizeAnswer none{.machines = machines};
        none.why.reasons = {"There is no room."};
        sizes.sizes.push_back(none);
    }
    sizes.beyond = {{.machines = 24}, {.machines = 1200}};
    sizes.beyond.back().why.reasons = {"There is no room."};
    sizes.most = 1200;
    const auto said = [&] { return warnings_about_sizes(sizes, full_form(), {}).at(0); };

    BOOST_TEST(said() ==
               "11 machines or more: not possible. There is no room. Of the sizes above 12, some "
               "and the largest were tried.");
    const Json json = sizes_json({.sizes = sizes}, full_form());
    BOOST_TEST(json.at("runs").at(0).at("range") == "11 machines or more");
    sizes.beyond.back().why.reasons = {"It is too large."};
    BOOST_TEST(said() ==
               "11–12 machines: not possible. There is no room. Some sizes above 12 were tried, "
               "too: none is possible.");
    sizes.beyond.front().layout.emplace();
    BOOST_TEST(said() ==
               "11–12 machines: not possible. There is no room. Of the sizes above 12, 24 "
               "machines are possible, for example.");
}

BOOST_AUTO_TEST_CASE(all_problems_of_a_template_are_said_at_once) {
    TemplateForm form = full_form();
    form.was = "";
    form.name = "-web";
    form.config = "{";
    form.size_min = "5";
    form.size_max = "2";
    form.lease_initial = {.days = "9", .hours = "0", .minutes = "0", .rest = "0"};
    form.lease_max = {.days = "3", .hours = "0", .minutes = "0", .rest = "0"};
    form.links = {{"Site", ""}, {"", "http://a/"}, {"", ""}};

    std::set<std::string> fields;
    for (const auto& problem : problems_with_form(form)) fields.insert(problem.field);

    const std::set<std::string> expected{"name",
                                         "defaults.config",
                                         "constraints.size.max",
                                         "administration.leaseduration.initial",
                                         "link.0.url",
                                         "link.1.label"};
    BOOST_TEST(fields == expected, boost::test_tools::per_element());
    BOOST_TEST(problems_with_form(full_form()).empty());
    press(form = full_form(), "json");
    BOOST_TEST(problems_with_form(form).empty());
}

BOOST_AUTO_TEST_CASE(a_default_service_that_no_machine_of_some_sizes_runs_is_named) {
    const provisioner::operations::TemplateSizes sizes{.services = {"db", "cache"},
                                                       .sizes = sizes_with({{1, 0}, {1, 1}})};

    const auto warnings = warnings_about_sizes(sizes, full_form(), {});

    BOOST_REQUIRE(warnings.size() == 1U);
    BOOST_TEST(warnings[0] ==
               "1–2 machines: no machine runs cache. To refuse such sizes, set a minimum under "
               "“Limits of services”.");
}

BOOST_AUTO_TEST_CASE(the_preview_does_not_call_sizes_without_a_service_possible_and_no_more) {
    const provisioner::operations::TemplateSizes sizes{
        .provider = "sim", .services = {"db", "cache"}, .sizes = sizes_with({{1, 0}, {1, 1}})};
    TemplateForm form;
    form.limits = {{.service = "db"}, {.service = "cache"}};

    const Json json = sizes_json({.sizes = sizes}, form);

    BOOST_TEST(json.at("sizes_sentence") ==
               "2 of 2 sizes possible, 2 of them without cache; machines come from sim.");
    const Json minimum = json.at("runs").at(0).at("minima").at(0);
    BOOST_TEST(minimum.at("minimum") == "Minimum machines of cache: 1");
    BOOST_TEST(minimum.at("minimum_href") == "#limit-1-min");
    form.limits.clear();
    const Json without_row = sizes_json({.sizes = sizes}, form);
    BOOST_TEST(without_row.at("runs").at(0).at("minima").at(0).at("minimum_href") ==
               "#limits-title");
}

BOOST_AUTO_TEST_CASE(sizes_without_a_service_are_refused_by_a_button) {
    const provisioner::operations::TemplateSizes sizes{.provider = "sim",
                                                       .services = {"db", "web"},
                                                       .sizes = sizes_with({{1, 0}, {1, 1}}),
                                                       .least = 1,
                                                       .most = 9};
    TemplateForm form;
    const auto minima = [&] {
        return sizes_json({.sizes = sizes}, form).at("runs").at(0).at("minima");
    };

    const Json offered = minima();
    BOOST_REQUIRE(offered.size() == 2U);
    BOOST_TEST(offered[0].at("minimum") ==
               "Let clusters of the template have at least 2 machines.");
    press(form, offered[0].at("button").get<std::string>());
    BOOST_TEST(form.size_min == "2");
    press(form, offered[1].at("button").get<std::string>());
    BOOST_REQUIRE(form.limits.size() == 1U);
    BOOST_TEST(form.limits[0].service == "web");
    BOOST_TEST(form.limits[0].min == "1");
    // A row of its own would replace what the parent says of the service.
    form.limits.clear();
    form.extends = "parent";
    BOOST_TEST(minima()[1].at("button").is_null());
}

BOOST_AUTO_TEST_CASE(a_rule_about_one_service_is_refused_because_it_has_no_effect) {
    TemplateForm form = full_form();
    form.groups = {{.is_together = true, .services = {"db"}}};

    const auto problems = problems_with_form(form);

    BOOST_REQUIRE(problems.size() == 1U);
    BOOST_TEST(problems[0].field == "group.0.services");
    BOOST_TEST(problems[0].message ==
               "A rule about one service has no effect: choose another one, or remove the rule.");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(a_minimum_above_the_maximum_is_told_at_the_one_that_was_changed) {
    const auto before = template_form_of(CatalogueKind::cluster_template, full_template());
    auto form = before;
    form.size_min = "12";
    const auto told = [&] {
        return told_where_touched(problems_with_form(form), form, before).at(0).field;
    };

    BOOST_TEST(told() == "constraints.size.min");
    form.size_max = "5";
    BOOST_TEST(told() == "constraints.size.max");
}

BOOST_AUTO_TEST_CASE(a_template_as_json_says_all_that_is_wrong_at_once) {
    TemplateForm form;
    form.is_json = true;
    form.json =
        R"({"name":"a b","lable":"x","constraints":{"size":{"min":0}},
        "administration":{"leaseduration":{"initial":"2d","max":"1d","step":"0"}}})";
    std::string fields;
    for (const auto& problem : problems_with_form(form)) fields += problem.field + ' ';

    BOOST_TEST(fields == "name constraints.size.min administration.leaseduration.initial json ");
}

BOOST_AUTO_TEST_CASE(a_template_as_json_has_no_members_that_nothing_knows) {
    TemplateForm form;
    form.is_json = true;
    form.json = "{\n\"name\": \"web\",\n\"descripton\": \"Web\"}";

    const auto document = template_document(form);

    BOOST_REQUIRE(!document);
    BOOST_TEST(document.error().front().field == "json");
    BOOST_TEST(document.error().front().message == "Line 3: there is no member descripton.");
}
