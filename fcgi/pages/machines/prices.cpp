#include "fcgi/pages/machines/prices.hpp"

#include <algorithm>
#include <cctype>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/costs.hpp"
#include "fcgi/pages/filter_links.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/kept/kept_form.hpp"
#include "fcgi/pages/people/people_of.hpp"
#include "fcgi/pages/refusals.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/machines/price_list.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"
#include "provisioner/store/plugins/plugin_store.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::messages::translated;
using provisioner::operations::PriceListOwner;
namespace model = provisioner::model;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

namespace {

/// Nothing when there is no such tenant.
std::optional<PricesPage> read_page(const http::Request& request, const auth::Visitor& visitor,
                                    App& app) {
    const model::Caller& caller = visitor.who();
    const auto now = app.clock.now();
    PricesPage page{.own = {.owner = PriceListOwner::tenant},
                    .common = {.owner = PriceListOwner::everybody},
                    .for_superadmin = caller.is_superadmin(),
                    .may_change = caller.is_admin(),
                    .month = model::month_of(now),
                    .now = now};
    const bool is_there = app.database.read([&](store::Connection& connection) {
        const auto of = people_of(request, visitor, connection);
        if (!of) return false;
        page.tenant = of->tenant;
        page.own.tenant = of->tenant.name;
        page.tenant_href = of->tenant_href;
        page.href = of->tenant_href + "/prices";
        const model::TenantId tenant = of->tenant.id;
        page.own.prices = store::list_prices(connection, tenant);
        page.common.prices = store::list_prices(connection, {});
        const auto providers =
            store::list_entries(connection, tenant, model::CatalogueKind::provider);
        page.providers = entry_choices(providers);
        page.types_of_providers.clear();
        for (const Json& provider : providers) {
            page.types_of_providers[provisioner::base::text_at(provider, "name")] =
                provisioner::base::text_at(provider, "providertype");
        }
        // A read may be begun anew.
        page.provider_types.clear();
        for (const auto& type : store::list_plugin_types(connection, model::PluginKind::provider)) {
            page.provider_types.emplace_back(
                type.header.name, label_and_name(type.header.label.value_or(""), type.header.name));
        }
        page.budget = operations::budget_state(connection, of->tenant, now);
        page.unpriced_currency = operations::unpriced_currency(connection, of->tenant);
        page.unpriced_types = read_unpriced_types(connection, of->tenant, now);
        page.shares =
            operations::cost_shares(connection, tenant, {.tenant = tenant}, page.month.begin, now);
        page.labels = read_labels(connection, tenant, {model::CatalogueKind::cluster_template});
        return true;
    });
    return is_there ? std::optional(std::move(page)) : std::nullopt;
}

http::Response drawn_page(App& app, const auth::Visitor& visitor, int status, PricesPage page) {
    app.database.read([&](store::Connection& connection) {
        if (page.own.is_overtaken) {
            page.own.last_change = last_change_of(connection, visitor.who().user.id, page.tenant.id,
                                                  operations::audited_price_list, page.tenant.name);
        }
        // Superadmins alone change it, and read the installation's events.
        if (page.common.is_overtaken && page.for_superadmin) {
            page.common.last_change =
                last_change_of(connection, visitor.who().user.id, {},
                               operations::audited_price_list, operations::audited_common_prices);
        }
    });
    const bool is_named = !page.tenant_href.empty();
    return drawn(
        app, visitor, status, "machines/prices",
        {.title = is_named ? translated("Prices of {0}", page.tenant.name) : translated("Prices"),
         .section = is_named ? "tenants" : "prices"},
        to_json(page));
}

PriceListForm& list_of(PricesPage& page, std::string_view word) {
    return word == word_of_common_prices ? page.common : page.own;
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
    // People type small letters, too; lists and the API have capital ones. What is no currency is
    // quoted as it was typed.
    std::string currency = form.trimmed("currency");
    constexpr std::size_t letters_of_currency = 3;
    if (currency.size() == letters_of_currency)
        std::ranges::transform(currency, currency.begin(), [](unsigned char letter) {
            return static_cast<char>(std::toupper(letter));
        });
    entry["currency"] = currency;
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
        return other.of == price.of || line_of_price(other) == replaced;
    });
    prices.push_back(price);
    return prices;
}

