#include "fcgi/auth/sign_ins.hpp"

#include <algorithm>
#include <string_view>

#include "provisioner/base/utf8.hpp"
#include "provisioner/identity/signature.hpp"
#include "provisioner/store/audit/audit_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"
#include "provisioner/store/tenants/user_store.hpp"

namespace fcgi::auth {

namespace audit = provisioner::model::audit;
namespace operations = provisioner::operations;
namespace store = provisioner::store;
using End = operations::SignInResult::End;

namespace {

constexpr int refused_status = 422;
constexpr auto unknown_name = "unknown";

/// `typed_tenant`: the name of the tenant that was typed.
void write(const SignInRecord& record, const audit::Event& event,
           const std::string& typed_tenant = "") {
    try {
        record.database.write([&](store::Connection& connection) {
            audit::Event full = event;
            const bool lacks_role = full.actor.user.value != 0 && full.actor.role.empty();
            const auto user = lacks_role ? store::find_user(connection, full.chain, full.actor.name)
                                         : std::nullopt;
            if (user) full.actor.role = provisioner::base::to_word(user->role);
            if (full.outcome == audit::Outcome::refused) {
                // Administrators see who tries names that their tenant does not have. Looked up for
                // every refusal, so that all take the same time.
                const auto tenant = store::find_tenant(
                    connection, provisioner::base::to_utf8(typed_tenant.substr(0, 255)));
                if (tenant && full.chain.value == 0) full.chain = tenant->id;
            }
            store::record(connection, {std::move(full)});
        });
    } catch (const std::exception& error) {
        record.log.warn("audit.not_recorded", {{"events", 1}, {"error", error.what()}});
    }
}

audit::Event event_of(const http::Request& request, const operations::SignInResult& result,
                      SignInFor purpose, const provisioner::identity::Vault& vault) {
    audit::Event event;
    const bool is_good = result.end == End::done;
    const bool is_somebody = result.user_id.value != 0;
    event.action = purpose == SignInFor::session  ? "sign-in"
                   : purpose == SignInFor::set_up ? "user.add-factor"
                                                  : "proof";
    if (!is_good) event.action += ".refused";
    // Nobody is in before the second factor.
    const bool is_half = is_good && result.stage == provisioner::model::SessionStage::code;
    if (is_half) event.action = "sign-in.first-step";
    event.chain = result.tenant_id;
    event.actor = {.name = is_somebody ? result.user : unknown_name,
                   .tenant = is_somebody ? result.tenant : "",
                   .credential = result.given,
                   .client = result.client.address,
                   .request = request.id};
    // Whoever failed is not that user.
    if (is_good) event.actor.user = result.user_id;
    event.object = {
        .kind = "user",
        .name = is_somebody ? result.user : names_to_record(result.user, vault).front()};
    if (is_somebody) event.object.id = std::to_string(result.user_id.value);
    if (is_good) return event;
    event.outcome = audit::Outcome::refused;
    event.status = refused_status;
    event.reason = reason_to_record(result);
    return event;
}

bool is_name(std::string_view text) {
    constexpr int most_digits = 3;
    const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    const auto is_sign = [](char c) { return c == '.' || c == '_' || c == '-'; };
    if (text.empty() || !is_letter(text.front()) || is_sign(text.back())) return false;
    return std::ranges::count_if(text, is_digit) <= most_digits &&
           std::ranges::all_of(text,
                               [&](char c) { return is_letter(c) || is_digit(c) || is_sign(c); });
}

/// Without the mark.
std::string told_of(const std::string& typed) {
    // Shorter than auth.password_length may be set to.
    constexpr std::size_t longest_whole = 7;
    constexpr std::size_t longest_address = 64;
    constexpr std::size_t told = 3;
    const auto at = typed.find('@');
    if (at != std::string::npos) {
        const std::string_view domain = std::string_view(typed).substr(at + 1);
        const bool is_address = typed.size() <= longest_address && is_name(typed.substr(0, at)) &&
                                is_name(domain) && domain.find('.') != std::string_view::npos;
        return is_address ? typed : unknown_name;
    }
    if (!is_name(typed)) return unknown_name;
    return typed.size() <= longest_whole ? typed : typed.substr(0, told) + "…";
}

}  // namespace

std::string name_to_record(const std::string& typed,
                           const std::optional<provisioner::base::Secret>& key) {
    const std::string told = told_of(typed);
    if (!key || typed.empty() || told == typed) return told;
    const std::string mark =
        provisioner::identity::signature(*key, "a name that was tried\n" + typed);
    return told + " [" + mark.substr(0, digits_of_mark) + ']';
}

bool is_shortened_name(const std::string& recorded) {
    return recorded.find("…") != std::string::npos || recorded.starts_with(unknown_name);
}

std::vector<std::string> names_to_record(const std::string& typed,
                                         const provisioner::identity::Vault& vault) {
    std::vector<std::string> names;
    try {
        for (const auto& [number, key] : vault.master_keys().keys()) {
            names.insert(names.begin(), name_to_record(typed, key));
        }
    } catch (const provisioner::identity::VaultError&) {
        // The event must not depend on the keys.
    }
    if (names.empty()) names.push_back(name_to_record(typed));
    return names;
}

std::string reason_to_record(const operations::SignInResult& result) {
    constexpr std::size_t told_at_most = 700;
    std::string reason = provisioner::base::to_word(result.end);
    if (!result.reason.empty()) reason += ": " + result.reason;
    if (result.technical_reason.empty()) return reason;
    reason += before_technical_reason;
    return reason + provisioner::base::printable(result.technical_reason, told_at_most);
}

operations::Client client_of(const http::Request& request) {
    return {.address = request.client, .agent = request.header("user-agent")};
}

void record_sign_in(const SignInRecord& record, const http::Request& request,
                    const operations::SignInResult& result, SignInFor purpose) {
    const bool is_somebody = result.user_id.value != 0;
    const std::string user = is_somebody ? result.tenant + '/' + result.user : "unknown";
    if (result.end == End::done) {
        const bool is_half = result.stage == provisioner::model::SessionStage::code;
        record.log.info(is_half ? "sign_in.first_step" : "sign_in.done",
                        {{"request", request.id},
                         {"user", user},
                         {"address", result.client.address},
                         {"given", result.given}});
    } else {
        record.log.warn("sign_in.refused", {{"request", request.id},
                                            {"user", user},
                                            {"address", result.client.address},
                                            {"given", result.given},
                                            {"reason", provisioner::base::to_word(result.end)}});
    }
    if (result.end == End::must_wait || result.end == End::too_busy) return;
    const bool has_own_event = purpose == SignInFor::change || purpose == SignInFor::set_up;
    if (result.end == End::done && has_own_event) return;
    write(record, event_of(request, result, purpose, record.database.vault()), result.tenant);
}

void record_sign_out(const SignInRecord& record, const Visitor& visitor) {
    if (!visitor.caller) return;
    audit::Event event;
    event.action = "sign-out";
    event.chain = visitor.caller->tenant.id;
    event.actor = audit::actor_of(*visitor.caller);
    event.object = {.kind = "user",
                    .id = std::to_string(visitor.caller->user.id.value),
                    .name = visitor.caller->user.name};
    write(record, event);
}

}  // namespace fcgi::auth
