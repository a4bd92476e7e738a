// Samples of users, groups, permissions and profiles.
#include "fcgi/pages/access/groups.hpp"
#include "fcgi/pages/access/permissions.hpp"
#include "fcgi/pages/kept/to_check.hpp"
#include "fcgi/pages/people/people.hpp"
#include "fcgi/pages/people/person_deletion.hpp"
#include "fcgi/pages/people/second_factors.hpp"
#include "fcgi/pages/profile/credentials.hpp"
#include "fcgi/pages/profile/factor.hpp"
#include "fcgi/pages/profile/notifications.hpp"
#include "fcgi/pages/profile/profile.hpp"
#include "sample_values.hpp"
#include "samples.hpp"

namespace samples {

using namespace fcgi::pages;
using namespace provisioner::model;
using namespace std::chrono_literals;
using provisioner::base::Json;
using provisioner::base::Timestamp;

namespace {

std::vector<Session> some_sessions() {
    return {{.id = SessionId{7},
             .address = "192.0.2.7",
             .agent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
             .created_at = now - 90min,
             .last_used_at = now,
             .proven_at = now,
             .expires_at = now + 10h},
            {.id = SessionId{8},
             .stage = SessionStage::code,
             .address = "2001:db8::17",
             .agent = "curl/8.1",
             .created_at = now - 5h,
             .last_used_at = now - 3h,
             .proven_at = now - 5h,
             .expires_at = now + 7h}};
}

std::vector<ApiKey> some_keys() {
    return {{.id = 3, .name = "first-key", .limits = {}, .created_at = now - 100h},
            {.id = 4,
             .name = "ci",
             .limits = {.scope = KeyScope::some,
                        .rights = {{ResourceKind::clusters, true}, {ResourceKind::people, false}},
                        .clusters = {42},
                        .expires_at = now - 1h},
             .created_at = now - 50h,
             .last_used_at = now - 2h}};
}

SecurityKey some_security_key(const std::string& name) {
    return {.id = static_cast<std::int64_t>(name.size()),
            .name = name,
            .host = "cooperage.example",
            .credential = "c2VjcmV0",
            .algorithm = -7,
            .created_at = now - 20h};
}

provisioner::operations::FactorView some_factor() {
    provisioner::operations::FactorView factor{
        .has_factor = true, .has_app = true, .since = now - 30h, .recovery_codes = 9};
    factor.keys = {some_security_key("the blue one"), some_security_key("phone")};
    factor.keys.back().is_backed_up = true;
    factor.keys.back().last_used_at = now - 1h;
    return factor;
}

KeyPrompt key_prompt() {
    return {.challenge = "Y2hhbGxlbmdl",
            .host = "cooperage.example",
            .credentials = {"c2VjcmV0", "b3RoZXI"},
            .account = "demo/ada",
            .handle = "7"};
}

ProfilePage profile_page() {
    ProfilePage page{.user = "ada", .tenant = "demo", .role = "user", .now = now};
    page.sessions = some_sessions();
    page.present = SessionId{7};
    page.keys = some_keys();
    page.factor = some_factor();
    page.mails = {.address = "ada@example.com",
                  .events = {CallbackEvent::failure, CallbackEvent::expiring}};
    page.new_key = provisioner::base::Secret("coop_" + std::string(64, '5'));
    page.done = "The sessions have ended.";
    page.problems = {{"name", "API key ci already exists."}};
    return page;
}

NotificationsPage notifications_page(const std::string& next_address) {
    NotificationsPage page{.choice = {.address = "ada@example.com",
                                      .events = {CallbackEvent::failure, CallbackEvent::expiring},
                                      .next_address = next_address},
                           .address = next_address.empty() ? "ada@example.com" : next_address,
                           .done = "Saved."};
    page.events = page.choice.events;
    page.role = Role::superadmin;
    page.of_installation = next_address.empty();
    page.of_failed_logins = next_address.empty();
    return page;
}

NotificationsPage notifications_of_admin() {
    NotificationsPage page = notifications_page("");
    page.role = Role::admin;
    return page;
}

NotificationsPage wrong_notifications_page() {
    NotificationsPage page{.is_code_good = false, .address = "ada"};
    page.choice.next_address = "ada@example.org";
    page.problems = {{"address", "Enter an email address, like ada@example.com."},
                     {"events", "Choose at least one, or leave the address empty."},
                     {"code", "This is not the code that was sent."}};
    return page;
}

NotificationsPage late_notifications_page() {
    NotificationsPage page = notifications_page("ada@example.org");
    page.delivery = CodeDelivery::failing;
    return page;
}

FactorPage new_factor_page() {
    FactorPage page{.account = "demo/ada", .now = now};
    page.factor.secret = provisioner::base::Secret("JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP");
    page.is_duty = true;
    page.problems = {{"code", "This code is wrong or was already used."},
                     {"name", "You have a key of this name already."},
                     {"security-key", "This key is known already."}};
    page.new_key = key_prompt();
    page.key_name = "phone";
    return page;
}

FactorPage factor_page() {
    FactorPage page{.account = "demo/ada", .now = now};
    page.factor = some_factor();
    page.recovery_codes = std::vector(10, provisioner::base::Secret("abcd-efgh-ijkl-mnop"));
    return page;
}

User some_user(const std::string& name, Role role) {
    User user;
    user.id = UserId{static_cast<std::int64_t>(name.size())};
    user.name = name;
    user.role = role;
    user.password_hash = "x";
    return user;
}

PeopleOf people_of_tenant(const std::string& name) {
    PeopleOf of;
    of.tenant.name = name;
    return of;
}

PersonClusters some_clusters() {
    provisioner::store::ClusterSummary cluster;
    cluster.id = ClusterId{42};
    cluster.name = "shop";
    cluster.status = ClusterStatus::active;
    cluster.node_count = 3;
    return {.newest = {cluster}, .total = 22};
}

PersonPage person_page(bool is_self) {
    PersonPage page{.user = some_user("ada", Role::user), .has_factor = true, .is_self = is_self};
    page.user.initial_until = now + 10h;
    page.sessions = some_sessions();
    page.keys = some_keys();
    page.initial_password = provisioner::base::Secret("0123-4567-89ab-cdef-0123-4567");
    page.initial_for = 72h;
    page.groups = {"research"};
    page.clusters = some_clusters();
    page.problems = {{"role", "superadmins belong to the tenant superadmin"}};
    page.done = "API key deleted.";
    page.now = now;
    return page;
}

PersonPage locked_person_page() {
    PersonPage page{.user = some_user("grace", Role::admin), .now = now};
    page.user.disabled = true;
    page.may_change = false;
    return page;
}

PersonDeletionPage person_deletion_page() {
    return {.user = some_user("ada", Role::user),
            .provider = "corp",
            .groups = {"research", "web"},
            .sessions = 2,
            .keys = 1,
            .clusters = some_clusters(),
            .problem = "You do not administer this tenant any more."};
}

Json in_profile(Json page) {
    return framed(std::move(page), {.title = "Your profile", .section = "profile"}, visitor);
}

Json in_people(Json page) {
    return framed(std::move(page), {.title = "Users", .section = "people"}, administrator);
}

Json in_permissions(Json page, const Viewer& viewer) {
    return framed(std::move(page), {.title = "Permissions", .section = "permissions"}, viewer);
}

Permission some_permission() {
    return {.entry = {.kind = CatalogueKind::hardware_type, .name = "gpu"},
            .roles = {Role::cluster_operator},
            .groups = {"research"},
            .users = {"ada", "grace"}};
}

}  // namespace

std::vector<Sample> of_access() {
    const EntryName big{CatalogueKind::cluster_template, "big"};
    const EntryRow restricted{.entry = some_permission().entry, .permission = some_permission()};
    const EntryRow gone{
        .entry = {CatalogueKind::service, "old"}, .permission = Permission{}, .is_there = false};
    const PermissionsPage all{.role = Role::admin,
                              .groups = {"research"},
                              .entries = {EntryRow{.entry = big}, restricted, gone},
                              .provider_types = std::vector<std::string>{"local"}};
    PermissionsPage found = all;
    found.search = "GPU";
    found.only_restricted = true;
    PermissionsPage unmatched = all;
    unmatched.search = "nothing like it";
    const PermissionsPage own{.role = Role::user, .entries = {EntryRow{.entry = big}}};
    const Group group{
        .name = "research", .description = "Who may use GPUs", .members = {"ada", "grace"}};
    PermissionPage wrong{.row = restricted, .groups = {"research", "web"}, .more_users = "nobody"};
    wrong.wanted = Permission{.entry = restricted.entry, .groups = {"web"}};
    wrong.problems = {{"more_users", "There is no user nobody."},
                      {"groups", "There is no group x."}};
    PermissionPage to_check{
        .row = {.entry = {CatalogueKind::cluster_template, "shop"}, .permission = Permission{}},
        .groups = {"research", "web"},
        .wants_everybody = true,
        .to_check = {"It names service db, which is not in the catalogue."},
        .problems = {problem_of_unchecked()}};
    return {
        {"permissions", "access/permissions", in_permissions(to_json(all), administrator)},
        {"permissions_found", "access/permissions", in_permissions(to_json(found), administrator)},
        {"permissions_unmatched", "access/permissions",
         in_permissions(to_json(unmatched), administrator)},
        {"permissions_user", "access/permissions", in_permissions(to_json(own), visitor)},
        {"permissions_none", "access/permissions",
         in_permissions(to_json(PermissionsPage{.role = Role::auditor}), visitor)},
        {"permission", "access/entry",
         in_permissions(
             to_json(PermissionPage{
                 .row = restricted, .groups = {"research", "web"}, .done = "Permission saved."}),
             administrator)},
        {"permission_everybody", "access/entry",
         in_permissions(to_json(PermissionPage{.row = {.entry = big}}), administrator)},
        {"permission_gone", "access/entry",
         in_permissions(to_json(PermissionPage{.row = gone, .may_change = false}), administrator)},
        {"permission_to_check", "access/entry", in_permissions(to_json(to_check), administrator)},
        {"permission_wrong", "access/entry", in_permissions(to_json(wrong), administrator)},
        {"groups", "access/groups",
         in_people(to_json(
             GroupsPage{.groups = {group, Group{.name = "web"}}, .done = "Group deleted."}))},
        {"groups_none", "access/groups", in_people(to_json(GroupsPage{.may_change = false}))},
        {"groups_wrong", "access/groups",
         in_people(
             to_json(GroupsPage{.form = {.name = "-x"},
                                .problems = {{"name", "A name does not begin with a hyphen."}}}))},
        {"group", "access/group",
         in_people(to_json(
             GroupPage{.group = group,
                       .permitted = {{.entry = some_permission().entry, .text = "Graphics"}},
                       .others = {"alan", "edsger"},
                       .form = {.description = group.description},
                       .done = "Group saved."}))},
        {"group_empty", "access/group",
         in_people(to_json(GroupPage{.group = {.name = "web"}, .may_change = false}))},
        {"group_wrong_member", "access/group",
         in_people(to_json(GroupPage{.group = group,
                                     .form = {.added = "nobody"},
                                     .problems = {{"add", "There is no user nobody."}}}))},
    };
}

std::vector<Sample> of_people() {
    ProfilePage plain{.user = "ada", .tenant = "demo", .role = "user", .now = now};
    ProfilePage elsewhere = plain;
    elsewhere.provider = "Corp login";
    FactorPage kept = factor_page();
    kept.recovery_codes.clear();
    FactorPage recovered = kept;
    recovered.factor.recovery_codes = 2;
    recovered.go_on = "/clusters";
    FactorPage of_provider = new_factor_page();
    of_provider.problems.clear();
    of_provider.demand = provisioner::operations::FactorDemand::tenant;
    of_provider.first = provisioner::operations::FirstFactor::provider;
    const PeoplePage people{.of = people_of_tenant("demo"),
                            .users = {some_user("ada", Role::user), locked_person_page().user},
                            .with_factor = {UserId{3}},
                            .last_used = {{UserId{3}, now - 5min}},
                            .providers = {{UserId{3}, "corp"}},
                            .keys = {{UserId{3}, {.keys = 2, .used_at = now - 2h}}},
                            .factor_for = SecondFactorFor::admins,
                            .factor_of_all = SecondFactorFor::admins,
                            .done = "Saved.",
                            .name = "ada",
                            .role = "operator",
                            .problems = {{"name", "User ada already exists."}},
                            .now = now};
    PeopleOf other = people_of_tenant("lab");
    other.href = "/tenants/lab/people";
    other.tenant_href = "/tenants/lab";
    PeoplePage many{.of = other, .users = {}, .text = "user"};
    for (std::size_t i = 0; i <= people_shown; ++i) {
        many.users.push_back(some_user("user-" + std::to_string(i), Role::user));
    }
    PersonPage person_of_other = person_page(false);
    person_of_other.of = other;
    PersonDeletionPage deletion_of_other = person_deletion_page();
    deletion_of_other.of = other;
    PersonPage busy = person_page(false);
    busy.user.initial_until.reset();
    busy.problems.clear();
    busy.initial_password = {};
    for (int i = 0; i < 35; ++i) busy.sessions.push_back(busy.sessions.front());
    const std::string long_name(200, 'n');
    PeoplePage long_names{
        .of = people_of_tenant("demo"),
        .users = {some_user(long_name, Role::user), some_user("ada", Role::admin)}};
    SmallForm with_form = code_form({.has_factor = true, .has_app = true}, "/", {});
    with_form.kept = provisioner::store::KeptForm{.path = "/clusters", .body = "name=shop"};
    return {
        {"login_code", "profile/form",
         framed(to_json(code_form({.has_factor = true, .has_app = true}, "/clusters",
                                  {{"code", "This code is not right."}})),
                {.title = "Enter your second factor", .section = "login"},
                {.csrf = "5f3c", .once = "0a1b"})},
        {"login_code_with_form", "profile/form",
         framed(to_json(with_form), {.title = "Enter your second factor", .section = "login"},
                {.csrf = "5f3c", .once = "0a1b"})},
        {"login_security_key", "profile/form",
         framed(
             to_json(code_form({.has_factor = true, .has_app = true, .key = key_prompt()},
                               "/clusters",
                               {{"security-key", "This key is not one of yours here."}})),
             {.title = "Enter your second factor", .section = "login", .script = "security_key.js"},
             {.csrf = "5f3c", .once = "0a1b"})},
        {"password", "profile/form", in_profile(to_json(password_form(false, 12, {})))},
        {"password_duty", "profile/form",
         in_profile(to_json(
             password_form(true, 12, {{"wanted", "It must have at least 12 characters."}})))},
        {"login_key_elsewhere", "profile/form",
         framed(
             to_json(code_form({.has_factor = true, .other_sites = "cooperage.example"}, "/", {})),
             {.title = "Enter your second factor", .section = "login"},
             {.csrf = "5f3c", .once = "0a1b"})},
        {"proof", "profile/form",
         in_profile(to_json(proof_form({}, "change the role of ada", "/forms/5f", {})))},
        {"profile", "profile/show", in_profile(to_json(profile_page()))},
        {"profile_plain", "profile/show", in_profile(to_json(plain))},
        {"profile_of_provider", "profile/show", in_profile(to_json(elsewhere))},
        {"notifications", "profile/notifications", in_profile(to_json(notifications_page("")))},
        {"notifications_admin", "profile/notifications",
         in_profile(to_json(notifications_of_admin()))},
        {"notifications_code", "profile/notifications",
         in_profile(to_json(notifications_page("ada@example.org")))},
        {"notifications_code_late", "profile/notifications",
         in_profile(to_json(late_notifications_page()))},
        {"notifications_off", "profile/notifications",
         in_profile(to_json(NotificationsPage{.sends_mail = false}))},
        {"notifications_wrong", "profile/notifications",
         in_profile(to_json(wrong_notifications_page()))},
        {"factor_new", "profile/factor", in_profile(to_json(new_factor_page()))},
        {"factor_codes", "profile/factor", in_profile(to_json(factor_page()))},
        {"factor", "profile/factor", in_profile(to_json(kept))},
        {"factor_of_provider", "profile/factor", in_profile(to_json(of_provider))},
        {"factor_after_recovery", "profile/factor", in_profile(to_json(recovered))},
        {"people", "people/index", in_people(to_json(people))},
        {"people_of_tenant", "people/index", in_people(to_json(many))},
        {"people_long", "people/index", in_people(to_json(long_names))},
        {"people_nobody", "people/index", in_people(to_json(PeoplePage{.of = other}))},
        {"people_not_found", "people/index",
         in_people(to_json(PeoplePage{.of = people_of_tenant("demo"),
                                      .users = {some_user("ada", Role::user)},
                                      .text = "grace"}))},
        {"person", "people/show", in_people(to_json(person_page(false)))},
        {"person_busy", "people/show", in_people(to_json(busy))},
        {"person_remove_factor", "people/remove_factor",
         in_people(to_json(FactorRemovalPage{
             .of = other, .person = "ada", .has_factor = true, .problem = "Try again."}))},
        {"person_remove_no_factor", "people/remove_factor",
         in_people(to_json(FactorRemovalPage{.of = people_of_tenant("demo"), .person = "ada"}))},
        {"person_of_tenant", "people/show", in_people(to_json(person_of_other))},
        {"person_delete_of_tenant", "people/delete", in_people(to_json(deletion_of_other))},
        {"person_self", "people/show", in_people(to_json(person_page(true)))},
        {"person_locked", "people/show", in_people(to_json(locked_person_page()))},
        {"person_delete", "people/delete", in_people(to_json(person_deletion_page()))},
        {"person_delete_self", "people/delete",
         in_people(to_json(PersonDeletionPage{.user = some_user("grace", Role::admin),
                                              .problem = "Nobody can delete themselves.",
                                              .may_delete = false}))},
    };
}

}  // namespace samples
