#include "fcgi/pages/clusters/create_page.hpp"

#include <boost/test/unit_test.hpp>

namespace {

using namespace fcgi::pages;
using provisioner::base::Json;
using provisioner::model::ClusterTemplate;

NewClusterPage page_of(const std::string& provider) {
    ClusterTemplate web;
    web.header.name = "web";
    web.defaults.provider = "sim";
    web.defaults.hardware_type = "small";
    web.defaults.image_type = "debian";
    NewClusterPage page{
        .offer = {.templates = {web},
                  .providers = {{"moon", "The moon (moon)"}, {"sim", "sim"}},
                  .hardware_types = {{"large", "large", {"moon"}}, {"small", "small", {"sim"}}},
                  .image_types = {{"debian", "debian", {"sim"}}}},
        .form = form_for(web)};
    page.form.provider = provider;
    return page;
}

std::string options_of(const Json& page, const std::string& name) {
    std::string text;
    for (const auto& field : page.at("advanced")) {
        if (field.at("name") != name) continue;
        for (const auto& option : field.at("options")) {
            text += option.at("value").get<std::string>();
            text += option.at("selected") == true ? "* " : " ";
        }
    }
    return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_form_of_a_new_cluster_offers_what_its_provider_has) {
    const auto at_sim = to_json(page_of("sim"));
    const auto at_moon = to_json(page_of("moon"));

    BOOST_TEST(options_of(at_sim, "hardwaretype") == "small* ");
    BOOST_TEST(at_sim.at("advanced_open") == false);
    BOOST_TEST(options_of(at_moon, "hardwaretype") == "large* ");
    BOOST_TEST(at_moon.at("advanced_open") == true, "the choice that was changed is seen");
}

BOOST_AUTO_TEST_CASE(providers_and_templates_that_cannot_work_are_marked_before_they_are_chosen) {
    auto page = page_of("sim");
    const auto json = to_json(page);
    std::string labels;
    for (const auto& field : json.at("advanced")) {
        if (field.at("name") != "provider") continue;
        for (const auto& option : field.at("options")) {
            labels += option.at("label").get<std::string>() + "; ";
        }
    }

    BOOST_TEST(labels == "The moon (moon) (cannot work); sim; ");
    auto cluster_template = page.offer.templates.front();
    BOOST_TEST(page.offer.can_work(cluster_template));
    cluster_template.defaults.provider = "moon";
    BOOST_TEST(!page.offer.can_work(cluster_template));
    cluster_template.defaults.provider.reset();
    BOOST_TEST(page.offer.can_work(cluster_template));
}

BOOST_AUTO_TEST_CASE(the_form_of_a_new_cluster_says_what_is_missing_before_it_is_sent) {
    const auto json = to_json(page_of("moon"));

    BOOST_TEST(json.at("missing_title") == "This cannot work at the provider The moon (moon)");
    BOOST_TEST(json.at("missing").size() == 1U);
    BOOST_TEST(json.at("missing").at(0).at("sentence") ==
               "No image type of this template can be used at the provider The moon (moon).");
    BOOST_TEST(json.at("missing_remedy") == "Another provider can be chosen: sim.");
    BOOST_TEST(to_json(page_of("sim")).at("has_missing") == false);
}

BOOST_AUTO_TEST_CASE(back_gives_the_name_of_a_new_cluster_as_it_was_typed) {
    // A browser restores no control whose autocomplete is off.
    BOOST_TEST(to_json(page_of("sim")).at("fields").at(0).at("name") == "name");
    BOOST_TEST(to_json(page_of("sim")).at("fields").at(0).at("autocomplete") == "");
}

BOOST_AUTO_TEST_CASE(a_form_like_a_cluster_says_beside_the_fields_what_was_not_copied) {
    auto page = page_of("sim");
    page.not_copied = {{"config", "Enter passwords."}, {"initialLeaseDuration", "Shorter."}};
    const auto json = to_json(page);

    std::string config;
    for (const auto& field : json.at("advanced")) {
        if (field.at("name") == "config") config = field.at("hint");
    }
    BOOST_TEST(config.ends_with(" Enter passwords."));
    BOOST_TEST(json.at("lease_group").at("hint").get<std::string>().ends_with(" Shorter."));
    BOOST_TEST(json.at("advanced_open") == true);
}

BOOST_AUTO_TEST_CASE(the_form_of_a_new_cluster_says_whose_passwords_its_masks_stand_for) {
    auto page = page_of("sim");
    const auto hint = [&] {
        const auto json = to_json(page);
        for (const auto& field : json.at("advanced")) {
            if (field.at("name") == "config") return field.at("hint").get<std::string>();
        }
        return std::string();
    };
    BOOST_TEST(hint().find("********") == std::string::npos);
    page.form.config = R"({"db_password": "********"})";
    BOOST_TEST(hint().ends_with("Passwords that read ******** are those of the template."));
    page.form.like = "00000007";
    BOOST_TEST(hint().ends_with("Passwords that read ******** are those of the other cluster."));
    BOOST_TEST(to_json(page).at("like") == "00000007");
}

BOOST_AUTO_TEST_CASE(what_is_missing_at_a_provider_is_said_once) {
    auto page = page_of("moon");
    page.problems = {{"imagetype", "Image type deb has no image for provider moon."},
                     {"name", "Enter a name."}};
    const auto json = to_json(page);
    BOOST_TEST(json.at("missing").size() == 1U);
    BOOST_TEST(json.dump().find("has no image for provider") == std::string::npos);
    BOOST_TEST(json.dump().find("Enter a name.") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_form_says_that_no_layout_fits_before_it_is_sent) {
    auto page = page_of("sim");
    BOOST_TEST(to_json(page).at("has_doubts") == false);
    page.doubts = {"web and db must not share a machine."};
    page.is_impossible = true;
    page.form.machines = "3";
    BOOST_TEST(to_json(page).at("has_doubts") == true);
    BOOST_TEST(to_json(page).at("doubts_title") == "No layout fits this template at the size 3");
    page.is_admin = true;
    BOOST_TEST(to_json(page).at("doubts_way_words") == "Change the template");
    page.form.of_draft = true;
    BOOST_TEST(to_json(page).at("doubts_way_words") == "Change the draft");
    BOOST_TEST(to_json(page).at("doubts_way").get<std::string>().ends_with("?of=draft"));
    page.form.of_draft = false;
    BOOST_TEST(to_json(page).at("doubts")[0].at("sentence") ==
               "web and db must not share a machine.");
    // What is wrong with what was typed is said once.
    page.problems = {{"name", "Enter a name."}};
    BOOST_TEST(to_json(page).at("has_doubts") == false);
}

BOOST_AUTO_TEST_CASE(administrators_are_led_from_the_form_to_the_prices_that_it_lacks) {
    auto page = page_of("sim");
    page.unpriced = "No cluster can be created.";
    BOOST_TEST(to_json(page).at("unpriced") == "No cluster can be created.");
    BOOST_TEST(to_json(page).at("may_price") == false);
    page.is_admin = true;
    BOOST_TEST(to_json(page).at("may_price") == true);
}

BOOST_AUTO_TEST_CASE(a_form_is_judged_by_the_types_that_it_begins_with) {
    auto page = page_of("sim");
    auto& web = page.offer.templates.front();
    web.defaults.image_type = "old";
    web.compatibility.image_types = {"debian"};
    page.form = form_for(web);
    page.form.provider = "sim";

    const auto drawn = form_as_drawn(page);

    BOOST_TEST(drawn.image_type == "debian");
    BOOST_TEST(drawn.hardware_type == "small");
    page.form.cluster_template = "gone";
    BOOST_TEST(form_as_drawn(page).image_type == page.form.image_type);
}

BOOST_AUTO_TEST_CASE(a_lease_that_is_too_long_says_how_long_it_may_be) {
    auto page = page_of("sim");
    page.offer.templates.front().lease.initial = std::chrono::hours{48};
    page.problems = {{"initialLeaseDuration",
                      "lease duration cannot be greater than duration specified in template"}};
    page.form.lease_days = "3";
    BOOST_TEST(to_json(page).at("lease_group").at("problem") ==
               "The template allows at most 2 days.");
    page.form.lease_days = "0";
    BOOST_TEST(to_json(page).at("lease_group").at("problem") ==
               "All zero would be a cluster without expiry; the template allows at most 2 "
               "days.");
}

BOOST_AUTO_TEST_CASE(the_form_of_a_new_cluster_tells_of_the_provider_that_is_chosen) {
    BOOST_TEST(to_json(page_of("moon")).at("template").at("provider") == "The moon (moon)");
    BOOST_TEST(to_json(page_of("")).at("template").at("provider") == "sim");
    BOOST_TEST(to_json(page_of("deleted")).at("template").at("provider") == "your choice");
}

BOOST_AUTO_TEST_CASE(what_was_chosen_of_another_provider_is_shown_when_the_form_is_drawn_anew) {
    auto page = page_of("sim");
    page.drawn_provider = "moon";

    BOOST_TEST(to_json(page).at("advanced_open") == true);
}

BOOST_AUTO_TEST_CASE(a_type_that_the_provider_lacks_is_refused_with_providers_that_have_it) {
    auto page = page_of("moon");
    page.form.hardware_type = "small";
    page.problems = {{"hardwaretype", "Hardware type small has no flavor for provider moon."}};

    const auto json = to_json(page);

    BOOST_TEST(json.at("problems").at(0).at("label") == "Hardware type");
    BOOST_TEST(json.at("problems").at(0).at("message") == "small has no flavor for provider moon.");
    BOOST_TEST(json.at("remedies").at(0).at("sentence") ==
               "Choose a provider that has small: sim.");
}

BOOST_AUTO_TEST_CASE(the_hint_of_the_size_names_what_the_rules_for_the_services_leave) {
    using provisioner::model::ServiceConstraint;
    auto page = page_of("sim");
    auto& web = page.offer.templates.front();
    web.constraints.size_min = 3;
    web.constraints.size_max = 1200;
    page.form.services = {"app", "db"};
    const auto machines = [&] { return to_json(page).at("fields").at(1); };
    BOOST_TEST(machines().at("hint") == "3 to 1,200 machines");

    web.constraints.services = {
        {"app", ServiceConstraint{.hardware_types = {}, .image_types = {}, .max = 9}},
        {"db", ServiceConstraint{.hardware_types = {}, .image_types = {}, .max = 1}}};
    BOOST_TEST(machines().at("hint") == "3 to 10 machines");
    BOOST_TEST(machines().at("max") == 10);
    page.form.machines = "99";
    page.problems = {{"numMachines", "unsatisfiable"}};
    BOOST_TEST(machines().at("problem") == "Enter a whole number: 3 to 10 machines.");
}

BOOST_AUTO_TEST_CASE(the_card_beside_the_form_has_the_sizes_of_the_form) {
    auto page = page_of("sim");
    auto& web = page.offer.templates.front();
    web.constraints.size_min = 1;
    web.constraints.size_max = 8;
    page.offer.size_troubles["web"] = {{.first = 1, .last = 1},
                                       {.first = 3, .last = 8, .goes_on = true}};

    auto json = to_json(page);
    BOOST_TEST(json.at("template").at("size") == "2 machines");
    // There is nothing to choose, so there is no field.
    BOOST_TEST(json.at("fields").at(1).at("fixed") == true);
    BOOST_TEST(json.at("fields").at(1).at("input") == false);
    BOOST_TEST(json.at("fields").at(1).at("value") == "2");
    BOOST_TEST(json.at("fields").at(1).at("hint") == "No other number is possible.");

    // What is known is known of the template's own choices.
    page.form.hardware_type = "large";
    json = to_json(page);
    BOOST_TEST(json.at("fields").at(1).at("hint") == "1 to 8 machines");
    BOOST_TEST(json.at("template").at("size") == "2 machines");
}

BOOST_AUTO_TEST_CASE(services_that_leave_no_size_say_which_service_would_help) {
    using provisioner::model::ServiceConstraint;
    auto page = page_of("sim");
    auto& web = page.offer.templates.front();
    web.constraints.size_min = 3;
    web.constraints.size_max = 1200;
    web.constraints.services = {
        {"db", ServiceConstraint{.hardware_types = {}, .image_types = {}, .max = 1}},
        {"lb", ServiceConstraint{.hardware_types = {}, .image_types = {}, .max = 1}}};
    web.defaults.services = {"app", "db", "lb"};
    page.offer.services = {{"app", "Application"}, {"db", "Database"}, {"lb", "Load balancer"}};
    page.form.services = {"db"};
    page.problems = {{"numMachines", "3 machines were asked for and each needs something to run"}};
    page.remedies = {{false, "Let clusters of the template have as few as 1 machine."}};
    page.is_refused = true;

    const auto json = to_json(page);

    const auto& group = json.at("services_group");
    BOOST_TEST(group.at("problem") ==
               "These services can be on at most 1 machine, and clusters of this template have at "
               "least 3. Choose another one, too.");
    BOOST_REQUIRE(group.at("offered").size() == 1U);
    BOOST_TEST(group.at("offered")[0].at("label") == "Add Application");
    BOOST_TEST(json.at("problems").size() == 1U);
    BOOST_TEST(json.at("problems")[0].at("label") == "Services");
    BOOST_TEST(json.at("problems")[0].at("message") == group.at("problem"));
    BOOST_TEST(json.at("fields").at(1).at("hint") == "no size is possible");
    // An administrator need not be asked.
    BOOST_TEST(json.at("has_template_remedies") == false);
    BOOST_TEST(json.at("advanced_open") == true);
}

BOOST_AUTO_TEST_CASE(a_missing_service_is_named_once) {
    auto page = page_of("sim");
    page.offer.services = {{"app", "Application"}, {"db", "Database"}};
    page.missing = {{.service = "app", .needs = "db", .offered = {"db"}}};
    page.form.services = {"app"};
    page.is_refused = true;
    page.remedies = {{true, "Add db to the services."}};

    const auto json = to_json(page);

    BOOST_TEST(json.at("services_group").at("problem") ==
               "Application needs Database, which is not chosen.");
    BOOST_TEST(json.at("has_remedies") == false);
    BOOST_REQUIRE(json.at("problems").size() == 1U);
    BOOST_TEST(json.at("problems")[0].at("message") ==
               "Application needs Database, which is not chosen. Add Database.");
    BOOST_TEST(json.at("advanced_open") == true);
}

BOOST_AUTO_TEST_CASE(leaving_out_all_services_says_which_the_cluster_gets) {
    auto page = page_of("sim");
    page.offer.services = {{"app", "Application"}, {"db", "Database"}};
    page.offer.templates.front().defaults.services = {"app", "db"};
    BOOST_TEST(to_json(page).at("services_group").at("note") == "");
    page.form.services.clear();
    page.is_none_chosen = true;
    BOOST_TEST(to_json(page).at("services_group").at("note") ==
               "None is chosen: the cluster gets Application and Database.");
}

BOOST_AUTO_TEST_CASE(a_service_that_is_missing_can_be_added_by_a_button) {
    auto page = page_of("sim");
    page.offer.services = {{"app", "Application"}, {"db", "Database"}};
    page.missing = {{.service = "app", .needs = "sql", .offered = {"db"}},
                    {.service = "app", .needs = "db", .offered = {"db"}}};
    page.form.services = {"app"};

    const auto offered = to_json(page).at("services_group").at("offered");

    BOOST_REQUIRE(offered.size() == 1U);
    BOOST_TEST(offered[0].at("value") == "db");
    BOOST_TEST(offered[0].at("label") == "Add Database");
    // The template's services would be left out.
    page.form.services.clear();
    BOOST_TEST(to_json(page).at("services_group").at("offered").empty());
}
