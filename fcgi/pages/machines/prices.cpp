#include "fcgi/pages/machines/prices.hpp"

#include <algorithm>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/costs.hpp"
#include "fcgi/pages/form_field.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/kept/kept_form.hpp"
#include "fcgi/pages/refusals.hpp"
#include "fcgi/pages/text_difference.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/identity/sha256.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/machines/price_list.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"
#include "provisioner/store/plugins/plugin_store.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
using provisioner::operations::PriceListOwner;
namespace model = provisioner::model;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

namespace {

constexpr auto word_of_own = "own";
constexpr auto word_of_common = "common";

bool is_own(const PriceListForm& form) {
    return form.owner == PriceListOwner::tenant;
}

std::string csv_of(const std::vector<model::Price>& prices) {
    std::string text = model::to_csv(prices);
    std::erase(text, '\r');
    return text;
}

std::string text_of(const PriceListForm& form) {
    return form.text ? *form.text : csv_of(form.prices);
}

std::string id_of_text(const PriceListForm& form) {
    return std::string("prices-") + (is_own(form) ? word_of_own : word_of_common);
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
    return is_own(form) ? translated("Prices of this tenant")
                        : translated("Prices for all tenants");
}

/// The message with its place: "Line 3: the price is not a number."
std::string in_line(const std::string& place, const std::string& message) {
    constexpr std::string_view line = "line ";
    return place.starts_with(line) ? translated("Line {0}: {1}", place.substr(line.size()), message)
                                   : message;
}

/// The controls for one more price.
std::vector<FormField> fields_of_added(const PricesPage& page, const PriceListForm& form) {
    const std::string prefix =
        std::string("price-") + (is_own(form) ? word_of_own : word_of_common);
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
            field("flavor", translated("Flavor"), true, translated("* stands for any.")),
            field("perHour", translated("Price per hour"), true),
            field("currency", translated("Currency"), true, translated("Such as USD")),
            std::move(provider),
            field("region", translated("Region"), false, any),
            field("image", translated("Image"), false, any)};
}

/// In one order and one way of writing, so that only what differs is a difference.
std::string comparable(std::vector<model::Price> prices) {
    std::ranges::sort(prices, {}, &model::Price::of);
    return csv_of(prices);
}

/// Tells whether a list is still the one that was previewed.
std::string fingerprint_of(const std::vector<model::Price>& prices) {
    provisioner::identity::Sha256 hash;
    hash.add(comparable(prices));
    return hash.finish().substr(0, 16);
}

/// What replacing the list by the text changes; null unless a preview was asked for.
Json preview_json(const PriceListForm& form) {
    if (!form.is_preview) return nullptr;
    const auto wanted = model::prices_from_csv(text_of(form));
    return {{"difference", text_difference_json(comparable(form.prices),
                                                wanted ? comparable(*wanted) : text_of(form))}};
}

/// A price as a line of the file.
std::string line_of(const model::Price& price) {
    std::string text = csv_of({price});
    text.erase(0, text.find('\n') + 1);
    if (!text.empty()) text.pop_back();
    return text;
}

Json row_json(const PriceListForm& form, const model::Price& price, bool may_write) {
    const auto any = [](const std::string& value) {
        return value.empty() ? translated("any") : value;
    };
    const std::string list = is_own(form) ? word_of_own : word_of_common;
    Json json;
    json["type"] = price.of.provider_type;
    json["provider"] = any(price.of.provider);
    json["region"] = any(price.of.region);
    json["flavor"] = price.of.flavor == model::any_flavor ? translated("any") : price.of.flavor;
    json["image"] = any(price.of.image);
    json["per_hour"] = to_text(price.per_hour);
    json["line"] = may_write ? line_of(price) : "";
    json["list"] = list;
    json["edit_href"] =
        "/prices?edit=" + http::percent_encode(list + ',' + line_of(price)) + "#add-" + list;
    return json;
}

Json rows_json(const PriceListForm& form, bool may_write) {
    const std::size_t shown = std::min(form.prices.size(), PricesPage::most_prices);
    Json rows = Json::array();
    for (std::size_t i = 0; i < shown; ++i) {
        rows.push_back(row_json(form, form.prices[i], may_write));
    }
    return rows;
}

