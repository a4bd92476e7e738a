// Samples of the audit log.
#include "fcgi/pages/audit/events.hpp"
#include "sample_values.hpp"
#include "samples.hpp"

namespace samples {

using namespace fcgi::pages;
using namespace provisioner::model;
using namespace std::chrono_literals;
using provisioner::base::Json;
using provisioner::base::Timestamp;

namespace {

provisioner::model::audit::Event audit_event() {
    provisioner::model::audit::Event event;
    event.number = 12;
    event.at = now;
    event.actor = {.user = UserId{3},
                   .name = "ada",
                   .tenant = "demo",
                   .role = "admin",
                   .credential = "session",
                   .client = "192.0.2.1",
                   .request = "4cdd7f8c"};
    event.action = "provider.replace";
    event.object = {.kind = "provider", .id = "2", .name = "cloud"};
    event.outcome = provisioner::model::audit::Outcome::refused;
    event.status = 422;
    event.reason = "name: is missing";
    event.times = 3;
    event.before = R"({"region":"eu","size":1})";
    event.after = R"({"region":"us","size":1})";
    return event;
}

/// A page in the middle of a long list, with a wrong filter, for a superadmin.
AuditPage audit_page() {
    AuditPage page{.parameters = {{"from", "soon"}, {"tenant", "demo"}},
                   .problems = {{"from", "must be a moment in UTC"}},
                   .words = {.actions = {"cluster.create", "user.delete"},
                             .object_kinds = {"cluster", "user"}},
                   .events = {audit_event(), audit_event()},
                   .links = {{.user = "/tenants/demo/people/ada", .object = "/clusters/00000042"}},
                   .is_first = false,
                   .has_older = true,
                   .superadmin = true,
                   .tenant = "superadmin"};
    return page;
}

/// Paths and names without a place to break.
AuditPage long_audit_page() {
    auto event = audit_event();
    event.object = {.kind = "request", .name = "/v2/" + std::string(200, 'p')};
    event.actor.name = std::string(200, 'u');
    event.action = "request.refused";
    AuditPage page{.events = {event, audit_event()}, .links = {{.user = "/people/u"}}};
    page.is_of_some_names = true;
    return page;
}

provisioner::model::audit::Event created_audit_event() {
    auto event = audit_event();
    event.action = "cluster.create";
    event.object = {.kind = "cluster", .id = "42", .name = "shop"};
    event.outcome = provisioner::model::audit::Outcome::done;
    event.status = 0;
    event.reason = "";
    event.times = 1;
    event.before = "";
    event.after = R"({"template":"web","nodes":3,"owner":null,"services":["web","mysql"]})";
    event.hash = std::string(64, 'a');
    event.previous = std::string(64, 'b');
    return event;
}

/// Saved as it was.
provisioner::model::audit::Event equal_audit_event() {
    auto event = audit_event();
    event.outcome = provisioner::model::audit::Outcome::done;
    event.after = event.before;
    return event;
}

const Viewer head{
    .user = "admin", .tenant = "superadmin", .role = Role::superadmin, .csrf = "token"};

/// All logs as one: of a tenant, of a deleted one and of the installation.
AuditPage page_of_all_logs() {
    AuditPage page{
        .parameters = {{"outcome", "done"}, {"scope", "all"}},
        .words = {.actions = {"cluster.create"}, .object_kinds = {"cluster"}},
        .links = {{.object = "/view/demo/clusters/00000042"}},
        .has_older = true,
        .superadmin = true,
        .tenant = "superadmin",
        .logs = {{.chain = TenantId{7}, .tenant = "a2-lab", .uid = "9", .is_deleted = true},
                 {.chain = TenantId{2}, .tenant = "demo", .uid = "2"},
                 {.chain = TenantId{1}, .tenant = "superadmin", .uid = "1"}},
        .is_of_all = true};
    for (const int chain : {2, 7, 0}) {
        page.events.push_back(created_audit_event());
        page.events.back().chain = TenantId{chain};
        page.events.back().actor.tenant = superadmin_tenant;
        if (chain == 7) page.events.back().actor.request = "5d6e";
    }
    page.events.push_back(created_audit_event());
    page.events.back().chain = TenantId{2};
    page.events.back().actor = {
        .name = "admin", .tenant = superadmin_tenant, .role = "superadmin", .request = "6f01"};
    page.events.back().action = "tenant.leave";
    page.events.back().object = {.kind = "tenant", .id = "2", .name = "demo"};
    page.events.back().reason = "The superadmin stopped it.";
    page.events.back().after =
        R"({"viewedFrom":"2026-11-20 09:59:04.000000","viewedUntil":"2026-11-20 09:59:58.000000"})";
    return page;
}

/// A login with a name that nobody has, and that is not told whole.
provisioner::model::audit::Event tried_audit_event() {
    provisioner::model::audit::Event event;
    event.number = 12;
    event.at = created_audit_event().at;
    event.actor = {.name = "unknown", .credential = "password", .client = "192.0.2.7"};
    event.action = "sign-in.refused";
    event.object = {.kind = "user", .name = "adm… [3f]"};
    event.outcome = provisioner::model::audit::Outcome::refused;
    event.status = 422;
    event.reason = "wrong_password";
    return event;
}

Json in_audit(Json page) {
    return framed(std::move(page), {.title = "Audit", .section = "audit"}, administrator);
}

}  // namespace

std::vector<Sample> of_audit() {
    return {
        {"audit", "audit/index", in_audit(to_json(audit_page()))},
        {"audit_long", "audit/index", in_audit(to_json(long_audit_page()))},
        {"audit_none", "audit/index", in_audit(to_json(AuditPage{}))},
        {"audit_of_all", "audit/index",
         framed(to_json(page_of_all_logs()), {.title = "Audit", .section = "audit"}, head)},
        {"audit_event", "audit/show",
         in_audit(to_json(audit_event(), "/audit?tenant=demo", {.user = "/people/ada"}))},
        {"audit_event_tried", "audit/show", in_audit(to_json(tried_audit_event(), "/audit"))},
        {"audit_event_equal", "audit/show", in_audit(to_json(equal_audit_event(), "/audit"))},
        {"audit_event_created", "audit/show",
         in_audit(to_json(created_audit_event(), "/audit",
                          {.user = "/people/ada", .object = "/view/demo/clusters/00000042"}))},
    };
}

}  // namespace samples
