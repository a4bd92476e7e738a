#include "fcgi/forms/audit_query.hpp"

#include <chrono>
#include <stdexcept>

#include "provisioner/base/ids.hpp"
#include "provisioner/base/utf8.hpp"

namespace fcgi::forms {

namespace base = provisioner::base;
namespace audit = provisioner::model::audit;

namespace {

constexpr std::size_t longest_filter = 255;
constexpr std::int64_t latest_millis = 253'402'300'799'999;

/// Reads parameters one by one and collects what is wrong.
class Reader {
 public:
    explicit Reader(const http::Request& request) : request_(request) {}

    std::string text(const char* name) {
        const auto value = request_.query_value(name).value_or("");
        if (value.size() > longest_filter || !base::is_utf8(value)) {
            problem(name, "must be text of at most 255 bytes");
            return "";
        }
        return value;
    }

    std::optional<base::Timestamp> moment(const char* name, bool is_end) {
        const std::string value = text(name);
        if (value.empty()) return std::nullopt;
        auto found = moment_in(value, is_end);
        if (!found) {
            problem(name,
                    "must be a moment in UTC like 2026-11-20 or 2026-11-20T23:28:00Z, or "
                    "milliseconds since 1970");
        }
        return found;
    }

    std::optional<audit::Outcome> outcome(const char* name) {
        const std::string value = text(name);
        if (value.empty()) return std::nullopt;
        auto found = base::from_word<audit::Outcome>(value);
        if (!found) problem(name, "must be done, refused or failed");
        return found;
    }

    std::string scope(const char* name) {
        std::string value = text(name);
        if (!value.empty() && value != "installation" && value != "all") {
            problem(name, "must be installation or all");
        }
        return value;
    }

    const base::Problems& problems() const { return problems_; }

 private:
    void problem(const char* name, const char* message) {
        problems_.push_back({.field = name, .message = message});
    }

    const http::Request& request_;
    base::Problems problems_;
};

}  // namespace

std::optional<base::Timestamp> moment_in(const std::string& text, bool is_end) {
    if (const auto millis = base::parse_number(text)) {
        if (*millis > latest_millis) return std::nullopt;
        return base::from_millis(*millis);
    }
    constexpr std::size_t date = 10;
    constexpr std::size_t minutes = 16;
    std::string moment = text;
    if (moment.ends_with('Z')) moment.pop_back();
    if (moment.size() > date && moment[date] == 'T') moment[date] = ' ';
    if (moment.size() == date) moment += is_end ? " 23:59:59.999999" : " 00:00:00";
    if (moment.size() == minutes) moment += ":00";
    try {
        return base::from_sql(moment);
    } catch (const std::invalid_argument&) {
        return std::nullopt;
    }
}

std::string word_of(const provisioner::store::AuditPlace& place) {
    return std::to_string(place.at.time_since_epoch().count()) + '-' +
           std::to_string(place.chain.value) + '-' + std::to_string(place.number);
}

std::optional<provisioner::store::AuditPlace> audit_place(const std::string& word) {
    const auto first = word.find('-');
    if (first == std::string::npos) return std::nullopt;
    const auto second = word.find('-', first + 1);
    if (second == std::string::npos) return std::nullopt;
    const auto moment = base::parse_number(word.substr(0, first));
    const auto chain = base::parse_number(word.substr(first + 1, second - first - 1));
    const auto number = base::parse_number(word.substr(second + 1));
    if (!moment || !chain || !number || *moment > latest_millis * 1000) return std::nullopt;
    return provisioner::store::AuditPlace{.at = base::Timestamp{std::chrono::microseconds{*moment}},
                                          .chain = provisioner::model::TenantId{*chain},
                                          .number = *number};
}

base::Checked<AuditQuery> audit_query(const http::Request& request) {
    Reader reader(request);
    AuditQuery query;
    query.filter.from = reader.moment("from", false);
    query.filter.to = reader.moment("to", true);
    query.filter.user = reader.text("user");
    query.filter.action = reader.text("action");
    query.filter.is_whole_action = reader.text("exact") == "yes";
    query.filter.object_kind = reader.text("objectKind");
    query.filter.object = reader.text("object");
    query.filter.outcome = reader.outcome("outcome");
    query.filter.request = reader.text("request");
    const std::string scope = reader.scope("scope");
    if (auto tenant = reader.text("tenant"); !tenant.empty()) query.tenant = std::move(tenant);
    query.installation = scope == "installation";
    query.everywhere = scope == "all" && !query.tenant;
    if (!reader.problems().empty()) return base::unexpected(reader.problems());
    return query;
}

AuditChainFound audit_chain(provisioner::store::Connection& connection,
                            const provisioner::model::Caller& caller, const AuditQuery& query) {
    const std::string tenant = query.tenant.value_or(caller.tenant.name);
    const bool is_of_tenant = !query.installation && !query.everywhere;
    if (is_of_tenant && tenant == caller.tenant.name) return {.chain = caller.tenant.id};
    if (!caller.is_superadmin()) {
        return {.status = 403, .message = "user unauthorized, must be superadmin."};
    }
    if (query.everywhere) return {.everywhere = true};
    if (query.installation) return {.chain = provisioner::model::TenantId{}};
    if (const auto chain = provisioner::store::chain_of(connection, tenant)) {
        return {.chain = chain};
    }
    return {.status = 404, .message = "tenant " + tenant + " not found"};
}

}  // namespace fcgi::forms
