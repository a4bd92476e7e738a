#include "provisioner/model/audit/event.hpp"

#include "provisioner/base/utf8.hpp"
#include "provisioner/model/plugins/sealed.hpp"

namespace provisioner::model::audit {

namespace {

void add(std::string& bytes, std::string_view value) {
    bytes += std::to_string(value.size());
    bytes += ':';
    bytes += value;
    bytes += ',';
}

void add(std::string& bytes, std::int64_t value) {
    add(bytes, std::string_view(std::to_string(value)));
}

/// VARCHAR columns count characters; bytes are never fewer, so a limit of bytes always fits.
void fit(std::string& text, std::size_t limit) {
    if (!base::is_utf8(text)) text = base::to_utf8(text);
    if (text.size() > limit) text = std::string(base::utf8_prefix(text, limit));
}

base::Json mask(bool has_changed) {
    return std::string(secret_mask) + (has_changed ? " (changed)" : "");
}

bool is_empty_value(const base::Json& value) {
    return value.empty() || value == "";
}

}  // namespace

std::string canonical(const Event& event) {
    std::string bytes = "cooperage-audit-1\n";
    bytes.reserve(1024 + event.before.size() + event.after.size());
    add(bytes, event.chain.value);
    add(bytes, event.number);
    add(bytes, base::to_sql(event.at));
    add(bytes, event.actor.user.value);
    add(bytes, event.actor.name);
    add(bytes, event.actor.tenant);
    add(bytes, event.actor.role);
    add(bytes, event.actor.credential);
    add(bytes, event.actor.client);
    add(bytes, event.actor.request);
    add(bytes, event.action);
    add(bytes, event.object.kind);
    add(bytes, event.object.id);
    add(bytes, event.object.name);
    add(bytes, base::to_word(event.outcome));
    add(bytes, event.status);
    add(bytes, event.reason);
    add(bytes, event.times);
    add(bytes, event.before);
    add(bytes, event.after);
    add(bytes, event.previous);
    return bytes;
}

Event to_fitting(Event event) {
    fit(event.actor.name, 255);
    fit(event.actor.tenant, 255);
    fit(event.actor.role, 16);
    fit(event.actor.credential, 64);
    fit(event.actor.client, 64);
    fit(event.actor.request, 64);
    fit(event.action, 64);
    fit(event.object.kind, 32);
    fit(event.object.id, 64);
    fit(event.object.name, 255);
    fit(event.reason, 1000);
    return event;
}

base::Json masked_deeply(const base::Json& document, const base::Json& other) {
    if (document.is_object()) {
        base::Json shown = base::Json::object();
        for (const auto& [name, value] : document.items()) {
            const base::Json* before = base::member(other, name);
            const bool has_changed = before != nullptr && *before != value;
            // Whole: what is in it may have any name, or none.
            const bool is_secret =
                is_sealed(value) || (sounds_secret(name) && !is_empty_value(value));
            shown[name] = is_secret ? mask(has_changed)
                                    : masked_deeply(value, before ? *before : base::Json());
        }
        return shown;
    }
    if (document.is_array()) {
        base::Json shown = base::Json::array();
        for (std::size_t i = 0; i < document.size(); ++i) {
            const bool has_other = other.is_array() && i < other.size();
            shown.push_back(masked_deeply(document[i], has_other ? other[i] : base::Json()));
        }
        return shown;
    }
    return document;
}

Actor provisioner() {
    Actor actor;
    actor.name = "provisioner";
    return actor;
}

Actor actor_of(const Caller& caller) {
    // A superadmin within another tenant: identify.cpp for views, end_clusters.cpp for deletions.
    const std::string of_superadmins = std::string(superadmin_tenant) + '/';
    if (caller.user.tenant != caller.tenant.id && caller.user.name.starts_with(of_superadmins)) {
        Caller themselves = caller;
        themselves.user.name.erase(0, of_superadmins.size());
        themselves.user.role = Role::superadmin;
        themselves.user.tenant = {};
        themselves.tenant = {};
        themselves.tenant.name = superadmin_tenant;
        return actor_of(themselves);
    }
    return {.user = caller.user.id,
            .name = caller.user.name,
            .tenant = caller.tenant.name,
            .role = base::to_word(caller.user.role),
            .credential = caller.credential,
            .client = caller.client,
            .request = caller.request};
}

}  // namespace provisioner::model::audit
