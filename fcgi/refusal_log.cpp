#include "fcgi/refusal_log.hpp"

#include <algorithm>

#include "fcgi/http/errors.hpp"
#include "provisioner/base/utf8.hpp"
#include "provisioner/operations/sign_in/waits.hpp"
#include "provisioner/store/audit/audit_store.hpp"

namespace fcgi {

namespace audit = provisioner::model::audit;
using provisioner::base::Json;
using provisioner::base::Timestamp;
using provisioner::model::TenantId;

namespace {

constexpr std::size_t longest_name = 255;

std::string text_of_problems(const Json& problems) {
    std::string text;
    for (const Json& problem : problems) {
        const auto field = provisioner::base::text_at(problem, "field");
        text += (text.empty() ? "" : "; ") + (field.empty() ? "" : field + ": ") +
                provisioner::base::text_at(problem, "message");
    }
    return text;
}

/// What the answer told the client; for a page without a sentence the words of its status.
std::string told_reason(const http::Response& response) {
    if (!response.sentence.empty()) return response.sentence;
    if (!response.refusal.empty()) return response.refusal;
    const std::string& type = response.header("Content-Type");
    if (type.starts_with("text/plain")) return response.body;
    if (type.find("json") == std::string::npos)
        return std::string(http::reason_phrase(response.status));
    const auto body = provisioner::base::parse_json(response.body);
    if (!body) return std::string(http::reason_phrase(response.status));
    const Json* problems = provisioner::base::member(*body, "problems");
    if (problems != nullptr && problems->is_array()) return text_of_problems(*problems);
    return provisioner::base::text_at(*body, "detail");
}

/// The right that a request lacked, which some answers do not say.
std::string lacking_right(const http::Request& request, const Route* route) {
    if (route == nullptr || !request.asker || route->need == auth::Need::nobody) return "";
    const auto right = auth::right_for(route->need, route->changes());
    if (request.asker->may(right)) return "";
    return auth::lack_of_right(request.asker->user.role, right);
}

/// What was told; else which right was lacking: some answers say only "Forbidden", or nothing.
std::string reason_of(const http::Request& request, const Route* route,
                      const http::Response& response) {
    std::string reason = told_reason(response);
    const bool is_told = !reason.empty() && reason != http::reason_phrase(response.status);
    if (is_told || response.status != 403) return reason;
    std::string right = lacking_right(request, route);
    return right.empty() ? reason : right;
}

bool is_refused(const http::Request& request, const Route* route, int status) {
    // A dead link in a view of a tenant is no attempt at anything.
    if (request.is_of_view && request.method == "GET" && (status == 403 || status == 404))
        return false;
    if (status == 401 || status == 403 || status == 429) return true;
    if (is_wrong_token(request, route, status)) return true;
    if (route == nullptr || route->need == auth::Need::nobody) return false;
    // The answer to a tenant that does not exist.
    if (status == 404 && !request.asker && http::is_for_api(request)) return true;
    // Somebody who tries ids is told that nothing is there, whatever is.
    const bool by_id = route->pattern.find("{id}") != std::string::npos;
    if (status == 404 && by_id && request.asker) return !request.asker->is_superadmin();
    if (request.method == "GET" || !route->changes()) return false;
    if (status == 404 || status >= 500) return true;
    // Who mistypes a form is told so beside it, and tries again.
    return http::is_for_api(request) && (status == 400 || status == 409 || status == 422);
}

std::string prefix(std::string_view text) {
    const std::string valid = provisioner::base::to_utf8(text.substr(0, longest_name));
    return std::string(provisioner::base::utf8_prefix(valid, longest_name));
}

audit::Actor claimed(const http::Request& request) {
    audit::Actor actor;
    actor.name = prefix(request.header("coopr-userid"));
    actor.tenant = prefix(request.header("coopr-tenantid"));
    actor.client = request.client;
    actor.request = request.id;
    return actor;
}

}  // namespace

bool is_wrong_token(const http::Request& request, const Route* route, int status) {
    return status == 404 && route != nullptr && route->takes_a_token &&
           !request.header("authorization").empty();
}

RefusalKind kind_of(const http::Request& request, const Route* route, const audit::Event& event) {
    RefusalKind kind;
    if (request.asker) {
        kind.who = std::to_string(event.actor.user.value);
    } else {
        kind.network = provisioner::operations::network_of(request.client);
        kind.site = provisioner::operations::site_of(request.client);
    }
    // Neither the path nor names that are only claimed: whoever floods can think of many. Guesses
    // of keys have a room that no other requests fill.
    kind.has_key = !request.asker && !request.header("coopr-apikey").empty();
    kind.what = std::to_string(event.chain.value) + ' ' + request.client + ' ' +
                std::to_string(event.status) + ' ';
    kind.what += request.method + ' ' + (route == nullptr ? "" : route->pattern);
    return kind;
}

std::optional<audit::Event> refusal_event(const http::Request& request, const Route* route,
                                          const http::Response& response) {
    if (response.has_own_event || !is_refused(request, route, response.status)) return std::nullopt;
    audit::Event event;
    const bool has_failed = response.status >= 500;
    event.action = has_failed ? "request.failed" : "request.refused";
    event.outcome = has_failed ? audit::Outcome::failed : audit::Outcome::refused;
    event.status = response.status;
    event.actor = request.asker ? audit::actor_of(*request.asker) : claimed(request);
    if (request.asker) event.chain = request.asker->tenant.id;
    event.object = {
        .kind = "request", .id = "", .name = prefix(request.method + ' ' + request.path)};
    event.reason = is_wrong_token(request, route, response.status)
                       ? "The token is wrong."
                       : reason_of(request, route, response);
    return event;
}

RefusalFolder::Events RefusalFolder::take(const RefusalKind& kind, audit::Event event,
                                          Timestamp now) {
    Events events = due(now);
    const auto open = open_.find(kind);
    if (open != open_.end()) {
        ++open->second.more;
        return events;
    }
    if (!has_room(kind)) {
        ++dropped_[event.chain];
        return events;
    }
    open_[kind] = {.event = event, .began = now, .more = 0};
    events.push_back(std::move(event));
    return events;
}

bool RefusalFolder::has_room(const RefusalKind& kind) {
    if (!kind.who.empty()) {
        int& rows = rows_[kind.who];
        if (rows >= most_rows) return false;
        ++rows;
        return true;
    }
    const std::size_t side = kind.has_key ? 1 : 0;
    if (rows_of_unknown_[side] >= most_rows_of_unknown) return false;
    const auto count_in = [](const std::map<std::string, int>& rows, const std::string& key) {
        const auto found = rows.find(key);
        return found == rows.end() ? 0 : found->second;
    };
    // Nothing is added for who has no room.
    if (count_in(rows_of_sites_[side], kind.site) >= most_rows_of_site) return false;
    if (count_in(rows_of_networks_[side], kind.network) >= most_rows_of_network) return false;
    ++rows_of_networks_[side][kind.network];
    ++rows_of_sites_[side][kind.site];
    ++rows_of_unknown_[side];
    return true;
}

RefusalFolder::Events RefusalFolder::due(Timestamp now) {
    Events events;
    for (auto it = open_.begin(); it != open_.end();) {
        if (now - it->second.began < window) {
            ++it;
            continue;
        }
        close(it->second, events);
        it = open_.erase(it);
    }
    if (now - minute_began_ >= window) {
        close_minute(events);
        minute_began_ = now;
    }
    return events;
}

RefusalFolder::Events RefusalFolder::rest() {
    Events events;
    for (const auto& [kind, folded] : open_) close(folded, events);
    open_.clear();
    close_minute(events);
    return events;
}

void RefusalFolder::close(const Folded& folded, Events& events) const {
    if (folded.more == 0) return;
    audit::Event event = folded.event;
    event.times = folded.more;
    event.reason = (folded.more == 1 ? "Once more" : std::to_string(folded.more) + " more times") +
                   " within a minute: " + event.reason;
    event.actor.request.clear();
    events.push_back(std::move(event));
}

void RefusalFolder::close_minute(Events& events) {
    rows_.clear();
    rows_of_networks_ = {};
    rows_of_sites_ = {};
    rows_of_unknown_ = {};
    for (const auto& [chain, dropped] : dropped_) {
        audit::Event event;
        event.action = "request.refused";
        event.chain = chain;
        event.outcome = audit::Outcome::refused;
        event.object = {.kind = "request", .id = "", .name = "several"};
        event.times = dropped;
        event.reason =
            "Further refusals that are not recorded one by one, because there were too many kinds "
            "of them in a minute.";
        events.push_back(std::move(event));
    }
    dropped_.clear();
}

RefusalLog::~RefusalLog() {
    write(folder_.rest());
}

void RefusalLog::note(const http::Request& request, const Route* route,
                      const http::Response& response) {
    auto event = refusal_event(request, route, response);
    if (!event && !is_busy_) return;
    RefusalFolder::Events events;
    {
        const std::lock_guard lock(mutex_);
        if (event) {
            const RefusalKind kind = kind_of(request, route, *event);
            events = folder_.take(kind, *std::move(event), clock_.now());
        } else {
            events = folder_.due(clock_.now());
        }
        is_busy_ = !folder_.is_idle();
    }
    write(std::move(events));
}

void RefusalLog::write(RefusalFolder::Events events) noexcept {
    if (events.empty()) return;
    try {
        database_.write([&](provisioner::store::Connection& connection) {
            provisioner::store::record(connection, events);
        });
    } catch (const std::exception& error) {
        log_.warn("audit.not_recorded",
                  {{"events", static_cast<long>(events.size())}, {"error", error.what()}});
    }
}

}  // namespace fcgi
