#include "fcgi/pages/tenants/tenant_form.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "fcgi/forms/tenant.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/base/merge.hpp"
#include "provisioner/base/utf8.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::base::Problems;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
namespace base = provisioner::base;
namespace model = provisioner::model;
namespace operations = provisioner::operations;

namespace {

/// The texts of the form that can be changed, in its order.
constexpr std::array texts_of_tenant{std::pair{"description", &TenantForm::description},
                                     std::pair{"workers", &TenantForm::workers},
                                     std::pair{"maxClusters", &TenantForm::max_clusters},
                                     std::pair{"maxNodes", &TenantForm::max_nodes},
                                     std::pair{"budget.currency", &TenantForm::currency},
                                     std::pair{"budget.perHour", &TenantForm::per_hour},
                                     std::pair{"budget.perMonth", &TenantForm::per_month}};

const std::string field_before = "was.";

/// Browsers send "\r\n" for every end of a line.
std::string one_line_end(std::string text) {
    std::erase(text, '\r');
    return text;
}

std::string quota_text(int limit) {
    return limit == model::no_maximum ? std::string() : std::to_string(limit);
}

std::string micros_text(const std::optional<std::int64_t>& micros) {
    return micros ? model::decimal_text(*micros) : std::string();
}

FormField number_field(const std::string& name, const std::string& label, const std::string& value,
                       int least, const std::string& hint) {
    return {.id = "input-" + name,
            .name = name,
            .label = label,
            .value = value,
            .hint = hint,
            .type = "number",
            .min = least};
}

std::string workers_hint(const TenantLimits& limits) {
    const std::string meaning =
        translated("How many tasks of this tenant can run at once. Empty means no limit.");
    const int own = limits.tenant.workers;
    const std::string free = translated_count(limits.free_workers, "{0} worker is unassigned.",
                                              "{0} workers are unassigned.");
    return joined_sentences(
        meaning, own == 0 ? free
                          : joined_sentences(free, translated("With its own it can have {0}.",
                                                              grouped(limits.free_workers + own))));
}

FormField amount_field(const std::string& id, const std::string& name, const std::string& label,
                       const std::string& value) {
    return {.id = id, .name = name, .label = label, .value = value, .inputmode = "decimal"};
}

/// The form as the API takes it, so that both have the same checks.
Json tenant_request(const TenantForm& form) {
    Json tenant;
    tenant["name"] = form.name;
    tenant["description"] = form.description;
    const auto set_number = [&](const char* key, const std::string& text) {
        if (text.empty()) return;
        const auto number = base::parse_number(text);
        tenant[key] = number ? Json(*number) : Json(text);
    };
    // The API's word for no limit is 0.
    set_number("workers", form.workers.empty() ? "0" : form.workers);
    set_number("maxClusters", form.max_clusters);
    set_number("maxNodes", form.max_nodes);
    tenant["budget"] = nullptr;
    if (!form.currency.empty() || !form.per_hour.empty() || !form.per_month.empty()) {
        Json budget;
        std::string currency = form.currency;
        std::ranges::transform(currency, currency.begin(), [](unsigned char letter) {
            return static_cast<char>(std::toupper(letter));
        });
        budget["currency"] = currency;
        if (!form.per_hour.empty()) budget["perHour"] = form.per_hour;
        if (!form.per_month.empty()) budget["perMonth"] = form.per_month;
        tenant["budget"] = std::move(budget);
    }
    Json request;
    request["tenant"] = std::move(tenant);
    request["bootstrap"] = form.bootstrap;
    return request;
}

std::string workers_problem(const TenantLimits& limits) {
    const int most = limits.free_workers + limits.tenant.workers;
    if (most == 0) {
        return translated(
            "No worker is unassigned: take some from another tenant, or start a provisioner.");
    }
    return translated("The tenant can have at most {0}.",
                      translated_count(most, "{0} worker", "{0} workers"));
}

std::string tenant_problem_words(const base::Problem& problem, const TenantLimits& limits) {
    const std::string& message = problem.message;
    // By whom stands below; perhaps in another window of the same person.
    if (problem.field == "base") return translated("The tenant was saved meanwhile.");
    if (message.starts_with("Not enough capacity")) return workers_problem(limits);
    if (message.starts_with("must be a whole number of at most")) {
        return translated("Enter a whole number of at most {0}, or leave it empty for no limit.",
                          grouped(model::no_maximum));
    }
    if (message.ends_with(" cannot be negative.")) {
        return problem.field == "workers"
                   ? translated("Enter 1 or more, or leave it empty for no limit.")
                   : translated("Enter 0 or more, or leave it empty for no limit.");
    }
    if (message.starts_with("Writing tenant would cause")) {
        return problem.field == "maxClusters"
                   ? translated_count(limits.use.clusters,
                                      "The tenant has {0} cluster. Enter at least as many.",
                                      "The tenant has {0} clusters. Enter at least as many.")
                   : translated_count(limits.use.nodes,
                                      "The tenant has {0} machine. Enter at least as many.",
                                      "The tenant has {0} machines. Enter at least as many.");
    }
    return message;
}

/// The texts of three forms, with line ends of one kind.
base::Merged merged_texts(const TenantForm& was, const TenantForm& typed,
                          const TenantForm& present) {
    const auto texts_by_field = [](const TenantForm& form) {
        Json texts = Json::object();
        for (const auto& [name, text] : texts_of_tenant) texts[name] = one_line_end(form.*text);
        return texts;
    };
    return base::merged_members(texts_by_field(was), texts_by_field(typed),
                                texts_by_field(present));
}

}  // namespace

