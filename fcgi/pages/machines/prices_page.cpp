#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/costs.hpp"
#include "fcgi/pages/differences/text_difference.hpp"
#include "fcgi/pages/filter_links.hpp"
#include "fcgi/pages/form_field.hpp"
#include "fcgi/pages/machines/price_words.hpp"
#include "fcgi/pages/machines/prices.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/identity/sha256.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/machines/price_list.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
using provisioner::operations::PriceListOwner;
namespace model = provisioner::model;
namespace operations = provisioner::operations;

namespace {

bool is_own(const PriceListForm& form) {
    return form.owner == PriceListOwner::tenant;
}

std::string text_of(const PriceListForm& form) {
    return form.text ? *form.text : csv_of_prices(form.prices);
}

std::string id_of_text(const PriceListForm& form) {
    return std::string("prices-") + (is_own(form) ? word_of_own_prices : word_of_common_prices);
}

FormField field_of(const PriceListForm& form) {
    return {.id = id_of_text(form),
            .name = "prices",
            .label = translated("Prices as comma-separated values"),
            .value = text_of(form),
            .hint = translated(
                "Replaces the whole list. The first line names the columns. Empty provider, region "
                "and image stand for all of them; the flavor * stands for every flavor."),
            .control = FormField::Control::textarea,
            .required = true,
            .rows = 10,
            .code = true};
}

std::string title_of(const PriceListForm& form) {
    return is_own(form) ? translated("Prices of {0}", form.tenant)
                        : translated("Prices for all tenants");
}

/// The message with its place: "Line 3: the price is not a number."
std::string in_line(const std::string& place, const std::string& message) {
    constexpr std::string_view line = "line ";
    return place.starts_with(line) ? translated("Line {0}: {1}", place.substr(line.size()), message)
                                   : message;
}

/// What the form of a new price begins with: the currency of the budget, else that of the prices
/// that there are.
std::string usual_currency(const PricesPage& page, const PriceListForm& form) {
    if (page.budget && is_own(form)) return page.budget->budget.currency;
    return form.prices.empty() ? "" : form.prices.front().per_hour.currency;
}

/// The controls for one more price.
std::vector<FormField> fields_of_added(const PricesPage& page, const PriceListForm& form) {
    const std::string prefix =
        std::string("price-") + (is_own(form) ? word_of_own_prices : word_of_common_prices);
    const auto field = [&](const char* name, std::string label, bool required,
                           std::string hint = "") {
        return FormField{.id = prefix + '-' + name,
                         .name = name,
                         .label = std::move(label),
                         .value = form.added.trimmed(name),
                         .hint = std::move(hint),
                         .required = required};
    };
    const auto choose = [](FormField chosen, const std::string& none, const PriceChoices& choices) {
        chosen.control = FormField::Control::select;
        chosen.options = {{"", none}};
        chosen.options.insert(chosen.options.end(), choices.begin(), choices.end());
        // What was sent stays, even if it is offered no more.
        const bool is_known = std::ranges::any_of(
            chosen.options, [&](const auto& option) { return option.first == chosen.value; });
        if (!is_known) chosen.options.emplace_back(chosen.value, chosen.value);
        return chosen;
    };
    const std::string any = translated("Empty: any");
    FormField per_hour = field("perHour", translated("Price per hour"), true);
    // What is changed, as a rule.
    per_hour.takes_focus = form.added.has("replaces") && form.problems_added.empty();
    FormField currency =
        field("currency", translated("Currency"), true, translated("Three letters, such as USD"));
    if (!form.added.has("currency")) currency.value = usual_currency(page, form);
    FormField provider = field("provider", translated("Provider"), false);
    if (is_own(form)) {
        provider = choose(std::move(provider), translated("Any"), page.providers);
    } else {
        // Other tenants have other ones.
        provider.hint = any;
        for (const auto& [name, words] : page.providers) provider.suggestions.push_back(name);
    }
    return {choose(field("providerType", translated("Provider type"), true),
                   translated("Choose a type"), page.provider_types),
            field("flavor", translated("Flavor"), true, translated("* stands for any")),
            std::move(per_hour),
            std::move(currency),
            std::move(provider),
            field("region", translated("Region"), false, any),
            field("image", translated("Image"), false, any)};
}

/// In one order and one way of writing, so that only what differs is a difference.
std::string comparable(std::vector<model::Price> prices) {
    std::ranges::sort(prices, {}, &model::Price::of);
    return csv_of_prices(prices);
}

/// More changed prices than these are only in the lines.
constexpr std::size_t most_price_rows = 200;

/// The prices that differ, for the table of a difference.
Json changed_prices(const std::vector<model::Price>& before,
                    const std::vector<model::Price>& after) {
    std::map<std::string, std::pair<std::string, std::string>> rows;
    for (const model::Price& price : before) {
        rows[machines_of_price(price)].first = to_text(price.per_hour);
    }
    for (const model::Price& price : after) {
        rows[machines_of_price(price)].second = to_text(price.per_hour);
    }
    Json changed = Json::array();
    for (const auto& [machines, prices] : rows) {
        if (prices.first == prices.second) continue;
        changed.push_back(
            {{"member", machines}, {"before", prices.first}, {"after", prices.second}});
    }
    return changed.size() > most_price_rows ? Json::array() : changed;
}

std::string words_on_saving(PriceListForm::Single single) {
    switch (single) {
        case PriceListForm::Single::none:
            return translated("Save these prices");
        case PriceListForm::Single::add:
            return translated("Add this price");
        case PriceListForm::Single::change:
            return translated("Change this price");
        case PriceListForm::Single::remove:
            return translated("Remove this price");
    }
    throw std::logic_error("unknown change of a price");
}

/// What replacing the list by the text changes; null unless a preview was asked for.
Json preview_json(const PriceListForm& form) {
    if (!form.is_preview) return nullptr;
    const auto wanted = model::prices_from_csv(text_of(form));
    Json difference =
        text_difference_json(comparable(form.prices), wanted ? comparable(*wanted) : text_of(form));
    if (wanted) {
        difference["values"] = changed_prices(form.prices, *wanted);
        difference["has_values"] = !difference["values"].empty();
    }
    Json json;
    json["difference"] = std::move(difference);
    json["is_single"] = form.single != PriceListForm::Single::none;
    json["single"] = wanted ? price_changes_in_words(form.prices, *wanted) : "";
    json["save"] = words_on_saving(form.single);
    // The list goes along out of sight.
    json["single_text"] = json["is_single"] == true ? text_of(form) : "";
    return json;
}

/// What the address says of both lists but for `edit`.
std::vector<std::pair<std::string, std::string>> parameters_of(const PricesPage& page,
                                                               const PriceListForm* without_page) {
    const auto number = [&](const PriceListForm& form) {
        return &form == without_page || form.page == 1 ? std::string() : std::to_string(form.page);
    };
    return {{"type", page.filter.provider_type},
            {"provider", page.filter.provider},
            {"q", page.filter.text},
            {"page", number(page.own)},
            {"common", number(page.common)}};
}

bool fits_filter(const model::Price& price, const PriceFilter& filter) {
    const auto is = [](const std::string& wanted, const std::string& value) {
        return wanted.empty() || wanted == value;
    };
    return is(filter.provider_type, price.of.provider_type) &&
           is(filter.provider, price.of.provider) && has_text(line_of_price(price), filter.text);
}

Json row_json(const PricesPage& page, const PriceListForm& form, const model::Price& price,
              bool may_write) {
    const std::string list = is_own(form) ? word_of_own_prices : word_of_common_prices;
    Json json;
    json["type"] = price.of.provider_type;
    json["provider"] = price.of.provider;
    json["region"] = price.of.region;
    json["flavor"] = price.of.flavor == model::any_flavor ? translated("any") : price.of.flavor;
    json["image"] = price.of.image;
    json["per_hour"] = to_text(price.per_hour);
    json["line"] = may_write ? line_of_price(price) : "";
    json["line_words"] = machines_of_price(price);
    json["list"] = list;
    auto parameters = parameters_of(page, nullptr);
    parameters.insert(parameters.begin(), {"edit", list + ',' + line_of_price(price)});
    // No part of the page: browsers would give the focus to nothing then.
    json["edit_href"] = address_with(page.href, parameters);
    return json;
}

std::vector<const model::Price*> prices_that_fit(const PricesPage& page,
                                                 const PriceListForm& form) {
    std::vector<const model::Price*> fitting;
    for (const model::Price& price : form.prices) {
        if (page.filter.is_empty() || fits_filter(price, page.filter)) fitting.push_back(&price);
    }
    return fitting;
}

/// The rows of a page, and the links to the others.
void add_rows(const PricesPage& page, const PriceListForm& form, bool may_write, Json& json) {
    const auto fitting = prices_that_fit(page, form);
    const Portion portion = portion_of(fitting.size(), PricesPage::prices_shown, form.page);
    json["rows"] = Json::array();
    for (std::size_t i = portion.begin(); i < portion.end(); ++i) {
        json["rows"].push_back(row_json(page, form, *fitting[i], may_write));
    }
    json["has_rows"] = !fitting.empty();
    json["not_found"] = fitting.empty() && !form.prices.empty();
    const std::string key = is_own(form) ? word_of_own_prices : word_of_common_prices;
    json["pager"] =
        pager_json(portion, page.href, parameters_of(page, &form), is_own(form) ? "page" : "common",
                   "#form-" + key, translated("Pages: {0}", title_of(form)));
}

/// The controls that choose prices; none for a few prices.
Json filter_json(const PricesPage& page) {
    const std::size_t all = page.own.prices.size() + page.common.prices.size();
    if (all <= PricesPage::prices_without_filter && page.filter.is_empty()) return nullptr;
    std::set<std::string> types;
    std::set<std::string> providers;
    for (const auto* form : {&page.own, &page.common}) {
        for (const model::Price& price : form->prices) {
            types.insert(price.of.provider_type);
            if (!price.of.provider.empty()) providers.insert(price.of.provider);
        }
    }
    const auto choose = [](const char* name, std::string label, const std::string& value,
                           std::set<std::string> values) {
        FormField field{.id = std::string("filter-") + name,
                        .name = name,
                        .label = std::move(label),
                        .value = value,
                        .control = FormField::Control::select,
                        .options = {{"", translated("All")}}};
        if (!value.empty()) values.insert(value);
        for (const std::string& one : values) field.options.emplace_back(one, one);
        return to_json(field, {});
    };
    const FormField text{.id = "filter-q",
                         .name = "q",
                         .label = translated("Search prices"),
                         .value = page.filter.text,
                         .type = "search"};
    Json fields{choose("type", translated("Provider type"), page.filter.provider_type, types),
                choose("provider", translated("Provider"), page.filter.provider, providers),
                to_json(text, {})};
    for (Json& field : fields) field["optional"] = false;
    return {{"fields", std::move(fields)}, {"is_filtered", !page.filter.is_empty()}};
}

Json form_json(const PricesPage& page, const PriceListForm& form, bool may_write) {
    const bool fits = form.prices.size() <= PricesPage::most_prices;
    const bool can_change = may_write && (fits || form.text);
    Json json;
    json["key"] = is_own(form) ? word_of_own_prices : word_of_common_prices;
    json["title"] = title_of(form);
    json["count"] =
        form.prices.empty() ? "" : translated_count(form.prices.size(), "{0} price", "{0} prices");
    // The API has the list of the viewer's own tenant.
    const bool is_of_other = is_own(form) && !page.tenant_href.empty();
    json["csv"] = is_of_other    ? ""
                  : is_own(form) ? "/v2/prices?format=csv"
                                 : "/v2/prices/default?format=csv";
    json["can_change"] = can_change;
    json["list_href"] = address_with(page.href, parameters_of(page, nullptr)) + "#form-" +
                        json["key"].get<std::string>();
    add_rows(page, form, may_write && fits, json);
    json["preview"] = preview_json(form);
    // Whoever was told that the list is another one now may go on.
    json["base"] =
        form.base.empty() || form.is_overtaken ? fingerprint_of_prices(form.prices) : form.base;
    json["is_overtaken"] = form.is_overtaken;
    json["last_change"] = to_json(form.last_change, page.now);
    Json added = Json::array();
    for (const FormField& field : fields_of_added(page, form)) {
        added.push_back(to_json(field, form.problems_added));
    }
    const std::string replaced = form.added.trimmed("replaces");
    json["added"] = std::move(added);
    // One form is open at most: that of the tenant's empty list, but that for all where superadmins
    // see the list of their own tenant. Nobody sets a price for all instead of one for a tenant.
    const bool is_common_first = page.for_superadmin && page.tenant_href.empty();
    const bool is_first = form.prices.empty() && !form.text && is_own(form) != is_common_first;
    json["is_adding"] = is_first || !form.added.fields.empty();
    json["empty"] =
        !form.prices.empty() ? ""
        : can_change
            ? translated("No prices yet. Add the first one below, or a whole list as a file.")
        : is_own(form) ? translated("No prices yet. An administrator can add them.")
                       : translated("No prices yet. A superadmin can add them.");
    json["replaces"] = replaced;
    json["add_title"] = replaced.empty() ? translated("New price") : translated("Change a price");
    json["too_long"] = may_write && !fits && !form.text;
    provisioner::base::Problems problems;
    for (const auto& [place, message] : form.problems) {
        problems.push_back({"prices", in_line(place, message)});
    }
    json["is_as_file"] = form.text.has_value();
    json["fields"] = can_change ? Json{to_json(field_of(form), problems)} : Json::array();
    return json;
}

Json budget_json(const PricesPage& page) {
    if (!page.budget) return nullptr;
    Json warnings = Json::array();
    for (const std::string& sentence : page.budget->warnings) {
        warnings.push_back(Json{{"warning", sentence}});
    }
    Json json;
    json["limits"] = budget_limits_json(*page.budget);
    json["has_warnings"] = !warnings.empty();
    json["warnings"] = std::move(warnings);
    return json;
}

Json shares_json(const PricesPage& page) {
    Json shares = Json::array();
    for (const operations::CostShare& share : page.shares) {
        Json json;
        json["owner"] = share.owner;
        json["template"] =
            page.labels.of(model::CatalogueKind::cluster_template, share.cluster_template);
        json["time"] = spoken(std::chrono::seconds{share.seconds});
        json["cost"] = cost_words(share.cost);
        shares.push_back(std::move(json));
    }
    return shares;
}

/// Problems of both lists, with a link to the text whose lines they are about.
Json all_problems_json(const PricesPage& page) {
    provisioner::base::Problems shown;
    std::vector<NamedControl> controls;
    for (const auto* form : {&page.own, &page.common}) {
        const std::string id = id_of_text(*form);
        controls.push_back({.name = id, .id = id, .label = title_of(*form)});
        for (const auto& [place, message] : form->problems) {
            shown.push_back({id, in_line(place, message)});
        }
        for (const FormField& field : fields_of_added(page, *form)) {
            const std::string name = is_own(*form) ? field.name : "common." + field.name;
            controls.push_back({.name = name, .id = field.id, .label = field.label});
            for (const auto& problem : form->problems_added) {
                if (problem.field == field.name) shown.push_back({name, problem.message});
            }
        }
    }
    const bool is_adding = !page.own.problems_added.empty() || !page.common.problems_added.empty();
    return problems_json(is_adding ? translated("Couldn't add the price")
                                   : translated("Couldn't replace the prices"),
                         shown, controls);
}

}  // namespace

