#include "provisioner/operations/access/permissions.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <thread>

#include "provisioner/identity/vault.hpp"
#include "provisioner/operations/access/groups.hpp"
#include "provisioner/operations/catalogue/edit.hpp"
#include "provisioner/operations/catalogue/exchange.hpp"
#include "provisioner/operations/changes/change.hpp"
#include "provisioner/operations/changes/sync_template.hpp"
#include "provisioner/operations/clusters/create.hpp"
#include "provisioner/operations/clusters/delete.hpp"
#include "provisioner/operations/clusters/preview.hpp"
#include "provisioner/operations/clusters/resolve_template.hpp"
#include "provisioner/operations/clusters/service_actions.hpp"
#include "provisioner/operations/jobs/control.hpp"
#include "provisioner/operations/sign_in/passwords.hpp"
#include "provisioner/operations/tenants/api_keys.hpp"
#include "provisioner/operations/tenants/tenants.hpp"
#include "provisioner/operations/tenants/users.hpp"
#include "provisioner/store/access/group_store.hpp"
#include "provisioner/store/audit/audit_store.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"
#include "provisioner/store/tenants/user_store.hpp"
#include "tests/integration/provisioner/site.hpp"

using namespace provisioner;
using model::CatalogueKind;
using model::EntryName;
using model::Permission;
using model::Role;
using operations::Refusal;

BOOST_AUTO_TEST_SUITE(permissions_of_use)

namespace {

const EntryName the_template{CatalogueKind::cluster_template, "pair"};
const EntryName the_provider{CatalogueKind::provider, "cloud"};
const EntryName the_hardware{CatalogueKind::hardware_type, "small"};
const EntryName the_image{CatalogueKind::image_type, "deb"};
const EntryName the_service{CatalogueKind::service, "web"};
const std::vector<EntryName> all_entries{the_template, the_provider, the_hardware, the_image,
                                         the_service};

/// Tenant "acme" with a cluster of ann, who administers it, and people of the other roles.
struct Site : tests::ClusterSite {
    Site() : ClusterSite(3) {
        succeed_all();
        bob = add("bob", Role::user);
        eve = add("eve", Role::user);
        olga = add("olga", Role::cluster_operator);
        rita = add("rita", Role::auditor);
    }

    model::Caller add(const std::string& name, Role role) {
        model::Caller made = caller;
        made.user = {};
        made.user.tenant = caller.tenant.id;
        made.user.name = name;
        made.user.role = role;
        made.user.id = fresh.database.write([&](store::Connection& connection) {
            return store::insert_user(connection, made.user, now);
        });
        return made;
    }

    operations::CreateCluster wanted(const std::string& name = "shop") const {
        operations::CreateCluster create;
        create.name = name;
        create.cluster_template = "pair";
        create.machines = 2;
        return create;
    }

    /// What is wrong with a create of that caller: "field: message" of each problem; empty when
    /// nothing is.
    std::string problems_of(const model::Caller& who, const operations::CreateCluster& create) {
        const auto preview = operations::preview_cluster(fresh.database, who, create, now);
        const auto made = operations::create_cluster(fresh.database, who, create, now);
        BOOST_TEST(preview.has_value() == made.has_value());
        if (made) return "";
        BOOST_TEST(base::to_text(preview.error().problems) == base::to_text(made.error().problems));
        std::string text;
        for (const auto& problem : made.error().problems) {
            text += problem.field + ": " + problem.message + '\n';
        }
        return text;
    }

    void permit(const EntryName& entry, Permission to = {}) {
        to.entry = entry;
        const auto set = operations::set_permission(fresh.database, caller, to);
        if (!set) BOOST_FAIL(base::to_text(set.error().problems));
    }

    void save(CatalogueKind kind, const std::string& text) {
        const auto made =
            operations::create_entry(fresh.database, caller, kind, *base::parse_json(text), now);
        if (!made) BOOST_FAIL(base::to_text(made.error().problems));
    }

    bool is_withheld(const model::Caller& from, const EntryName& entry) {
        return fresh.database.read([&](store::Connection& connection) {
            return store::withheld_from(connection, from).contains(entry.kind, entry.name);
        });
    }

    /// The cluster of bob, made while he might.
    model::ClusterId cluster_of_bob() {
        const auto made = operations::create_cluster(fresh.database, bob, wanted("bobs"), now);
        BOOST_REQUIRE(made.has_value());
        succeed_all();
        return *made;
    }