bool has_line(const std::vector<model::Price>& prices, const std::string& line) {
    return std::ranges::any_of(
        prices, [&](const model::Price& price) { return line_of_price(price) == line; });
}

/// The price that a form removes: "own," and its line.
std::string removed_in(const http::FormData& form) {
    std::string named = form.trimmed("remove");
    std::erase(named, '\r');
    return named;
}

/// The form that changes the price which an address names: "own," and its line. Nothing for a price
/// that is not there any more.
void open_price(PricesPage& page, const std::string& named) {
    const auto comma = std::min(named.find(','), named.size());
    PriceListForm& list = list_of(page, named.substr(0, comma));
    const std::string line = named.substr(std::min(comma + 1, named.size()));
    for (const model::Price& price : list.prices) {
        if (line_of_price(price) != line) continue;
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

/// Keeps what a form wants of a list and leads to its preview.
http::Response to_preview(const auth::Visitor& visitor, App& app, const std::string& href,
                          const std::string& list, http::FormData kept) {
    if (!kept.has("list")) kept.fields.emplace_back("list", list);
    const std::string draft = keep_draft(app, visitor, href, kept);
    return http::see_other(href + "?draft=" + draft + "#preview-" + list);
}

std::string too_long_to_preview() {
    return translated(
        "The list is longer than {0} KiB, the most that a preview can have. Replace "
        "it with the API.",
        longest_preview / 1024);
}

/// The answer to a form that replaces nothing; nothing for one that replaces the list.
std::optional<http::Response> changed_list(const auth::Visitor& visitor, App& app,
                                           const http::FormData& form, PricesPage page) {
    const bool removes = form.has("remove");
    if (!removes && !form.has("add")) return std::nullopt;
    const std::string named = removed_in(form);
    PriceListForm& list =
        list_of(page, removes ? named.substr(0, named.find(',')) : form.trimmed("list"));
    const std::string word =
        list.owner == PriceListOwner::tenant ? word_of_own_prices : word_of_common_prices;
    if (removes) return to_preview(visitor, app, page.href, word, form);
    auto prices = with_added(list.prices, form);
    if (prices && list.owner == PriceListOwner::tenant) {
        auto problem = problem_with_provider_of(prices->back(), page.types_of_providers);
        if (!problem.empty()) {
            prices = provisioner::base::unexpected(
                provisioner::base::Problems{{"provider", std::move(problem)}});
        }
    }
    const bool fits = prices && csv_of_prices(*prices).size() <= longest_preview;
    if (fits) return to_preview(visitor, app, page.href, word, form);
    list.added = form;
    list.problems_added =
        prices ? provisioner::base::Problems{{"flavor", too_long_to_preview()}} : prices.error();
    return drawn_page(app, visitor, 422, page);
}

}  // namespace

void preview_draft(const http::FormData& draft, PriceListForm& list) {
    list.is_preview = true;
    if (draft.has("remove")) {
        list.single = PriceListForm::Single::remove;
        const std::string named = removed_in(draft);
        const std::string line = named.substr(std::min(named.find(',') + 1, named.size()));
        auto prices = list.prices;
        std::erase_if(prices,
                      [&](const model::Price& price) { return line_of_price(price) == line; });
        list.is_overtaken = prices.size() == list.prices.size();
        list.text = csv_of_prices(prices);
        return;
    }
    if (draft.has("add")) {
        const auto prices = with_added(list.prices, draft);
        const std::string replaced = draft.trimmed("replaces");
        list.single = replaced.empty() ? PriceListForm::Single::add : PriceListForm::Single::change;
        list.is_preview = prices.has_value();
        list.is_overtaken = !replaced.empty() && !has_line(list.prices, replaced);
        if (prices) list.text = csv_of_prices(*prices);
        return;
    }
    list.text = draft.first("prices");
    list.base = draft.trimmed("base");
    list.is_overtaken = !list.base.empty() && list.base != fingerprint_of_prices(list.prices);
}

http::Response show_prices(const http::Request& request, const auth::Visitor& visitor, App& app) {
    auto found = read_page(request, visitor, app);
    if (!found) return nothing_there(translated("tenant"));
    PricesPage& page = *found;
    if (const auto draft = draft_in(request, visitor, app)) {
        preview_draft(*draft, list_of(page, draft->trimmed("list")));
    } else if (auto gone = gone_draft_in(request, visitor, app)) {
        return *std::move(gone);
    }
    page.filter = {.provider_type = request.query_value("type").value_or(""),
                   .provider = request.query_value("provider").value_or(""),
                   .text = searched_text(request)};
    page.own.page = page_in(request);
    page.common.page = page_in(request, "common");
    if (const auto named = request.query_value("edit")) open_price(page, *named);
    const std::string done = request.query_value("done").value_or("");
    if (done == word_of_own_prices) {
        page.done = translated("Prices of {0} saved.", page.tenant.name);
    }
    if (done == word_of_common_prices) page.done = translated("Prices for all tenants saved.");
    return drawn_page(app, visitor, 200, page);
}

http::Response replace_prices(const http::Request& request, const auth::Visitor& visitor,
                              App& app) {
    const auto form = http::parse_form(request.body);
    const auto present = read_page(request, visitor, app);
    if (!present) return nothing_there(translated("tenant"));
    const bool common = form.trimmed("list") == word_of_common_prices;
    const auto owner = common ? PriceListOwner::everybody : PriceListOwner::tenant;
    const std::string text = form.first("prices").value_or("");
    const auto refused = [&](const provisioner::base::Problems& problems) {
        PricesPage page = *present;
        PriceListForm& list = common ? page.common : page.own;
        list.text = text;
        list.base = form.trimmed("base");
        list.problems = problems;
        return drawn_page(app, visitor, 422, page);
    };
    if (auto changed = changed_list(visitor, app, form, *present)) return *std::move(changed);
    const auto prices = model::prices_from_csv(text);
    if (!prices) return refused(prices.error());
    if (!common) {
        const auto problems = problems_with_providers_of(*prices, present->types_of_providers);
        if (!problems.empty()) return refused(problems);
    }
    if (form.has("preview") && text.size() > longest_preview) {
        return refused({{"", too_long_to_preview()}});
    }
    if (form.has("preview")) {
        return to_preview(visitor, app, present->href,
                          common ? word_of_common_prices : word_of_own_prices, form);
    }
    const auto overtaken = [&](PricesPage page) {
        PriceListForm& list = common ? page.common : page.own;
        list.text = text;
        list.is_preview = true;
        list.is_overtaken = true;
        return drawn_page(app, visitor, 409, std::move(page));
    };
    const std::string base = form.trimmed("base");
    const auto& seen = common ? present->common.prices : present->own.prices;
    if (!base.empty() && base != fingerprint_of_prices(seen)) return overtaken(*present);
    const auto changes = operations::replace_price_list(
        app.database, visitor.who(), owner, *prices, app.clock.now(), present->tenant,
        base.empty() ? std::nullopt : std::optional(seen));
    const bool is_lost = !changes && changes.error().kind == operations::Refusal::Kind::conflict;
    if (auto latest = is_lost ? read_page(request, visitor, app) : std::nullopt) {
        return overtaken(*std::move(latest));
    }
    if (!changes) return with_status_of(changes.error(), refused(changes.error().problems));
    return http::see_other(present->href +
                           "?done=" + (common ? word_of_common_prices : word_of_own_prices));
}

}  // namespace fcgi::pages