TenantForm tenant_form_of(const model::Tenant& tenant) {
    TenantForm form{.name = tenant.name,
                    .description = tenant.description,
                    .workers = tenant.workers == 0 ? "" : std::to_string(tenant.workers),
                    .max_clusters = quota_text(tenant.max_clusters),
                    .max_nodes = quota_text(tenant.max_nodes)};
    if (!tenant.budget) return form;
    form.currency = tenant.budget->currency;
    form.per_hour = micros_text(tenant.budget->per_hour);
    form.per_month = micros_text(tenant.budget->per_month);
    return form;
}

TenantForm tenant_form_in(const http::FormData& sent) {
    TenantForm form{.name = sent.trimmed("name"), .bootstrap = sent.has("bootstrap")};
    for (const auto& [name, text] : texts_of_tenant) form.*text = sent.trimmed(name);
    return form;
}

std::vector<std::pair<std::string, std::string>> fields_of_tenant_before(const TenantForm& was) {
    std::vector<std::pair<std::string, std::string>> fields;
    for (const auto& [name, text] : texts_of_tenant) {
        fields.emplace_back(field_before + name, was.*text);
    }
    return fields;
}

std::optional<TenantForm> tenant_form_was(const http::FormData& sent) {
    TenantForm was;
    for (const auto& [name, text] : texts_of_tenant) {
        if (!sent.has(field_before + name)) return std::nullopt;
        was.*text = sent.trimmed(field_before + name);
    }
    return was;
}

TenantForm merged_tenant_form(const TenantForm& was, const TenantForm& typed,
                              const TenantForm& present, Problems& problems) {
    const auto both = merged_texts(was, typed, present);
    TenantForm merged = typed;
    for (const auto& [name, text] : texts_of_tenant) {
        if (std::ranges::count(both.theirs, name) > 0) merged.*text = present.*text;
    }
    for (const auto& overlap : both.overlaps) {
        const auto saved = overlap.theirs.get<std::string>();
        problems.push_back(
            {overlap.member, saved.empty() ? translated("This was emptied meanwhile.")
                                           : translated("\"{0}\" was saved meanwhile.", saved)});
    }
    return merged;
}

std::vector<std::string> fields_taken_over(const TenantForm& was, const TenantForm& typed,
                                           const TenantForm& present) {
    return merged_texts(was, typed, present).theirs;
}

std::vector<FormField> tenant_fields(const TenantForm& form, const TenantLimits& limits) {
    std::vector<FormField> fields;
    const std::string proposal =
        limits.is_new ? translated("The number filled in is a proposal.") : std::string();
    if (limits.is_new) {
        fields.push_back({.id = "input-name",
                          .name = "name",
                          .label = translated("Name"),
                          .value = form.name,
                          .hint = translated("Users enter it when they log in."),
                          .required = true});
    }
    fields.push_back({.id = "input-description",
                      .name = "description",
                      .label = translated("Description"),
                      .value = form.description,
                      .control = FormField::Control::textarea});
    fields.push_back(
        number_field("workers", translated("Workers"), form.workers, 1, workers_hint(limits)));
    fields.push_back(
        number_field("maxClusters", translated("Maximum clusters"), form.max_clusters, 0,
                     joined_sentences(proposal, translated("Empty means no limit, 0 means none. "
                                                           "Deleted clusters do not count."))));
    fields.push_back(
        number_field("maxNodes", translated("Maximum machines"), form.max_nodes, 0,
                     joined_sentences(proposal, translated("In all clusters together. Empty means "
                                                           "no limit, 0 means none."))));
    fields.push_back(
        {.id = "input-currency",
         .name = "budget.currency",
         .label = translated("Currency of the budget"),
         .value = form.currency,
         .hint = translated("Three letters, such as USD. Empty means no budget. A tenant "
                            "with a budget can only use machines that have a price.")});
    fields.push_back(amount_field("input-per-hour", "budget.perHour", translated("Budget per hour"),
                                  form.per_hour));
    fields.push_back(amount_field("input-per-month", "budget.perMonth",
                                  translated("Budget per month"), form.per_month));
    return fields;
}

operations::TenantSpec tenant_wanted(const TenantForm& form, const TenantLimits& limits,
                                     Problems& problems) {
    Problems found;
    auto wanted = forms::tenant_in(tenant_request(form), found);
    constexpr std::string_view outer = "tenant.";
    for (auto& problem : found) {
        if (problem.field.starts_with(outer)) problem.field.erase(0, outer.size());
        problems.push_back(std::move(problem));
    }
    // Who enters 0 wants none, not the API's "no limit".
    if (!form.workers.empty() && wanted.workers == 0) {
        problems.push_back({"workers", "workers cannot be negative."});
    }
    const std::size_t length = base::utf8_length(form.description);
    if (length > longest_tenant_description && form.description != limits.tenant.description) {
        problems.push_back(
            {"description", translated("This has {0} characters. At most {1} are allowed.",
                                       grouped(length), grouped(longest_tenant_description))});
    }
    return wanted;
}

Problems tenant_problems(const Problems& problems, const TenantLimits& limits) {
    Problems said;
    for (const auto& problem : problems) {
        if (std::ranges::count(said, problem.field, &base::Problem::field) > 0) continue;
        said.push_back({problem.field, tenant_problem_words(problem, limits)});
    }
    return said;
}

}  // namespace fcgi::pages