    operations::Result<void> grow(const model::Caller& who, model::ClusterId id) {
        return operations::change_cluster(fresh.database, who, id,
                                          {.change = operations::GrowCluster{.machines = 1}}, now);
    }

    std::vector<std::string> actions() {
        return fresh.database.read([&](store::Connection& connection) {
            std::vector<std::string> found;
            for (const auto& event :
                 store::list_events(connection, {.chain = caller.tenant.id}, 0, 1000)) {
                found.push_back(event.action);
            }
            return found;
        });
    }

    model::Caller bob, eve, olga, rita;
};

std::string words_of(const operations::Refusal& refusal) {
    return refusal.problems.front().field + ": " + refusal.problems.front().message;
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(without_permissions_everybody_uses_everything, Site) {
    for (const EntryName& entry : all_entries) BOOST_TEST(!is_withheld(bob, entry));
    BOOST_TEST(problems_of(bob, wanted()) == "");
}

BOOST_FIXTURE_TEST_CASE(a_permission_for_nobody_leaves_administrators_and_readers, Site) {
    for (const EntryName& entry : all_entries) {
        permit(entry);

        BOOST_TEST(is_withheld(bob, entry), entry.name);
        BOOST_TEST(is_withheld(olga, entry), entry.name);
        BOOST_TEST(!is_withheld(caller, entry), entry.name);
        BOOST_TEST(!is_withheld(rita, entry), entry.name);
    }
    BOOST_TEST(problems_of(caller, wanted()) == "");
}

BOOST_FIXTURE_TEST_CASE(a_draft_is_for_administrators_until_it_is_offered, Site) {
    const EntryName the_draft{CatalogueKind::cluster_template, "unfinished"};
    const auto json = *base::parse_json(R"({"name": "unfinished", "description": ""})");
    const auto create = [&](const EntryName& entry, bool is_draft) {
        return operations::create_entry(fresh.database, caller, entry.kind, json, now,
                                        {.is_draft = is_draft});
    };

    BOOST_REQUIRE(create(the_draft, true).has_value());

    BOOST_TEST(is_withheld(bob, the_draft));
    BOOST_TEST(!is_withheld(caller, the_draft));
    BOOST_TEST(std::ranges::count(actions(), "permission.set") == 1);
    operations::remove_permission(fresh.database, caller, the_draft);
    // A name that is taken stays what it is.
    BOOST_TEST(!create(the_draft, true).has_value());
    BOOST_TEST(!is_withheld(bob, the_draft));
}

BOOST_FIXTURE_TEST_CASE(a_blank_behind_a_name_does_not_pass_a_permission, Site) {
    permit(the_provider);
    auto create = wanted("blank");
    create.provider = "cloud ";
    BOOST_TEST(problems_of(bob, create) != "");
    BOOST_TEST(problems_of(caller, create) != "", "nothing is called so, for nobody");
    fresh.database.read([&](store::Connection& connection) {
        const auto found = [&](const EntryName& entry, const std::string& name) {
            return store::find_entry(connection, caller.tenant.id, entry.kind, name).has_value();
        };
        for (const EntryName& entry : all_entries) {
            BOOST_TEST(found(entry, entry.name));
            BOOST_TEST(!found(entry, entry.name + ' '), entry.name);
        }
        BOOST_TEST(store::find_tenant(connection, "acme").has_value());
        BOOST_TEST(!store::find_tenant(connection, "acme ").has_value());
        BOOST_TEST(store::find_user(connection, caller.tenant.id, "bob").has_value());
        BOOST_TEST(!store::find_user(connection, caller.tenant.id, "bob ").has_value());
    });
}

BOOST_FIXTURE_TEST_CASE(roles_users_and_groups_are_let_in_by_name, Site) {
    BOOST_REQUIRE(operations::save_group(fresh.database, caller,
                                         {.name = "research", .members = {"eve"}}, now)
                      .has_value());
    permit(the_hardware, {.roles = {Role::cluster_operator}});
    permit(the_image, {.users = {"bob"}});
    permit(the_service, {.groups = {"research"}});

    BOOST_TEST(!is_withheld(olga, the_hardware));
    BOOST_TEST(is_withheld(bob, the_hardware));
    BOOST_TEST(!is_withheld(bob, the_image));
    BOOST_TEST(is_withheld(eve, the_image));
    BOOST_TEST(!is_withheld(eve, the_service));
    BOOST_TEST(is_withheld(bob, the_service));
}

BOOST_FIXTURE_TEST_CASE(create_and_preview_name_every_field_that_is_not_permitted, Site) {
    for (const EntryName& entry : all_entries) permit(entry);
    auto create = wanted();
    create.hardware_type = "small";
    create.image_type = "deb";

    const std::string others = ": an administrator permits it to others only.\n";
    BOOST_TEST(problems_of(bob, create) ==
               "clusterTemplate: You may not use cluster template pair" + others +
                   "provider: You may not use provider cloud" + others +
                   "hardwaretype: You may not use hardware type small" + others +
                   "imagetype: You may not use image type deb" + others +
                   "services: You may not use service web" + others);
    const auto refused = operations::create_cluster(fresh.database, bob, create, now);
    BOOST_TEST((refused.error().kind == Refusal::Kind::forbidden));
    BOOST_TEST(problems_of(caller, create) == "");
}

BOOST_FIXTURE_TEST_CASE(the_solver_takes_only_what_is_permitted, Site) {
    save(CatalogueKind::hardware_type,
         R"({"name":"big","providermap":{"cloud":{"flavor":"b","memory_mb":"256"}}})");
    const auto types_for = [&](const model::Caller& who) {
        const auto preview = operations::preview_cluster(fresh.database, who, wanted(), now);
        BOOST_REQUIRE(preview.has_value());
        std::set<std::string> types;
        for (const auto& node : preview->nodes) types.insert(node.hardware_type);
        return types;
    };
    permit({CatalogueKind::hardware_type, "big"});
    BOOST_TEST(types_for(bob).contains("small"));
    BOOST_TEST(!types_for(bob).contains("big"));

    permit(the_hardware);
    permit({CatalogueKind::hardware_type, "big"}, {.users = {"bob"}});
    BOOST_TEST(types_for(bob).contains("big"));
    BOOST_TEST(!types_for(bob).contains("small"));

    permit({CatalogueKind::hardware_type, "big"});
    const std::string problems = problems_of(bob, wanted());
    BOOST_TEST(problems.find("permits them to others only: hardware types big, small.") !=
                   std::string::npos,
               problems);
}

BOOST_FIXTURE_TEST_CASE(a_cluster_stays_operable_and_does_not_grow_on_what_was_withdrawn, Site) {
    const auto mine = cluster_of_bob();
    for (const EntryName& entry : all_entries) {
        permit(entry);
        const auto grown = grow(bob, mine);
        BOOST_REQUIRE(!grown.has_value());
        BOOST_TEST((grown.error().kind == Refusal::Kind::forbidden), entry.name);
        BOOST_TEST(words_of(grown.error()).find(entry.name) != std::string::npos, entry.name);
        if (entry == the_template) {
            const auto synced = operations::sync_template(fresh.database, bob, mine);
            BOOST_REQUIRE(!synced.has_value());
            BOOST_TEST(words_of(synced.error()).starts_with("clusterTemplate: You may not use"));
        }
        operations::remove_permission(fresh.database, caller, entry);
    }
    for (const EntryName& entry : all_entries) permit(entry);

    BOOST_TEST(operations::act_on_services(fresh.database, bob, mine,
                                           {.operation = model::Operation::restart_services}, now)
                   .has_value());
    succeed_all();
    const auto replaced = operations::change_cluster(
        fresh.database, bob, mine, {.change = operations::ReplaceNodes{.nodes = {"1000"}}}, now);
    BOOST_TEST(replaced.has_value());
    succeed_all();
    BOOST_TEST(grow(caller, mine).has_value());
    succeed_all();
    BOOST_TEST(operations::delete_cluster(fresh.database, bob, mine, now).has_value());
}

BOOST_FIXTURE_TEST_CASE(a_service_that_is_not_permitted_is_not_added, Site) {
    save(CatalogueKind::service, R"({"name":"cache","provisioner":{"actions":{
         "start":{"type":"shell","fields":{"script":"x"}}}}})");
    const auto mine = cluster_of_bob();
    permit({CatalogueKind::service, "cache"});
    const operations::ChangeCluster add{.change = operations::AddServices{.services = {"cache"}}};

    const auto refused = operations::change_cluster(fresh.database, bob, mine, add, now);

    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST(words_of(refused.error()) ==
               "services: You may not use service cache: an administrator permits it to others "
               "only.");
    permit({CatalogueKind::service, "cache"}, {.users = {"bob"}});
    BOOST_TEST(operations::change_cluster(fresh.database, bob, mine, add, now).has_value());
}