std::string csv_of_prices(const std::vector<model::Price>& prices) {
    std::string text = model::to_csv(prices);
    std::erase(text, '\r');
    return text;
}

std::string line_of_price(const model::Price& price) {
    std::string text = csv_of_prices({price});
    text.erase(0, text.find('\n') + 1);
    if (!text.empty()) text.pop_back();
    return text;
}

std::string fingerprint_of_prices(const std::vector<model::Price>& prices) {
    provisioner::identity::Sha256 hash;
    hash.add(comparable(prices));
    return hash.finish().substr(0, 16);
}

Json to_json(const PricesPage& page) {
    Json json = all_problems_json(page);
    const bool has_prices = !page.own.prices.empty() || !page.common.prices.empty();
    json["done"] = page.done;
    json["prices_href"] = page.href;
    json["tenant_href"] = page.tenant_href;
    json["of_tenant"] = page.tenant.name;
    json["filter"] = filter_json(page);
    json["budget"] = budget_json(page);
    json["unpriced"] = page.unpriced_currency.empty() ? page.unpriced_types
                                                      : unpriced_words(page.unpriced_currency);
    json["month"] = page.month.name;
    json["has_shares"] = !page.shares.empty() && has_prices;
    json["shares"] = shares_json(page);
    json["sum"] = cost_words(operations::sum_of(page.shares));
    json["forms"] = {form_json(page, page.own, page.may_change),
                     form_json(page, page.common, page.for_superadmin)};
    return json;
}

}  // namespace fcgi::pages