Json form_json(const PricesPage& page, const PriceListForm& form, bool may_write) {
    const bool fits = form.prices.size() <= PricesPage::most_prices;
    const bool can_change = may_write && (fits || form.text);
    Json json;
    json["key"] = is_own(form) ? word_of_own : word_of_common;
    json["title"] = title_of(form);
    json["count"] = translated_count(form.prices.size(), "{0} price", "{0} prices");
    json["csv"] = is_own(form) ? "/v2/prices?format=csv" : "/v2/prices/default?format=csv";
    json["can_change"] = can_change;
    json["rows"] = rows_json(form, may_write && fits);
    json["has_rows"] = !form.prices.empty();
    json["more"] = fits ? Json() : Json(grouped(form.prices.size() - PricesPage::most_prices));
    json["preview"] = preview_json(form);
    json["base"] = form.is_preview ? fingerprint_of(form.prices) : "";
    json["is_overtaken"] = form.is_overtaken;
    Json added = Json::array();
    for (const FormField& field : fields_of_added(page, form)) {
        added.push_back(to_json(field, form.problems_added));
    }
    const std::string replaced = form.added.trimmed("replaces");
    json["added"] = std::move(added);
    json["is_adding"] = !form.added.fields.empty();
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

Json limit_json(const std::string& what, std::optional<std::int64_t> limit, std::int64_t used,
                const std::string& words) {
    Json json;
    json["what"] = what;
    json["words"] = words;
    // Whole cents: a progress bar needs no more.
    json["max"] = limit ? std::max<std::int64_t>(*limit / 10'000, 1) : 1;
    json["used"] = used / 10'000;
    json["look"] = used > limit.value_or(0) ? "bad" : "active";
    return json;
}

Json limits_json(const operations::BudgetState& state) {
    const auto& [budget, use, warnings] = state;
    const auto text = [&](std::int64_t micros) {
        return to_rounded_text(model::Money{budget.currency, micros});
    };
    const auto exact = [&](std::int64_t micros) {
        return to_text(model::Money{budget.currency, micros});
    };
    Json limits = Json::array();
    const std::int64_t hour = use.machines.hourly.per_hour.of(budget.currency);
    if (budget.per_hour) {
        limits.push_back(
            limit_json(translated("Per hour"), budget.per_hour, hour,
                       translated("{0} of {1}", exact(hour), exact(*budget.per_hour))));
    }
    const std::int64_t spent = use.spent.amounts.of(budget.currency);
    const std::int64_t committed = use.machines.committed.of(budget.currency);
    if (budget.per_month) {
        limits.push_back(
            limit_json(translated("In {0}", use.month.name), budget.per_month, spent + committed,
                       translated("{0} spent and {1} promised to existing machines, of {2}",
                                  text(spent), text(committed), text(*budget.per_month))));
    }
    return limits;
}

Json budget_json(const PricesPage& page) {
    if (!page.budget) return nullptr;
    Json warnings = Json::array();
    for (const std::string& sentence : page.budget->warnings) {
        warnings.push_back(Json{{"warning", sentence}});
    }
    Json json;
    json["limits"] = limits_json(*page.budget);
    json["has_warnings"] = !warnings.empty();
    json["warnings"] = std::move(warnings);
    return json;
}

Json shares_json(const PricesPage& page) {
    Json shares = Json::array();
    for (const operations::CostShare& share : page.shares) {
        Json json;
        json["owner"] = share.owner;
        json["template"] = share.cluster_template;
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

PricesPage read_page(const auth::Visitor& visitor, App& app) {
    const model::Caller& caller = visitor.who();
    const auto now = app.clock.now();
    PricesPage page{.own = {.owner = PriceListOwner::tenant},
                    .common = {.owner = PriceListOwner::everybody},
                    .for_superadmin = caller.is_superadmin(),
                    .may_change = caller.is_admin(),
                    .month = model::month_of(now)};
    app.database.read([&](store::Connection& connection) {
        page.own.prices = store::list_prices(connection, caller.tenant.id);
        page.common.prices = store::list_prices(connection, {});
        page.providers = entry_choices(
            store::list_entries(connection, caller.tenant.id, model::CatalogueKind::provider));
        // A read may be begun anew.
        page.provider_types.clear();
        for (const auto& type : store::list_plugin_types(connection, model::PluginKind::provider)) {
            page.provider_types.emplace_back(
                type.header.name, label_and_name(type.header.label.value_or(""), type.header.name));
        }
        page.budget = operations::budget_state(connection, caller.tenant, now);
        page.shares = operations::cost_shares(connection, caller.tenant.id,
                                              {.tenant = caller.tenant.id}, page.month.begin, now);
    });
    return page;
}

http::Response drawn_page(App& app, const auth::Visitor& visitor, int status,
                          const PricesPage& page) {
    return drawn(app, visitor, status, "machines/prices",
                 {.title = translated("Prices"), .section = "prices"}, to_json(page));
}

PriceListForm& list_of(PricesPage& page, std::string_view word) {
    return word == word_of_common ? page.common : page.own;
}

/// The list with one more price; another price of the same machines is replaced by it, and so is
/// the line that the form names in `replaces`. Problems name controls.
provisioner::base::Checked<std::vector<model::Price>> with_added(std::vector<model::Price> prices,
                                                                 const http::FormData& form) {
    Json entry = Json::object();
    for (const char* name :
         {"providerType", "provider", "region", "flavor", "image", "currency", "perHour"}) {
        entry[name] = form.trimmed(name);
    }
    const auto added = model::prices_from_json(Json::array({entry}));
    if (!added) {
        provisioner::base::Problems problems;
        for (const auto& problem : added.error()) {
            // "flavor must be given."
            std::string message = problem.message;
            if (message.ends_with('.')) message.pop_back();
            const auto blank = message.find(' ');
            problems.push_back({message.substr(0, blank), message.substr(blank + 1)});
        }
        return provisioner::base::unexpected(std::move(problems));
    }
    const model::Price& price = added->front();
    const std::string replaced = form.trimmed("replaces");
    std::erase_if(prices, [&](const model::Price& other) {
        return other.of == price.of || line_of(other) == replaced;
    });
    prices.push_back(price);
    return prices;
}

/// The form that changes the price which an address names: "own," and its line. Nothing for a price
/// that is not there any more.
void open_price(PricesPage& page, const std::string& named) {
    const auto comma = std::min(named.find(','), named.size());
    PriceListForm& list = list_of(page, named.substr(0, comma));
    const std::string line = named.substr(std::min(comma + 1, named.size()));
    for (const model::Price& price : list.prices) {
        if (line_of(price) != line) continue;
        list.added.fields = {{"replaces", line},
                             {"providerType", price.of.provider_type},
                             {"provider", price.of.provider},
                             {"region", price.of.region},
                             {"flavor", price.of.flavor},
                             {"image", price.of.image},
                             {"currency", price.per_hour.currency},
                             {"perHour", model::decimal_text(price.per_hour.micros)}};
        return;
    }
}

/// Longest list that is previewed, in bytes.
constexpr std::size_t longest_preview = 256 * 1024;

/// Keeps a new list and leads to its preview.
http::Response to_preview(const auth::Visitor& visitor, App& app, const std::string& list,
                          const std::string& text) {
    http::FormData kept;
    kept.fields = {{"list", list}, {"prices", text}, {"preview", "1"}};
    const std::string draft = keep_draft(app, visitor, "/prices", kept);
    return http::see_other("/prices?draft=" + draft + "#preview-" + list);
}

std::string too_long_to_preview() {
    return translated("The list is too long for a preview. Replace it with the API.");
}

/// The answer to a form that replaces nothing; nothing for one that replaces the list.
std::optional<http::Response> changed_list(const auth::Visitor& visitor, App& app,
                                           const http::FormData& form) {
    const bool removes = form.has("remove");
    if (!removes && !form.has("add")) return std::nullopt;
    PricesPage page = read_page(visitor, app);
    // "own," and the line.
    std::string removed = form.trimmed("remove");
    std::erase(removed, '\r');
    const auto comma = std::min(removed.find(','), removed.size());
    PriceListForm& list = list_of(page, removes ? removed.substr(0, comma) : form.trimmed("list"));
    const std::string word = is_own(list) ? word_of_own : word_of_common;
    if (removes) {
        const std::string line = removed.substr(std::min(comma + 1, removed.size()));
        std::erase_if(list.prices,
                      [&](const model::Price& price) { return line_of(price) == line; });
        return to_preview(visitor, app, word, csv_of(list.prices));
    }
    auto prices = with_added(list.prices, form);
    const bool fits = prices && csv_of(*prices).size() <= longest_preview;
    if (fits) return to_preview(visitor, app, word, csv_of(*prices));
    list.added = form;
    list.problems_added =
        prices ? provisioner::base::Problems{{"flavor", too_long_to_preview()}} : prices.error();
    return drawn_page(app, visitor, 422, page);
}

}  // namespace

Json to_json(const PricesPage& page) {
    Json json = all_problems_json(page);
    const bool has_prices = !page.own.prices.empty() || !page.common.prices.empty();
    json["done"] = page.done;
    json["budget"] = budget_json(page);
    json["month"] = page.month.name;
    json["has_shares"] = !page.shares.empty() && has_prices;
    json["shares"] = shares_json(page);
    json["sum"] = cost_words(operations::sum_of(page.shares));
    json["forms"] = {form_json(page, page.own, page.may_change),
                     form_json(page, page.common, page.for_superadmin)};
    return json;
}

http::Response show_prices(const http::Request& request, const auth::Visitor& visitor, App& app) {
    PricesPage page = read_page(visitor, app);
    if (const auto draft = draft_in(request, visitor, app)) {
        PriceListForm& list = list_of(page, draft->trimmed("list"));
        list.text = draft->first("prices");
        list.is_preview = true;
    } else if (auto gone = gone_draft_in(request, visitor, app)) {
        return *std::move(gone);
    }
    if (const auto named = request.query_value("edit")) open_price(page, *named);
    const std::string done = request.query_value("done").value_or("");
    if (done == word_of_own) page.done = translated("Prices of this tenant saved.");
    if (done == word_of_common) page.done = translated("Prices for all tenants saved.");
    return drawn_page(app, visitor, 200, page);
}

http::Response replace_prices(const http::Request& request, const auth::Visitor& visitor,
                              App& app) {
    const auto form = http::parse_form(request.body);
    const bool common = form.trimmed("list") == word_of_common;
    const auto owner = common ? PriceListOwner::everybody : PriceListOwner::tenant;
    const std::string text = form.first("prices").value_or("");
    const auto refused = [&](const provisioner::base::Problems& problems) {
        PricesPage page = read_page(visitor, app);
        PriceListForm& list = common ? page.common : page.own;
        list.text = text;
        list.problems = problems;
        return drawn_page(app, visitor, 422, page);
    };
    if (auto changed = changed_list(visitor, app, form)) return *std::move(changed);
    const auto prices = model::prices_from_csv(text);
    if (!prices) return refused(prices.error());
    if (form.has("preview") && text.size() > longest_preview) {
        return refused({{"", too_long_to_preview()}});
    }
    if (form.has("preview")) {
        return to_preview(visitor, app, common ? word_of_common : word_of_own, text);
    }
    const std::string base = form.trimmed("base");
    PricesPage present = read_page(visitor, app);
    PriceListForm& list = common ? present.common : present.own;
    if (!base.empty() && base != fingerprint_of(list.prices)) {
        list.text = text;
        list.is_preview = true;
        list.is_overtaken = true;
        return drawn_page(app, visitor, 409, present);
    }
    const auto changes = operations::replace_price_list(app.database, visitor.who(), owner, *prices,
                                                        app.clock.now());
    if (!changes) return with_status_of(changes.error(), refused(changes.error().problems));
    return http::see_other(std::string("/prices?done=") + (common ? word_of_common : word_of_own));
}

}  // namespace fcgi::pages
