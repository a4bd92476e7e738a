#include "fcgi/pages/machines/prices.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "provisioner/model/machines/price_list.hpp"

using namespace fcgi::pages;
using namespace provisioner::model;
using provisioner::operations::PriceListOwner;

BOOST_AUTO_TEST_SUITE(prices_page)

namespace {

PricesPage a_page(std::size_t prices) {
    PricesPage page{.own = {.owner = PriceListOwner::tenant, .tenant = "demo"},
                    .common = {.owner = PriceListOwner::everybody}};
    for (std::size_t i = 0; i < prices; ++i) {
        page.own.prices.push_back({.of = {"aws", "", "", "f" + std::to_string(i), ""},
                                   .per_hour = {"USD", 107'000},
                                   .is_own = true});
    }
    return page;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_list_is_in_the_form_so_that_it_can_be_changed) {
    const auto json = to_json(a_page(1));

    BOOST_TEST(json.at("forms")[0].at("fields")[0].at("value") ==
               "provider_type,provider,region,flavor,image,currency,per_hour\n"
               "aws,,,f0,,USD,0.107\n");
    BOOST_TEST(json.at("forms")[0].at("rows")[0].at("region") == "");
    BOOST_TEST(json.at("forms")[0].at("rows")[0].at("per_hour") == "0.107 USD");
}

BOOST_AUTO_TEST_CASE(the_costs_of_a_month_name_templates_as_other_pages_do) {
    PricesPage page = a_page(1);
    page.shares = {{.owner = "ada", .cluster_template = "shop"},
                   {.owner = "ada", .cluster_template = "gone"}};
    page.labels.add(CatalogueKind::cluster_template, {{"shop", "Web shop"}});

    const auto json = to_json(page);

    BOOST_TEST(json.at("shares")[0].at("template") == "Web shop");
    BOOST_TEST(json.at("shares")[1].at("template") == "gone");
}

BOOST_AUTO_TEST_CASE(the_page_says_that_a_budget_needs_prices) {
    PricesPage page = a_page(0);
    BOOST_TEST(to_json(page).at("unpriced") == "");

    page.unpriced_types = "Some types have no price.";
    BOOST_TEST(to_json(page).at("unpriced") == page.unpriced_types);
    page.unpriced_currency = "EUR";

    BOOST_TEST(to_json(page)
                   .at("unpriced")
                   .get<std::string>()
                   .starts_with("The tenant has a budget, but no machine has a price in EUR"));
}

BOOST_AUTO_TEST_CASE(only_superadmins_get_the_form_for_all_tenants) {
    PricesPage page = a_page(0);
    BOOST_TEST(to_json(page).at("forms")[1].at("can_change") == false);

    page.for_superadmin = true;

    BOOST_TEST(to_json(page).at("forms")[1].at("can_change") == true);
}

BOOST_AUTO_TEST_CASE(prices_of_another_tenant_have_addresses_below_it) {
    PricesPage page = a_page(1);
    page.tenant.name = "demo";
    page.href = "/tenants/demo/prices";
    page.tenant_href = "/tenants/demo";

    const auto json = to_json(page);

    BOOST_TEST(json.at("prices_href") == "/tenants/demo/prices");
    BOOST_TEST(json.at("forms")[0].at("title") == "Prices of demo");
    BOOST_TEST(json.at("forms")[0].at("csv") == "", "the API has the viewer's own");
    const std::string edit = json.at("forms")[0].at("rows")[0].at("edit_href");
    BOOST_TEST(edit.starts_with("/tenants/demo/prices?edit=own"), edit);
}

BOOST_AUTO_TEST_CASE(a_refused_text_is_still_there_with_every_problem_and_its_line) {
    PricesPage page = a_page(1);
    page.own.text = "what I typed";
    page.own.problems = {{"line 2", "currency must be given."}, {"line 7", "is odd."}};

    const auto json = to_json(page);

    BOOST_TEST(json.at("forms")[0].at("fields")[0].at("value") == "what I typed");
    BOOST_TEST(json.at("problems")[0].at("message") == "Line 2: currency must be given.");
    BOOST_TEST(json.at("problems")[1].at("message") == "Line 7: is odd.");
}

BOOST_AUTO_TEST_CASE(a_preview_shows_what_a_new_list_changes) {
    PricesPage page = a_page(3);
    BOOST_TEST(to_json(page).at("forms")[0].at("preview").is_null());
    // As browsers send it: with other line ends, in another order.
    page.own.text =
        "provider_type,provider,region,flavor,image,currency,per_hour\r\n"
        "aws,,,f2,,USD,0.107\r\naws,,,f1,,USD,0.1070\r\naws,,,f0,,USD,0.2\r\n";
    page.own.is_preview = true;

    const auto difference = to_json(page).at("forms")[0].at("preview").at("difference");

    BOOST_TEST(difference.at("summary") == "1 line added, 1 line removed");
    BOOST_TEST_REQUIRE(difference.at("values").size() == 1U);
    const auto& value = difference.at("values")[0];
    BOOST_TEST(value.at("member") == "f0 (aws)");
    BOOST_TEST(value.at("before") == "0.107 USD");
    BOOST_TEST(value.at("after") == "0.20 USD");
}

BOOST_AUTO_TEST_CASE(the_currency_of_a_price_may_be_typed_in_small_letters) {
    fcgi::http::FormData adds;
    adds.fields = {{"list", "own"},     {"providerType", "aws"}, {"flavor", "new"},
                   {"currency", "usd"}, {"perHour", "0.2"},      {"add", "1"}};
    PricesPage page = a_page(1);

    preview_draft(adds, page.own);

    const std::string added = page.own.text.value();
    BOOST_TEST(added.find("aws,,,new,,USD,0.2") != std::string::npos, added);
}

BOOST_AUTO_TEST_CASE(what_is_no_currency_is_told_as_it_was_typed) {
    fcgi::http::FormData adds;
    adds.fields = {{"list", "own"},         {"providerType", "aws"}, {"flavor", "new"},
                   {"currency", "dollars"}, {"perHour", "0.2"},      {"add", "1"}};
    PricesPage page = a_page(1);

    preview_draft(adds, page.own);

    BOOST_TEST(!page.own.is_preview);
    page.own.added = adds;
    const auto drawn = to_json(page).at("forms")[0].at("added");
    BOOST_TEST(drawn.at(3).at("value") == "dollars");
}

BOOST_AUTO_TEST_CASE(a_change_of_one_price_is_told_in_words_and_not_as_lines) {
    fcgi::http::FormData adds;
    adds.fields = {{"list", "own"},     {"providerType", "aws"}, {"flavor", "new"},
                   {"currency", "usd"}, {"perHour", "0.2"},      {"add", "1"}};
    const auto preview = [](const fcgi::http::FormData& form) {
        PricesPage page = a_page(1);
        preview_draft(form, page.own);
        const auto json = to_json(page);
        return json.at("forms")[0].at("preview");
    };
    auto change = adds;
    change.fields.emplace_back("replaces", "aws,,,f0,,USD,0.107");
    fcgi::http::FormData removes;
    removes.fields = {{"remove", "own,aws,,,f0,,USD,0.107"}, {"list", "own"}};

    BOOST_TEST(preview(adds).at("is_single") == true);
    BOOST_TEST(preview(adds).at("single") == "1 price more: new (aws), 0.20 USD per hour.");
    BOOST_TEST(preview(adds).at("save") == "Add this price");
    BOOST_TEST(preview(change).at("single") ==
               "1 price changes: new (aws), 0.20 USD per hour instead of f0 (aws), 0.107 USD per "
               "hour.");
    BOOST_TEST(preview(removes).at("single") == "1 price less: f0 (aws), 0.107 USD per hour.");
    BOOST_TEST(preview(removes).at("save") == "Remove this price");
}

BOOST_AUTO_TEST_CASE(a_price_of_a_provider_of_another_type_is_no_price) {
    const std::vector<Price> prices{{.of = {"aws", "cloud", "", "*", ""}},
                                    {.of = {"simulated", "cloud", "", "*", ""}},
                                    {.of = {"aws", "unknown", "", "*", ""}}};

    const auto problems = problems_with_providers_of(prices, {{"cloud", "simulated"}});

    BOOST_REQUIRE(problems.size() == 1U);
    BOOST_TEST(problems[0].field == "line 2");
    BOOST_TEST(problems[0].message ==
               "cloud is of the type simulated, so no machine would have this price.");
}

BOOST_AUTO_TEST_CASE(a_new_price_begins_with_the_currency_of_the_budget_or_of_the_other_prices) {
    PricesPage page = a_page(1);
    const auto currency = [&] {
        const auto json = to_json(page);
        return json.at("forms")[0].at("added").at(3).at("value");
    };

    BOOST_TEST(currency() == "USD");
    page.budget = provisioner::operations::BudgetState{.budget = {.currency = "EUR"}};
    BOOST_TEST(currency() == "EUR");
}

BOOST_AUTO_TEST_CASE(one_price_is_changed_in_the_list_as_it_is_now) {
    fcgi::http::FormData adds;
    adds.fields = {{"list", "own"},     {"providerType", "aws"}, {"flavor", "new"},
                   {"currency", "USD"}, {"perHour", "0.2"},      {"add", "1"}};
    fcgi::http::FormData removes;
    removes.fields = {{"remove", "own,aws,,,f0,,USD,0.107"}, {"list", "own"}};
    // Somebody else added f1 after the draft was kept.
    PricesPage page = a_page(2);

    preview_draft(adds, page.own);
    const std::string added = page.own.text.value();
    preview_draft(removes, page.own);
    const std::string left = page.own.text.value();

    BOOST_TEST(added.find(",f1,") != std::string::npos, added);
    BOOST_TEST(added.find("aws,,,new,,USD,0.2") != std::string::npos, added);
    BOOST_TEST(left.find(",f1,") != std::string::npos, left);
    BOOST_TEST(left.find(",f0,") == std::string::npos, left);
    BOOST_TEST(!page.own.is_overtaken);
    // The line that is changed was changed by somebody else.
    page.own.prices[0].per_hour.micros = 1;
    preview_draft(removes, page.own);
    BOOST_TEST(page.own.is_overtaken);
    adds.fields.emplace_back("replaces", "aws,,,f0,,USD,0.107");
    preview_draft(adds, page.own);
    BOOST_TEST(page.own.is_overtaken);
}

BOOST_AUTO_TEST_CASE(
    a_whole_list_is_overtaken_when_another_one_replaced_that_which_it_was_made_from) {
    const std::string base = to_json(a_page(1)).at("forms")[0].at("base");
    fcgi::http::FormData draft;
    draft.fields = {{"list", "own"},
                    {"prices", csv_of_prices(a_page(1).own.prices)},
                    {"base", base},
                    {"preview", "1"}};
    PricesPage same = a_page(1);
    PricesPage other = a_page(2);

    preview_draft(draft, same.own);
    preview_draft(draft, other.own);

    BOOST_TEST(to_json(same).at("forms")[0].at("is_overtaken") == false);
    const auto form = to_json(other).at("forms")[0];
    BOOST_TEST(form.at("is_overtaken") == true);
    BOOST_TEST(form.at("base") == fingerprint_of_prices(other.own.prices));
    // What was refused for another reason is still made from the older list.
    PricesPage refused = a_page(2);
    refused.own.text = "x";
    refused.own.base = base;
    BOOST_TEST(to_json(refused).at("forms")[0].at("base") == base);
}

BOOST_AUTO_TEST_CASE(whoever_may_change_a_list_may_remove_its_prices) {
    PricesPage page = a_page(1);
    page.common.prices = {{.of = {"aws", "", "", "m5", ""}, .per_hour = {"USD", 107'000}}};

    const auto forms = to_json(page).at("forms");

    const auto own = forms[0].at("rows")[0];
    BOOST_TEST(own.at("list") == "own");
    BOOST_TEST(own.at("line") == "aws,,,f0,,USD,0.107");
    BOOST_TEST(own.at("edit_href") == "/prices?edit=own%2Caws%2C%2C%2Cf0%2C%2CUSD%2C0.107");
    BOOST_TEST(forms[1].at("rows")[0].at("line") == "");
}

BOOST_AUTO_TEST_CASE(the_file_is_folded_away_until_it_is_edited) {
    PricesPage page = a_page(1);
    BOOST_TEST(to_json(page).at("forms")[0].at("is_as_file") == false);
    BOOST_TEST(to_json(page).at("forms")[0].at("is_adding") == false);
    BOOST_TEST(to_json(page).at("forms")[0].at("add_title") == "New price");
    page.own.text = "nonsense";
    page.own.added.fields = {{"replaces", "aws,,,f0,,USD,0.107"}};
    BOOST_TEST(to_json(page).at("forms")[0].at("is_as_file") == true);
    BOOST_TEST(to_json(page).at("forms")[0].at("add_title") == "Change a price");
}

BOOST_AUTO_TEST_CASE(problems_of_one_more_price_stand_beside_its_controls) {
    PricesPage page = a_page(1);
    page.own.added.fields = {{"providerType", "aws"}, {"currency", "USD"}};
    page.own.problems_added = {{"flavor", "must be given"}};

    const auto json = to_json(page);

    const auto form = json.at("forms")[0];
    BOOST_TEST(form.at("is_adding") == true);
    BOOST_TEST(form.at("added")[0].at("value") == "aws");
    BOOST_TEST(form.at("added")[1].at("problem") == "Fill this in.");
    BOOST_TEST(json.at("problems")[0].at("target") == "price-own-flavor");
}

BOOST_AUTO_TEST_CASE(a_price_is_for_a_type_and_a_provider_that_exist) {
    PricesPage page = a_page(1);
    page.provider_types = {{"aws", "Amazon (aws)"}};
    page.providers = {{"ireland", "ireland"}};
    page.own.added.fields = {{"providerType", "gone"}};

    const auto forms = to_json(page).at("forms");

    const auto type = forms[0].at("added")[0];
    BOOST_TEST(type.at("select") == true);
    BOOST_REQUIRE(type.at("options").size() == 3U);
    BOOST_TEST(type.at("options")[1].at("label") == "Amazon (aws)");
    BOOST_TEST(type.at("options")[2].at("value") == "gone");
    BOOST_TEST(type.at("options")[2].at("selected") == true);
    BOOST_TEST(forms[0].at("added")[4].at("select") == true);
    BOOST_TEST(forms[0].at("added")[4].at("options")[1].at("value") == "ireland");
    // The list for all tenants may name providers of others.
    BOOST_TEST(forms[1].at("added")[4].at("input") == true);
    BOOST_TEST(forms[1].at("added")[4].at("suggestions").size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_list_that_is_too_long_cannot_be_cut_off_by_the_form) {
    const auto json = to_json(a_page(PricesPage::most_prices + 5));

    BOOST_TEST(json.at("forms")[0].at("can_change") == false);
    BOOST_TEST(json.at("forms")[0].at("too_long") == true);
    BOOST_TEST(json.at("forms")[0].at("pager").at("words") == "1 to 50 of 1,005");
    BOOST_TEST(json.at("forms")[0].at("rows")[0].at("line") == "");
}

BOOST_AUTO_TEST_CASE(a_problem_of_a_line_leads_to_its_list_and_stands_beside_it) {
    PricesPage page = a_page(1);
    page.own.text = "nonsense";
    page.own.problems = {{"line 2", "the price is missing"}};

    const auto json = to_json(page);

    BOOST_TEST(json.at("problems")[0].at("target") == "prices-own");
    BOOST_TEST(json.at("problems")[0].at("label") == "Prices of demo");
    BOOST_TEST(json.at("problems")[0].at("message") == "Line 2: the price is missing.");
    const auto field = json.at("forms")[0].at("fields")[0];
    BOOST_TEST(field.at("value") == "nonsense");
    BOOST_TEST(field.at("problem") == "Line 2: the price is missing.");
}

BOOST_AUTO_TEST_CASE(a_budget_shows_what_is_used_of_each_limit) {
    PricesPage page = a_page(1);
    page.budget = provisioner::operations::BudgetState{
        .budget = {.currency = "USD", .per_hour = 500'000, .per_month = 100'000'000},
        .use = {.month = {.name = "2026-11"}}};
    page.budget->use.machines.hourly.per_hour.add({"USD", 600'000});
    page.budget->use.spent.amounts.add({"USD", 20'000'000});
    page.budget->use.machines.committed.add({"USD", 30'000'000});

    const auto limits = to_json(page).at("budget").at("limits");

    BOOST_TEST(limits[0].at("words") == "0.60 USD of 0.50 USD");
    BOOST_TEST(limits[0].at("look") == "bad");
    BOOST_TEST(limits[1].at("words") ==
               "20.00 USD spent and 30.00 USD still to come for existing machines, of 100.00 USD");
    page.budget->use.spent.amounts = {};
    page.budget->use.spent.amounts.add({"USD", 1'667});
    const auto begun = to_json(page);
    BOOST_TEST(begun.at("budget").at("limits")[1].at("words").get<std::string>().starts_with(
        "less than 0.01 USD spent and"));
    BOOST_TEST(limits[1].at("used") == 5'000);
    BOOST_TEST(limits[1].at("max") == 10'000);
}

BOOST_AUTO_TEST_CASE(a_list_without_prices_says_what_comes_next_and_shows_the_form) {
    PricesPage page = a_page(0);
    page.common.owner = provisioner::operations::PriceListOwner::everybody;
    page.for_superadmin = true;
    page.tenant_href = "/tenants/demo";

    const auto json = to_json(page);

    BOOST_TEST(json.at("forms")[0].at("is_adding") == true);
    BOOST_TEST(json.at("forms")[0].at("count") == "");
    BOOST_TEST(json.at("forms")[1].at("is_adding") == false);
    PricesPage after_first = a_page(1);
    after_first.common = page.common;
    after_first.for_superadmin = true;
    after_first.tenant_href = "/tenants/demo";
    BOOST_TEST(to_json(after_first).at("forms")[1].at("is_adding") == false,
               "the second price is not for all");
    page.tenant_href = "";
    const auto own = to_json(page);
    BOOST_TEST(own.at("forms")[0].at("is_adding") == false);
    BOOST_TEST(own.at("forms")[1].at("is_adding") == true, "superadmins set prices for all");
    page.may_change = false;
    page.for_superadmin = false;
    const auto read = to_json(page);
    BOOST_TEST(read.at("forms")[0].at("empty") == "No prices yet. An administrator can add them.");
    BOOST_TEST(read.at("forms")[1].at("empty") == "No prices yet. A superadmin can add them.");
    BOOST_TEST(to_json(a_page(1)).at("forms")[0].at("is_adding") == false);
}

BOOST_AUTO_TEST_CASE(a_long_list_is_paged_but_its_file_has_every_price) {
    PricesPage page = a_page(120);
    page.own.page = 3;
    page.common.page = 2;

    const auto json = to_json(page);
    const auto& own = json.at("forms")[0];

    BOOST_TEST(own.at("rows").size() == 20U);
    BOOST_TEST(own.at("rows")[0].at("flavor") == "f100");
    BOOST_TEST(own.at("pager").at("words") == "101 to 120 of 120");
    BOOST_TEST(own.at("pager").at("previous") == "/prices?common=2&page=2#form-own");
    const auto file = own.at("fields")[0].at("value").get<std::string>();
    BOOST_TEST(std::ranges::count(file, '\n') == 121, "a line for each price, and the header");
    BOOST_TEST(own.at("base") == fingerprint_of_prices(page.own.prices));
    BOOST_TEST(own.at("rows")[0].at("edit_href") ==
               "/prices?edit=own%2Caws%2C%2C%2Cf100%2C%2CUSD%2C0.107&page=3&common=2");
}

BOOST_AUTO_TEST_CASE(a_price_that_is_removed_or_changed_on_one_page_leaves_those_of_the_others) {
    PricesPage page = a_page(120);
    page.own.page = 3;
    preview_draft({.fields = {{"remove", "own," + line_of_price(page.own.prices[110])}}}, page.own);

    const auto wanted = prices_from_csv(*page.own.text);

    BOOST_REQUIRE(wanted.has_value());
    BOOST_TEST(wanted->size() == 119U);
}

BOOST_AUTO_TEST_CASE(prices_are_filtered_by_type_provider_and_text) {
    PricesPage page = a_page(20);
    page.own.prices[3].of.provider_type = "local";
    page.own.prices[4].of.provider = "amazon";
    const auto flavors = [&] {
        const auto json = to_json(page);
        std::string all;
        for (const auto& row : json.at("forms")[0].at("rows")) {
            all += row.at("flavor").get<std::string>() + ' ';
        }
        return all;
    };

    page.filter = {.provider_type = "local"};
    BOOST_TEST(flavors() == "f3 ");
    page.filter = {.provider = "amazon"};
    BOOST_TEST(flavors() == "f4 ");
    page.filter = {.text = "F17"};
    BOOST_TEST(flavors() == "f17 ");
    page.filter = {.text = "nothing"};
    BOOST_TEST(flavors() == "");
    BOOST_TEST(to_json(page).at("forms")[0].at("not_found") == true);
    BOOST_TEST(to_json(page).at("filter").at("is_filtered") == true);

    BOOST_TEST(to_json(a_page(PricesPage::prices_without_filter)).at("filter").is_null());
}

BOOST_AUTO_TEST_CASE(whoever_is_overtaken_in_prices_is_told_by_whom) {
    PricesPage page = a_page(1);
    page.own.is_overtaken = true;
    page.own.last_change = LastChange{.user = "grace", .href = "/audit/7"};

    BOOST_TEST(to_json(page).at("forms")[0].at("last_change").at("changed_by") == "grace");
}

BOOST_AUTO_TEST_SUITE_END()