BOOST_FIXTURE_TEST_CASE(nobody_reads_a_template_by_extending_it, Site) {
    permit(the_template);
    model::ClusterTemplate own;
    own.header.name = "mine";
    own.extends = "pair";

    const auto refused = operations::resolve_for_review(fresh.database, bob, own);

    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST((refused.error().kind == Refusal::Kind::forbidden));
    BOOST_TEST(operations::resolve_for_review(fresh.database, caller, own).has_value());
}

BOOST_FIXTURE_TEST_CASE(deleting_groups_users_and_entries_frees_nothing, Site) {
    BOOST_REQUIRE(operations::save_group(fresh.database, caller,
                                         {.name = "research", .members = {"eve"}}, now)
                      .has_value());
    permit(the_hardware, {.groups = {"research"}});
    permit(the_image, {.users = {"eve"}});
    BOOST_REQUIRE(operations::delete_group(fresh.database, caller, "research").has_value());
    BOOST_REQUIRE(operations::delete_user(fresh.database, caller, "acme", "eve").has_value());

    BOOST_TEST(is_withheld(bob, the_hardware));
    BOOST_TEST(is_withheld(bob, the_image));

    const base::Json all = operations::export_catalogue(fresh.database, caller);
    BOOST_REQUIRE(operations::import_catalogue(fresh.database, caller, all, now).has_value());
    BOOST_TEST(is_withheld(bob, the_hardware));
    BOOST_TEST(all.dump().find("research") == std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(an_export_has_what_its_reader_may_use, Site) {
    permit(the_hardware);

    const base::Json of_bob = operations::export_catalogue(fresh.database, bob);
    const base::Json of_rita = operations::export_catalogue(fresh.database, rita);

    BOOST_TEST(of_bob.at("hardwaretypes").empty());
    BOOST_TEST(of_bob.at("imagetypes").size() == 1U);
    BOOST_TEST(of_rita.at("hardwaretypes").size() == 1U);
}

BOOST_FIXTURE_TEST_CASE(unknown_groups_and_users_are_all_told_at_once, Site) {
    const auto refused = operations::set_permission(
        fresh.database, caller,
        {.entry = the_image, .groups = {"nobody"}, .users = {"bob", "ghost", "phantom"}});

    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST(refused.error().problems.size() == 3U);
    BOOST_TEST(!is_withheld(bob, the_image));

    const auto group = operations::save_group(fresh.database, caller,
                                              {.name = "-x", .members = {"bob", "ghost"}}, now);
    BOOST_REQUIRE(!group.has_value());
    BOOST_TEST(group.error().problems.size() == 2U);
}

BOOST_FIXTURE_TEST_CASE(members_come_and_go_without_the_others, Site) {
    BOOST_REQUIRE(
        operations::save_group(fresh.database, caller,
                               {.name = "research", .description = "GPUs", .members = {"eve"}}, now)
            .has_value());
    const auto set = [&](const char* user, bool is_member) {
        return operations::set_members(fresh.database, caller, "research", {user}, is_member);
    };
    const auto group = [&] {
        return fresh.database.read([&](store::Connection& connection) {
            return *store::find_group(connection, caller.tenant.id, "research");
        });
    };

    BOOST_REQUIRE(set("bob", true).has_value());
    BOOST_TEST((group().members == std::vector<std::string>{"bob", "eve"}));
    BOOST_TEST(group().description == "GPUs");
    BOOST_REQUIRE(set("eve", false).has_value());
    BOOST_TEST((group().members == std::vector<std::string>{"bob"}));

    const auto refused = set("ghost", true);
    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST(refused.error().problems.front().field == "members");
    BOOST_TEST(set("ghost", false).has_value());
    BOOST_TEST((group().members == std::vector<std::string>{"bob"}));
    const auto several = operations::set_members(fresh.database, caller, "research",
                                                 {"eve", "ghost", "phantom", "eve"}, true);
    BOOST_REQUIRE(!several.has_value());
    BOOST_TEST(several.error().problems.size() == 2U);
    BOOST_TEST((group().members == std::vector<std::string>{"bob"}), "all or none");
    BOOST_REQUIRE(operations::set_members(fresh.database, caller, "research", {"eve", "eve"}, true)
                      .has_value());
    BOOST_TEST((group().members == std::vector<std::string>{"bob", "eve"}));
    BOOST_REQUIRE(operations::save_group(
                      fresh.database, caller,
                      {.name = "research", .description = "TPUs", .keeps_members = true}, now)
                      .has_value());
    BOOST_TEST(group().description == "TPUs");
    BOOST_TEST((group().members == std::vector<std::string>{"bob", "eve"}));

    const auto other = tests::a_caller(fresh.database, "other");
    const auto elsewhere =
        operations::set_members(fresh.database, other, "research", {"bob"}, false);
    BOOST_REQUIRE(!elsewhere.has_value());
    BOOST_TEST((elsewhere.error().kind == Refusal::Kind::not_found));
}

BOOST_FIXTURE_TEST_CASE(permissions_and_groups_of_another_tenant_do_not_count, Site) {
    const auto other = tests::a_caller(fresh.database, "other");
    BOOST_REQUIRE(
        operations::set_permission(fresh.database, other, {.entry = the_hardware}).has_value());
    BOOST_TEST(!is_withheld(bob, the_hardware));
    BOOST_TEST(!operations::set_permission(fresh.database, other,
                                           {.entry = the_hardware, .users = {"bob"}})
                    .has_value());
    BOOST_REQUIRE(
        operations::save_group(fresh.database, caller, {.name = "research"}, now).has_value());
    BOOST_TEST(!operations::delete_group(fresh.database, other, "research").has_value());
    BOOST_TEST(!operations::save_group(fresh.database, other,
                                       {.name = "research", .members = {"bob"}}, now)
                    .has_value());
}

BOOST_FIXTURE_TEST_CASE(federation_sets_the_groups_of_a_user_by_name, Site) {
    for (const char* name : {"one", "two", "three"}) {
        BOOST_REQUIRE(
            operations::save_group(fresh.database, caller, {.name = name, .members = {"bob"}}, now)
                .has_value());
    }

    const auto unknown = fresh.database.write([&](store::Connection& connection) {
        return operations::set_memberships(connection, model::audit::actor_of(caller), bob.user,
                                           {"two", "nowhere", "two", "three"});
    });
    const auto groups = fresh.database.read(
        [&](store::Connection& connection) { return store::groups_of(connection, bob.user.id); });

    BOOST_TEST((unknown == std::vector<std::string>{"nowhere"}));
    BOOST_TEST((groups == std::vector<std::string>{"three", "two"}));
}

BOOST_FIXTURE_TEST_CASE(changes_of_groups_and_permissions_are_in_the_audit_log, Site) {
    BOOST_REQUIRE(operations::save_group(fresh.database, caller, {.name = "web"}, now).has_value());
    BOOST_REQUIRE(operations::save_group(fresh.database, caller, {.name = "web"}, now).has_value());
    permit(the_hardware, {.groups = {"web"}});
    operations::remove_permission(fresh.database, caller, the_hardware);
    BOOST_REQUIRE(operations::delete_group(fresh.database, caller, "web").has_value());

    const auto all = actions();
    for (const char* action :
         {"group.create", "group.replace", "permission.set", "permission.remove", "group.delete"}) {
        BOOST_TEST(std::ranges::count(all, action) == 1, action);
    }
    const auto set = fresh.database.read([&](store::Connection& connection) {
        return store::list_events(connection,
                                  {.chain = caller.tenant.id, .action = "permission.set"}, 0, 10);
    });
    BOOST_REQUIRE(set.size() == 1U);
    BOOST_TEST(set.front().before == R"({"everybody":true})");
    BOOST_TEST(set.front().after.find(R"("everybody":false)") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(operators_operate_what_others_own_and_auditors_only_see_it, Site) {
    const auto mine = cluster_of_bob();
    const auto seen = [&](const model::Caller& who) {
        return fresh.database.read([&](store::Connection& connection) {
            return store::find_cluster(connection, who, mine).has_value();
        });
    };
    const auto restart = [&](const model::Caller& who) {
        const bool done =
            operations::act_on_services(fresh.database, who, mine,
                                        {.operation = model::Operation::restart_services}, now)
                .has_value();
        succeed_all();
        return done;
    };

    BOOST_TEST(seen(bob));
    BOOST_TEST(seen(olga));
    BOOST_TEST(seen(rita));
    BOOST_TEST(!seen(eve));
    BOOST_TEST(restart(bob));
    BOOST_TEST(restart(olga));
    BOOST_TEST(!restart(rita));
    BOOST_TEST(!restart(eve));
    BOOST_TEST(!grow(rita, mine).has_value());
    BOOST_TEST(!operations::delete_cluster(fresh.database, rita, mine, now).has_value());
    BOOST_TEST(!operations::abort_job(fresh.database, rita, mine).has_value());
    // Not even their own, from the time when they were users.
    auto was_user = bob;
    was_user.user.role = Role::auditor;
    BOOST_TEST(!restart(was_user));
    BOOST_TEST((operations::give_up_cluster(fresh.database, olga, mine, now).error().kind ==
                Refusal::Kind::forbidden));
    BOOST_TEST(grow(olga, mine).has_value());
}

BOOST_FIXTURE_TEST_CASE(auditors_make_keys_that_only_read, Site) {
    const auto make = [&](const model::KeyLimits& limits) {
        static int number = 0;
        return operations::create_api_key(
                   fresh.database, rita,
                   {.name = "key-" + std::to_string(++number), .limits = limits}, {}, now)
            .has_value();
    };
    using model::KeyScope;
    using model::ResourceKind;

    BOOST_TEST(!make({.scope = KeyScope::all}));
    BOOST_TEST(make({.scope = KeyScope::read}));
    BOOST_TEST(!make({.scope = KeyScope::some, .rights = {{ResourceKind::clusters, true}}}));
    BOOST_TEST(make({.scope = KeyScope::some, .rights = {{ResourceKind::clusters, false}}}));
}

BOOST_FIXTURE_TEST_CASE(two_administrators_cannot_take_the_role_from_each_other, Site) {
    const auto second = add("amy", Role::admin);
    const auto demote = [&](const model::Caller& by, const std::string& whom) {
        return operations::change_access(fresh.database, by, "acme", whom, {.role = Role::user});
    };
    BOOST_TEST((demote(caller, "ann").error().kind == Refusal::Kind::conflict));
    BOOST_REQUIRE(demote(caller, "amy").has_value());
    // Identified before, as a request under way is.
    const auto late = demote(second, "ann");
    BOOST_REQUIRE(!late.has_value());
    BOOST_TEST((late.error().kind == Refusal::Kind::conflict));
    BOOST_TEST(!operations::delete_user(fresh.database, second, "acme", "bob").has_value());

    for (int round = 0; round < 10; ++round) {
        fresh.database.write([&](store::Connection& connection) {
            store::update_access(connection, second.user.id, Role::admin, false);
            store::update_access(connection, caller.user.id, Role::admin, false);
        });
        bool first_done = false;
        bool second_done = false;
        std::thread one([&] { first_done = demote(caller, "amy").has_value(); });
        std::thread other([&] { second_done = demote(second, "ann").has_value(); });
        one.join();
        other.join();
        BOOST_TEST((first_done != second_done));
    }
}

BOOST_FIXTURE_TEST_CASE(administrators_make_users_of_their_tenant_and_no_superadmins, Site) {
    const auto make = [&](const model::Caller& by, const std::string& tenant, Role role) {
        static int number = 0;
        const auto made =
            operations::create_user(fresh.database, by, tenant,
                                    {.name = "new" + std::to_string(++number), .role = role}, now);
        return made ? std::optional<Refusal::Kind>() : made.error().kind;
    };
    tests::a_caller(fresh.database, "other");
    auto in_root = tests::a_caller(fresh.database, "superadmin");

    BOOST_TEST(!make(caller, "acme", Role::auditor).has_value());
    BOOST_TEST(!make(caller, "acme", Role::cluster_operator).has_value());
    BOOST_TEST((make(caller, "other", Role::user) == Refusal::Kind::not_found));
    BOOST_TEST((make(olga, "acme", Role::user) == Refusal::Kind::not_found));
    BOOST_TEST((make(rita, "acme", Role::user) == Refusal::Kind::not_found));
    BOOST_TEST((make(in_root, "superadmin", Role::superadmin) == Refusal::Kind::invalid));
    in_root.user.role = Role::superadmin;
    // Whoever was one when the request came may have been demoted since.
    BOOST_TEST((make(in_root, "other", Role::admin) == Refusal::Kind::conflict));
    fresh.database.write([&](store::Connection& connection) {
        store::update_access(connection, in_root.user.id, Role::superadmin, false);
    });
    BOOST_TEST(!make(in_root, "superadmin", Role::superadmin).has_value());
    BOOST_TEST(!make(in_root, "other", Role::admin).has_value());
}

BOOST_FIXTURE_TEST_CASE(a_superadmin_restricts_a_tenant_to_types_of_providers, Site) {
    const auto mine = cluster_of_bob();
    auto root = tests::a_caller(fresh.database, "superadmin", Role::superadmin);
    operations::TenantSpec spec;
    spec.name = "acme";
    spec.provider_types = std::vector<std::string>{"local"};
    BOOST_REQUIRE(operations::replace_tenant(fresh.database, root, "acme", spec, now).has_value());
    const std::string reason =
        "provider: Tenant acme may not use providers of type simulated, such as cloud.\n";

    BOOST_TEST(problems_of(bob, wanted()) == reason);
    BOOST_TEST(problems_of(caller, wanted()) == reason);
    const auto grown = grow(caller, mine);
    BOOST_REQUIRE(!grown.has_value());
    BOOST_TEST(words_of(grown.error()) + '\n' == reason);
    const auto saved = operations::create_entry(
        fresh.database, caller, CatalogueKind::provider,
        *base::parse_json(R"({"name":"more","providertype":"simulated"})"), now);
    BOOST_REQUIRE(!saved.has_value());
    BOOST_TEST(saved.error().problems.front().field == "providertype");
    BOOST_TEST(!operations::import_catalogue(fresh.database, caller,
                                             operations::export_catalogue(fresh.database, caller),
                                             now)
                    .has_value());
    const bool is_offered = fresh.database.read([&](store::Connection& connection) {
        return !operations::not_on_offer(connection, caller)
                    .contains(CatalogueKind::provider, "cloud");
    });
    BOOST_TEST(!is_offered);

    // Absent: as it is. Null: all.
    spec.provider_types.reset();
    BOOST_REQUIRE(operations::replace_tenant(fresh.database, root, "acme", spec, now).has_value());
    BOOST_TEST(problems_of(bob, wanted()) == reason);
    spec.provider_types.emplace();
    BOOST_REQUIRE(operations::replace_tenant(fresh.database, root, "acme", spec, now).has_value());
    BOOST_TEST(problems_of(bob, wanted()) == "");
}

BOOST_FIXTURE_TEST_CASE(a_new_tenant_gets_what_is_for_everybody, Site) {
    const auto root = tests::a_caller(fresh.database, "superadmin", Role::superadmin);
    const auto save_of_root = [&](CatalogueKind kind, const char* text) {
        BOOST_REQUIRE(
            operations::create_entry(fresh.database, root, kind, *base::parse_json(text), now)
                .has_value());
    };
    save_of_root(CatalogueKind::provider, R"({"name":"cloud","providertype":"simulated"})");
    save_of_root(CatalogueKind::provider, R"({"name":"here","providertype":"local"})");
    save_of_root(CatalogueKind::hardware_type, R"({"name":"small","providermap":{}})");
    save_of_root(CatalogueKind::hardware_type, R"({"name":"gpu","providermap":{}})");
    BOOST_REQUIRE(operations::set_permission(fresh.database, root,
                                             {.entry = {CatalogueKind::hardware_type, "gpu"}})
                      .has_value());
    operations::TenantSpec spec;
    spec.name = "young";
    spec.bootstrap = true;
    spec.provider_types = std::vector<std::string>{"local"};

    BOOST_REQUIRE(operations::create_tenant(fresh.database, root, spec, now).has_value());

    const auto has = [&](CatalogueKind kind, const std::string& name) {
        return fresh.database.read([&](store::Connection& connection) {
            const auto young = store::find_tenant(connection, "young");
            return store::find_entry(connection, young->id, kind, name).has_value();
        });
    };
    BOOST_TEST(has(CatalogueKind::provider, "here"));
    BOOST_TEST(!has(CatalogueKind::provider, "cloud"));
    BOOST_TEST(has(CatalogueKind::hardware_type, "small"));
    BOOST_TEST(!has(CatalogueKind::hardware_type, "gpu"));
}

BOOST_AUTO_TEST_SUITE_END()
