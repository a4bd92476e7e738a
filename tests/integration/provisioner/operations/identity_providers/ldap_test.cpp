#include <ctime>
#include <thread>

#include "provisioner/operations/audit.hpp"
#include "provisioner/operations/identity_providers/vanished.hpp"
#include "provisioner/store/sign_in/external_store.hpp"
#include "provisioner/store/sign_in/identity_provider_store.hpp"
#include "tests/integration/provisioner/operations/identity_providers/provider_site.hpp"

using namespace provisioner;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(sign_in_by_directory)

namespace {

using End = operations::SignInResult::End;

const auto never = [] { return false; };

/// The directory, one process for all cases.
tests::PythonServer& peer() {
    static tests::PythonServer server({"tests/support/identity/directory_peer.py"});
    return server;
}

struct Site : tests::ProviderSite {
    Site() {
        tests::tell(peer().port(), "/reset");
        save(directory(), "the service's own");
    }

    model::IdentityProvider directory() const {
        model::IdentityProvider made;
        made.name = "staff";
        made.kind = model::IdentityKind::ldap;
        made.label = "Staff directory";
        made.servers = text("tls");
        made.authorities = text("authority");
        made.bind_dn = "cn=service,dc=example,dc=org";
        made.secret = base::Secret("the service's own");
        made.user_base = "ou=people,dc=example,dc=org";
        made.user_filter = "(objectClass=inetOrgPerson)";
        made.group_base = "ou=groups,dc=example,dc=org";
        made.rules = {{.value = "cn=admins, ou=groups, dc=example, dc=org",
                       .tenant = "acme",
                       .role = model::Role::admin},
                      {.value = "cn=staff,ou=groups,dc=example,dc=org", .tenant = "acme"},
                      {.value = "cn=staff,ou=groups,dc=example,dc=org", .tenant = "barrels"}};
        return made;
    }

    std::string text(const std::string& name) const { return base::text_at(info, name); }

    operations::SignInResult sign_in(const std::string& user, const std::string& password,
                                     const std::string& tenant = "barrels") {
        return operations::sign_in(
            fresh.database,
            {.tenant = tenant, .user = user, .password = base::Secret(password), .client = client},
            rules, now(), [&](const operations::SignInRequest& wanted) {
                return providers.check_password(wanted, "", rules, now());
            });
    }

    void make_key(model::UserId owner, const std::string& hash) {
        fresh.database.write([&](store::Connection& connection) {
            store::insert_api_key(connection, owner, {.name = "ci", .created_at = now()}, hash);
        });
    }

    std::optional<store::KeyOwner> owner_of(const std::string& hash) {
        return fresh.database.read([&](store::Connection& connection) {
            return store::find_key_owner(connection, hash, now());
        });
    }

    void modify(const std::string& ldif) { tests::tell(peer().port(), "/modify", ldif); }

    int follow() {
        return operations::follow_providers(fresh.database, log, 24h * 30, now(), never);
    }

    base::Json info = base::parse_json(tests::tell(peer().port(), "/info")).value();
    operations::IdentityProviders providers{fresh.database, log, {.at_once = 4}};
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_password_of_the_directory_lets_in_and_no_other_does, Site) {
    const auto result = sign_in("bob", "an adze, a croze");

    BOOST_REQUIRE_MESSAGE((result.end == End::done), lines.str() << result.reason);
    const auto session = this->session(result.token);
    BOOST_REQUIRE(session.has_value());
    BOOST_TEST(session->caller.tenant.name == "barrels");
    BOOST_TEST((session->caller.user.role == model::Role::user));
    BOOST_TEST(session->caller.user.password_hash.empty());
    BOOST_TEST((sign_in("BOB", "an adze, a croze").user_id == result.user_id));
    for (const std::string wrong : {"", "hoops and staves", "an adze, a croze "}) {
        BOOST_TEST((sign_in("bob", wrong).end == End::wrong_password), wrong);
    }
    BOOST_TEST((sign_in("bob", "an adze, a croze", "nowhere").end == End::wrong_password));
    const auto eve = sign_in("eve", "not of this place");
    BOOST_TEST((eve.end == End::not_admitted));
    BOOST_TEST(eve.technical_reason == "staff calls the person \"eve\" and states no groups");
    BOOST_TEST(lines.str().find("adze") == std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_secret_that_is_too_long_is_refused_before_it_is_sealed, Site) {
    const auto save_with = [&](std::size_t length) {
        return operations::save_identity_provider(
            fresh.database, root, directory(), base::Secret(std::string(length, 'x')), true, now());
    };
    const auto refused = save_with(model::longest_identity_secret + 1);

    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST((refused.error().kind == operations::Refusal::Kind::invalid));
    BOOST_TEST(refused.error().problems.front().field == "secret");
    BOOST_TEST(save_with(model::longest_identity_secret).has_value());
}

BOOST_FIXTURE_TEST_CASE(of_two_who_change_only_the_secret_the_second_is_told_so, Site) {
    const auto stored = operations::identity_provider(fresh.database, "staff").value();
    const std::string base = operations::fingerprint_of(stored);
    const auto save_with = [&](const std::string& secret) {
        return operations::save_identity_provider(fresh.database, root, stored,
                                                  base::Secret(secret), true, now(), false, base);
    };
    BOOST_REQUIRE(save_with("the first one's").has_value());

    const auto second = save_with("the second one's");

    BOOST_REQUIRE(!second.has_value());
    BOOST_TEST((second.error().kind == operations::Refusal::Kind::conflict));
    BOOST_TEST(operations::identity_provider(fresh.database, "staff")->secret.reveal() ==
               "the first one's");
}

BOOST_FIXTURE_TEST_CASE(who_saves_what_was_changed_meanwhile_is_told_so, Site) {
    const auto read = [&] {
        return operations::identity_provider(fresh.database, "staff").value();
    };
    const auto save_from = [&](const model::IdentityProvider& wanted, const std::string& base) {
        return operations::save_identity_provider(fresh.database, root, wanted, {}, true, now(),
                                                  false, base);
    };
    const auto first = read();
    const std::string base = operations::fingerprint_of(first);
    auto without_admins = first;
    without_admins.rules.erase(without_admins.rules.begin());
    BOOST_REQUIRE(save_from(without_admins, base).has_value());

    const auto second = save_from(first, base);

    BOOST_REQUIRE(!second.has_value());
    BOOST_TEST((second.error().kind == operations::Refusal::Kind::conflict));
    BOOST_TEST(read().rules.size() == 2U, "the rule of the admins does not come back");
    BOOST_TEST(save_from(first, operations::fingerprint_of(read())).has_value());
    auto gone = first;
    gone.name = "gone";
    const auto third = save_from(gone, base);
    BOOST_REQUIRE(!third.has_value());
    BOOST_TEST((third.error().kind == operations::Refusal::Kind::not_found));
}

BOOST_FIXTURE_TEST_CASE(a_test_asks_all_servers_in_the_time_of_one_sign_in_and_each_once, Site) {
    auto slow = directory();
    slow.servers = text("silent") + " " + text("silent_plain") + " " + text("silent");
    const auto begin = std::chrono::steady_clock::now();

    const auto problems = providers.test(slow).problems;

    BOOST_TEST((std::chrono::steady_clock::now() - begin < 12s));
    BOOST_TEST(problems.size() == 2U);
    slow.servers += " " + text("tls");
    const auto told = providers.test(slow);
    BOOST_TEST(told.problems.empty(), "the one that answers had its share");
    BOOST_TEST_REQUIRE(told.notes.size() == 2U);
    BOOST_TEST(told.notes.front().field == "servers");
    BOOST_TEST(told.notes.front().message.ends_with(". Logins use " + text("tls") + '.'),
               told.notes.front().message);
}

BOOST_FIXTURE_TEST_CASE(a_test_notes_what_keeps_people_out_of_their_groups_and_passes, Site) {
    const auto notes = [&](const model::IdentityProvider& one) {
        const auto findings = providers.test(one);
        BOOST_TEST(findings.problems.empty());
        std::string fields;
        for (const auto& warning : findings.warnings) fields += '!' + warning.field + ' ';
        for (const auto& note : findings.notes) fields += note.field + ' ';
        return fields;
    };
    BOOST_TEST(notes(directory()) == "");
    for (const std::string attribute : {"memberOfX", "uniqueMember", "cn"}) {
        auto other = directory();
        other.group_attribute = attribute;
        BOOST_TEST(notes(other).starts_with("!groupAttribute "), attribute);
        other.rules.push_back({.value = "*", .tenant = "acme"});
        BOOST_TEST(notes(other).starts_with("groupAttribute "), attribute);
    }
    auto nested = directory();
    nested.nested_groups = true;
    BOOST_TEST(notes(nested) == "!nestedGroups.unknown ", "OpenLDAP does not know the rule");
    BOOST_TEST(providers.test(nested).warnings.front().message.starts_with(
        "This directory does not count nested groups"));
    nested.group_attribute = "uniqueMember";
    BOOST_TEST(notes(nested) == "!groupAttribute ", "nor is anybody in a group without it");
    auto without_base = directory();
    without_base.group_base.clear();
    BOOST_TEST(notes(without_base) == "!groupBase ");
    auto misspelt = directory();
    misspelt.rules = {{.value = "cn=stafff,ou=groups,dc=example,dc=org", .tenant = "acme"},
                      {.value = "cn=staff,ou=people,dc=example,dc=org", .tenant = "acme"},
                      {.value = "*", .tenant = "acme"}};
    BOOST_TEST(notes(misspelt) ==
               "rule:cn=stafff,ou=groups,dc=example,dc=org "
               "rule:cn=staff,ou=people,dc=example,dc=org ");
    save(misspelt, "the service's own");
    providers.test_stored(operations::identity_provider(fresh.database, "staff").value(), now());
    BOOST_TEST(operations::identity_provider(fresh.database, "staff")->last_test->notes.size() ==
               2U);
}

BOOST_FIXTURE_TEST_CASE(a_test_looks_for_users_among_the_members_of_the_groups_of_rules, Site) {
    modify(
        "dn: cn=readers,ou=groups,dc=example,dc=org\nchangetype: add\nobjectClass: groupOfNames\n"
        "cn: readers\nmember: cn=service,dc=example,dc=org\n\n"
        "dn: cn=all,ou=groups,dc=example,dc=org\nchangetype: add\nobjectClass: groupOfNames\n"
        "cn: all\nmember: cn=staff,ou=groups,dc=example,dc=org\n");
    const auto rules_for = [&](const std::vector<std::string>& names) {
        auto one = directory();
        one.rules.clear();
        for (const std::string& name : names) {
            one.rules.push_back(
                {.value = "cn=" + name + ",ou=groups,dc=example,dc=org", .tenant = "acme"});
        }
        return one;
    };
    const auto told = [&](const model::IdentityProvider& one) {
        const auto findings = providers.test(one);
        BOOST_TEST(findings.problems.empty());
        std::string all;
        for (const auto& warning : findings.warnings) all += '!' + warning.message + '\n';
        for (const auto& note : findings.notes) all += note.message + '\n';
        return all;
    };
    const std::string no_users = "It has no members that are users: it fits nobody.\n";
    const std::string only_groups =
        "Its only members are groups, and nested groups are ignored: it fits nobody.\n";
    const std::string nested =
        "Groups of rules have members that are groups: the users in these are in no group of a "
        "rule.\n";

    BOOST_TEST(told(rules_for({"staff"})) == "");
    BOOST_TEST(told(rules_for({"readers"})) == '!' + no_users);
    BOOST_TEST(told(rules_for({"all"})) == '!' + only_groups + '!' + nested);
    BOOST_TEST(told(rules_for({"all", "staff"})) == only_groups + nested);
    auto only_bob = rules_for({"admins"});
    only_bob.user_filter = "(uid=bob)";
    BOOST_TEST(told(only_bob) == '!' + no_users, "ann is no user here");
    auto counted = rules_for({"all"});
    counted.nested_groups = true;
    BOOST_TEST(told(counted).find("it fits nobody") == std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_group_that_the_directory_calls_by_another_name_fits_nobody, Site) {
    auto one = directory();
    one.rules = {{.value = "commonName=staff,ou=groups,dc=example,dc=org", .tenant = "acme"}};

    const auto warnings = providers.test(one).warnings;
    one.rules.front().value = "CN=Staff, ou=groups,dc=example,dc=org";
    const auto none = providers.test(one).warnings;

    BOOST_REQUIRE(warnings.size() == 1U);
    BOOST_TEST(warnings.front().message ==
               "The directory calls this group cn=Staff,ou=groups,dc=example,dc=org: with another "
               "name it fits nobody.");
    BOOST_TEST(none.empty());
}

BOOST_FIXTURE_TEST_CASE(members_outside_the_base_of_users_are_none_however_they_are_spelt, Site) {
    modify(
        "dn: ou=shop\\, north,dc=example,dc=org\nchangetype: add\n"
        "objectClass: organizationalUnit\nou: shop, north\n\n"
        "dn: uid=dora,ou=shop\\, north,dc=example,dc=org\nchangetype: add\n"
        "objectClass: inetOrgPerson\nuid: dora\ncn: Dora\nsn: D\n\n"
        "dn: cn=north,ou=groups,dc=example,dc=org\nchangetype: add\nobjectClass: groupOfNames\n"
        "cn: north\nmember: uid=dora,ou=shop\\, north,dc=example,dc=org\n");
    auto one = directory();
    one.rules = {{.value = "cn=north,ou=groups,dc=example,dc=org", .tenant = "acme"}};

    const auto outside = providers.test(one).warnings;
    one.user_base = "ou=Shop\\2C North,dc=example,dc=org";
    const auto inside = providers.test(one).warnings;

    BOOST_REQUIRE(outside.size() == 1U);
    BOOST_TEST(outside.front().message == "It has no members that are users: it fits nobody.");
    BOOST_TEST(inside.empty());
}

BOOST_FIXTURE_TEST_CASE(a_port_with_tls_where_none_is_meant_is_said_so_and_the_other_way_round,
                        Site) {
    const auto told = [&](const std::string& server) {
        auto one = directory();
        one.servers = server;
        const auto found = providers.test(one);
        BOOST_REQUIRE(found.problems.size() == 1U);
        for (const auto& note : found.notes) BOOST_TEST(note.field == "servers");
        BOOST_TEST(found.notes.size() == 1U);
        return found.problems.front();
    };
    const auto port_of = [&](const char* name) {
        const std::string address = text(name);
        return address.substr(address.find("://"));
    };

    const std::string plain = "ldaps" + port_of("plain");
    BOOST_TEST(told(plain) == plain +
                                  ": it answers without TLS: is the port right, or should the "
                                  "address begin with ldap?");
    const std::string tls = "ldap" + port_of("tls");
    BOOST_TEST(told(tls) == tls +
                                ": it answers with TLS only: is the port right, or should the "
                                "address begin with ldaps?");
}

BOOST_FIXTURE_TEST_CASE(a_group_with_many_members_is_not_said_to_have_no_users, Site) {
    std::string ldif =
        "dn: cn=many,ou=groups,dc=example,dc=org\nchangetype: add\nobjectClass: groupOfNames\n"
        "cn: many\n";
    for (int i = 0; i < 60; ++i) {
        ldif += "member: cn=device" + std::to_string(i) + ",dc=example,dc=org\n";
    }
    modify(ldif);
    auto large = directory();
    large.rules = {{.value = "cn=many,ou=groups,dc=example,dc=org", .tenant = "acme"}};

    const auto findings = providers.test(large);

    BOOST_TEST(findings.warnings.empty());
    BOOST_TEST(findings.notes.empty());
}

BOOST_FIXTURE_TEST_CASE(authorities_without_a_certificate_are_refused_where_they_were_typed, Site) {
    auto wrong = directory();
    wrong.authorities = "hello";
    const auto refused = operations::save_identity_provider(
        fresh.database, root, wrong, base::Secret("the service's own"), true, now());
    BOOST_REQUIRE(!refused.has_value());
    BOOST_REQUIRE(refused.error().problems.size() == 1U);
    BOOST_TEST(refused.error().problems.front().field == "authorities");
    const auto untested = operations::provider_to_test(
        fresh.database, root, wrong, base::Secret("the service's own"), true, false);
    BOOST_REQUIRE(!untested.has_value());
    BOOST_TEST(untested.error().problems.front().field == "authorities");
}

BOOST_FIXTURE_TEST_CASE(locked_users_of_a_provider_are_counted_apart, Site) {
    const auto counts = [&] {
        return fresh.database.read([&](store::Connection& connection) {
            const auto staff = store::find_identity_provider(connection, "staff")->id;
            return std::pair{store::count_unlocked_external_users(connection, staff),
                             store::count_locked_external_users(connection, staff)};
        });
    };
    const auto bob = sign_in("bob", "an adze, a croze");
    BOOST_REQUIRE((bob.end == End::done));
    BOOST_TEST((counts() == std::pair{1, 0}));

    fresh.database.write([&](store::Connection& connection) {
        store::update_access(connection, bob.user_id, model::Role::user, true);
    });

    BOOST_TEST((counts() == std::pair{0, 1}));
}

BOOST_FIXTURE_TEST_CASE(tests_of_providers_wait_among_sign_ins, Site) {
    operations::IdentityProviders narrow(fresh.database, log, {.at_once = 1});
    auto slow = directory();
    slow.servers = text("silent");
    std::thread other([&] { narrow.test(slow); });
    std::this_thread::sleep_for(1s);

    const auto problems = narrow.test(directory()).problems;
    other.join();

    BOOST_TEST_REQUIRE(problems.size() == 1U);
    BOOST_TEST(problems.front().find("Try again") != std::string::npos, problems.front());
    BOOST_TEST(narrow.test(directory()).problems.empty());
}

BOOST_FIXTURE_TEST_CASE(the_tenant_and_role_follow_the_rules, Site) {
    const auto in_acme = sign_in("bob", "an adze, a croze", "acme");
    const auto anywhere = sign_in("bob", "an adze, a croze", "");

    BOOST_TEST((in_acme.end == End::done));
    BOOST_TEST((in_acme.user_id == anywhere.user_id));
    // The tenant acme has a local user ann: the directory's is not taken for them.
    BOOST_TEST((sign_in("ann", "hoops and staves", "acme").end == End::not_admitted));
    BOOST_TEST(sign_in("ann", "hoops and staves", "acme").token.empty());
}

BOOST_FIXTURE_TEST_CASE(names_cannot_become_filters, Site) {
    for (const std::string name : {"*", "b*", "bob)(uid=*", "bob)(|(uid=*", "*)(objectClass=*",
                                   "bob\\2a", std::string("bob\0", 4).c_str()}) {
        const auto result = sign_in(name, "an adze, a croze");

        BOOST_TEST((name == "bob" || result.end == End::wrong_password), name);
    }
}

BOOST_FIXTURE_TEST_CASE(spellings_that_the_directory_takes_for_one_name_have_one_count, Site) {
    // Full-width letters and case: the directory folds them.
    BOOST_REQUIRE((sign_in("ｂｏｂ", "an adze, a croze").end == End::done));
    int looked_at = 0;
    for (const std::string name :
         {"bob", "ｂob", "bｏb", "boｂ", "ｂｏb", "bｏｂ", "ｂoｂ", "ｂOｂ"}) {
        if (sign_in(name, "not it at all").end == End::wrong_password) ++looked_at;
    }

    BOOST_TEST(looked_at == 5);
    BOOST_TEST((sign_in("Ｂｏｂ", "an adze, a croze").end == End::must_wait));
    // What was not looked at is no failure.
    BOOST_TEST((sign_in("carl", "a good barrel").end == End::done));
}

BOOST_FIXTURE_TEST_CASE(start_tls_works_and_certificates_count, Site) {
    auto plain = directory();
    plain.servers = text("plain");
    BOOST_TEST(providers.test(plain).problems.empty());
    BOOST_TEST(providers.test(directory()).problems.empty());

    for (const std::string server : {"tls", "plain"}) {
        auto stranger = directory();
        stranger.servers = text(server);
        stranger.authorities = text("stranger");
        BOOST_TEST(providers.test(stranger).problems.size() == 1U, server);
        auto system = directory();
        system.servers = text(server);
        system.authorities = "";
        BOOST_TEST(providers.test(system).problems.size() == 1U, server);
    }
    auto other_name = directory();
    other_name.servers = text("wrong_name");
    BOOST_TEST(providers.test(other_name).problems.size() == 1U);
    const auto why = [&](const model::IdentityProvider& one) {
        const auto problems = providers.test(one).problems;
        return problems.empty() ? "" : problems.front();
    };
    BOOST_TEST(why(other_name) ==
               "The certificate of localhost is for CN=directory, not for localhost.");
    for (const std::string server : {"tls", "plain"}) {
        auto stranger = directory();
        stranger.servers = text(server);
        stranger.authorities = text("stranger");
        BOOST_TEST(why(stranger).ends_with("is signed by CN=authority, which is not trusted: enter "
                                           "this authority under Authorities."),
                   why(stranger));
        const auto notes = providers.test(stranger).notes;
        BOOST_REQUIRE(notes.size() == 1U);
        BOOST_TEST(notes.front().field == "authorities");
        BOOST_TEST(notes.front().message == why(stranger));
    }
    auto wrong_password = directory();
    wrong_password.secret = base::Secret("wrong");
    BOOST_TEST(providers.test(wrong_password).problems.size() == 1U);
}

BOOST_FIXTURE_TEST_CASE(a_test_warns_where_nobody_fits_and_passes, Site) {
    const auto warning = [&](const model::IdentityProvider& one) {
        const auto findings = providers.test(one);
        BOOST_TEST(findings.problems.empty());
        return findings.warnings.empty() ? "" : findings.warnings.front().message;
    };
    BOOST_TEST(warning(directory()) == "");
    auto of_machines = directory();
    of_machines.user_filter = "(objectClass=device)";
    BOOST_TEST(warning(of_machines) ==
               text("tls") +
                   ": below ou=people,dc=example,dc=org nobody fits the filter "
                   "(objectClass=device).");
    auto of_another_make = directory();
    of_another_make.name_attribute = "sAMAccountName";
    of_another_make.user_filter.clear();
    BOOST_TEST(warning(of_another_make) ==
               text("tls") +
                   ": below ou=people,dc=example,dc=org nobody who fits the filter "
                   "(objectClass=*) has both sAMAccountName and entryUUID.");
    save(of_machines, "the service's own");
    const auto stored = operations::identity_provider(fresh.database, "staff").value();
    providers.test_stored(stored, now());
    const auto kept = operations::identity_provider(fresh.database, "staff")->last_test->warnings;
    BOOST_REQUIRE(kept.size() == 1U);
    BOOST_TEST(kept.front().field == "userFilter");
}

BOOST_FIXTURE_TEST_CASE(the_next_server_is_asked_and_a_silent_one_costs_seconds, Site) {
    for (const std::string silent : {"silent", "silent_plain"}) {
        auto several = directory();
        several.servers = text(silent) + " " + text("tls");
        save(several, "the service's own");
        const auto began = std::chrono::steady_clock::now();
        const std::clock_t worked = std::clock();

        const auto result = sign_in("bob", "an adze, a croze");

        const auto took = std::chrono::steady_clock::now() - began;
        const auto busy = static_cast<double>(std::clock() - worked) / CLOCKS_PER_SEC;
        BOOST_TEST((result.end == End::done), silent << lines.str());
        BOOST_TEST((took < 10s), silent);
        // It waits and does not look again and again.
        BOOST_TEST(busy < 1.5, silent);
    }
}

BOOST_FIXTURE_TEST_CASE(local_superadmins_come_in_while_the_directory_is_away, Site) {
    tests::tell(peer().port(), "/stop");
    fresh.database.write([&](store::Connection& connection) {
        store::update_password(connection, root.user.id,
                               identity::hash_password(base::Secret("broken glass")));
    });
    rules.local_passwords = operations::LocalPasswordsFor::superadmins;

    const auto away = sign_in("bob", "an adze, a croze");
    BOOST_TEST((away.end == End::provider_away));
    BOOST_TEST(away.reason == "Staff directory does not answer.");
    BOOST_TEST((sign_in(root.user.name, "broken glass", "root").end == End::done));
    BOOST_TEST(follow() == 0);
}

BOOST_FIXTURE_TEST_CASE(local_passwords_can_be_left_to_superadmins, Site) {
    fresh.database.write([&](store::Connection& connection) {
        store::update_password(connection, acme.user.id,
                               identity::hash_password(base::Secret("cooper and cooper")));
    });
    BOOST_TEST((sign_in("ann", "cooper and cooper", "acme").end == End::done));

    rules.local_passwords = operations::LocalPasswordsFor::superadmins;

    BOOST_TEST((sign_in("ann", "cooper and cooper", "acme").end == End::wrong_password));
}

BOOST_FIXTURE_TEST_CASE(who_leaves_the_directory_is_out_and_comes_back_with_it, Site) {
    const auto carl = sign_in("carl", "a good barrel");
    const auto bob = sign_in("bob", "an adze, a croze");
    BOOST_REQUIRE((carl.end == End::done && bob.end == End::done));
    BOOST_TEST(follow() == 0);

    modify(
        "dn: cn=Staff,ou=groups,dc=example,dc=org\nchangetype: modify\n"
        "delete: member\nmember: uid=bob,ou=people,dc=example,dc=org\n");
    BOOST_TEST(follow() == 1);
    BOOST_TEST(!session(bob.token).has_value());
    BOOST_TEST(session(carl.token).has_value());
    BOOST_TEST(user(barrels, "bob")->disabled);

    modify(
        "dn: cn=Staff,ou=groups,dc=example,dc=org\nchangetype: modify\n"
        "add: member\nmember: uid=bob,ou=people,dc=example,dc=org\n");
    BOOST_TEST(follow() == 1);
    BOOST_TEST(!user(barrels, "bob")->disabled);

    modify("dn: uid=bob,ou=people,dc=example,dc=org\nchangetype: delete\n");
    BOOST_TEST(follow() == 1);
    BOOST_TEST(user(barrels, "bob")->disabled);
    // Another person of the same name is another person.
    modify(
        "dn: uid=bob,ou=people,dc=example,dc=org\nchangetype: add\n"
        "objectClass: inetOrgPerson\nuid: bob\ncn: Bob\nsn: B\nuserPassword: new here\n");
    // The group still names that distinguished name.
    BOOST_TEST((sign_in("bob", "new here").end != End::done));
    BOOST_TEST(user(barrels, "bob")->disabled);
}

BOOST_FIXTURE_TEST_CASE(a_lock_by_an_administrator_stays, Site) {
    const auto bob = sign_in("bob", "an adze, a croze");
    BOOST_REQUIRE((bob.end == End::done));
    BOOST_REQUIRE(
        operations::change_access(fresh.database, root, "barrels", "bob", {.disabled = true})
            .has_value());

    BOOST_TEST((sign_in("bob", "an adze, a croze").end == End::not_admitted));
    BOOST_TEST(follow() == 0);
    BOOST_TEST(user(barrels, "bob")->disabled);
    BOOST_TEST(!operations::reset_password(fresh.database, root, "barrels", "bob", rules, now())
                    .has_value());
}

BOOST_FIXTURE_TEST_CASE(a_lock_that_an_administrator_takes_over_is_proven_and_stays, Site) {
    const auto bob = sign_in("bob", "an adze, a croze");
    BOOST_REQUIRE((bob.end == End::done));
    modify(
        "dn: cn=Staff,ou=groups,dc=example,dc=org\nchangetype: modify\n"
        "delete: member\nmember: uid=bob,ou=people,dc=example,dc=org\n");
    BOOST_REQUIRE(follow() == 1);
    BOOST_REQUIRE(user(barrels, "bob")->disabled);
    const auto is_gone = [&] {
        return fresh.database.read([&](store::Connection& connection) {
            return store::find_external_user(connection, bob.user_id)->gone_at.has_value();
        });
    };
    const auto lock = [&](const model::Caller& caller) {
        return operations::change_access(fresh.database, caller, "barrels", "bob",
                                         {.disabled = true});
    };
    auto unproven = root;
    unproven.must_prove = true;

    BOOST_CHECK_THROW(static_cast<void>(lock(unproven)), operations::ProofNeeded);
    BOOST_TEST(is_gone(), "nothing is done before the proof");
    BOOST_REQUIRE(lock(root).has_value());
    BOOST_TEST(!is_gone());
    BOOST_REQUIRE_MESSAGE(lock(unproven).has_value(), "what is so already needs no proof");

    modify(
        "dn: cn=Staff,ou=groups,dc=example,dc=org\nchangetype: modify\n"
        "add: member\nmember: uid=bob,ou=people,dc=example,dc=org\n");
    BOOST_TEST(follow() == 0);
    BOOST_TEST(user(barrels, "bob")->disabled);
}

BOOST_FIXTURE_TEST_CASE(a_test_uses_the_stored_secret_where_it_belongs_only, Site) {
    const auto try_it = [&](const model::IdentityProvider& draft) {
        return operations::provider_to_test(fresh.database, root, draft, base::Secret(), true,
                                            false);
    };
    auto draft = operations::identity_provider(fresh.database, "staff").value();
    draft.secret = {};

    const auto same = try_it(draft);
    BOOST_REQUIRE(same.has_value());
    BOOST_TEST(providers.test(*same).problems.empty());

    draft.servers = text("plain") + ' ' + text("tls");
    auto several = directory();
    several.servers = draft.servers;
    save(several, "the service's own");
    for (const auto& fewer : {text("tls"), text("tls") + ' ' + text("plain")}) {
        draft.servers = fewer;
        BOOST_TEST(try_it(draft).has_value(), "no new address gets it");
    }
    draft.servers = text("tls") + " ldaps://attacker.example";
    const auto elsewhere = try_it(draft);
    BOOST_REQUIRE(!elsewhere.has_value());
    BOOST_TEST(elsewhere.error().problems.front().field == "secret");
}

BOOST_FIXTURE_TEST_CASE(a_deleted_provider_takes_its_users_along, Site) {
    const auto bob = sign_in("bob", "an adze, a croze");
    BOOST_REQUIRE((bob.end == End::done));
    make_key(user(barrels, "bob")->id, "a hash");
    BOOST_REQUIRE(owner_of("a hash").has_value());

    BOOST_REQUIRE(
        operations::delete_identity_provider(fresh.database, root, "staff", now()).has_value());

    BOOST_TEST(!session(bob.token).has_value());
    BOOST_TEST(user(barrels, "bob")->disabled);
    BOOST_TEST(!owner_of("a hash").has_value());
}

BOOST_FIXTURE_TEST_CASE(keys_of_a_provider_that_is_switched_off_let_nobody_in, Site) {
    const auto bob = sign_in("bob", "an adze, a croze");
    BOOST_REQUIRE((bob.end == End::done));
    const auto bobs_id = user(barrels, "bob")->id;
    make_key(bobs_id, "a hash");
    // Of a user of this site, whom no provider vouches for.
    make_key(user(acme, "ann")->id, "another");
    const auto is_off = [&] {
        return fresh.database.read([&](store::Connection& connection) {
            return store::is_provider_off(connection, bobs_id);
        });
    };
    BOOST_REQUIRE(owner_of("a hash").has_value());
    BOOST_TEST(!is_off());

    auto off = directory();
    off.enabled = false;
    save(off, "the service's own");

    BOOST_TEST(!owner_of("a hash").has_value());
    BOOST_TEST(is_off());
    BOOST_TEST(!session(bob.token).has_value());
    BOOST_TEST(owner_of("another").has_value());
    BOOST_TEST(!user(barrels, "bob")->disabled);

    save(directory(), "the service's own");
    BOOST_TEST(owner_of("a hash").has_value());
    BOOST_TEST(!is_off());
}

BOOST_FIXTURE_TEST_CASE(what_is_changed_while_a_directory_is_asked_counts, Site) {
    auto slow = directory();
    slow.servers = text("silent") + " " + text("tls");
    save(slow, "the service's own");
    const auto sign_in_while = [&](const std::function<void()>& change) {
        std::thread other([&] {
            std::this_thread::sleep_for(500ms);
            change();
        });
        const auto result = sign_in("bob", "an adze, a croze");
        other.join();
        return result;
    };

    // It waits for the silent server meanwhile.
    const auto off = sign_in_while([&] {
        auto changed = slow;
        changed.enabled = false;
        save(changed, "the service's own");
    });
    BOOST_TEST((off.end == End::provider_refused));
    BOOST_TEST(!user(barrels, "bob").has_value());

    save(slow, "the service's own");
    const auto elsewhere = sign_in_while([&] {
        auto changed = slow;
        changed.rules.pop_back();
        save(changed, "the service's own");
    });
    BOOST_TEST((elsewhere.end == End::not_admitted));
    BOOST_TEST(!user(barrels, "bob").has_value());

    save(slow, "the service's own");
    const auto bob = sign_in("bob", "an adze, a croze");
    BOOST_REQUIRE_MESSAGE((bob.end == End::done), lines.str());
    const auto locked = sign_in_while([&] {
        BOOST_REQUIRE(
            operations::change_access(fresh.database, root, "barrels", "bob", {.disabled = true})
                .has_value());
    });
    BOOST_TEST((locked.end == End::not_admitted));
    BOOST_TEST(locked.token.empty());
}

// Counted and not timed, because a machine that is busy has times of its own.
BOOST_FIXTURE_TEST_CASE(an_unknown_name_costs_a_directory_as_much_as_a_wrong_password, Site) {
    auto counted = directory();
    counted.servers = text("counted");
    save(counted, "the service's own");
    const auto work_for = [&](const std::string& name) {
        tests::tell(peer().port(), "/counted");
        const auto result = sign_in(name, "not it at all");
        BOOST_TEST((result.end == End::wrong_password), name << lines.str());
        return tests::tell(peer().port(), "/counted");
    };

    const std::string known = work_for("bob");

    BOOST_TEST(known.find(R"("connections": 2)") != std::string::npos, known);
    BOOST_TEST(work_for("no-such-name") == known);
}

BOOST_FIXTURE_TEST_CASE(an_account_that_has_expired_in_the_directory_is_out, Site) {
    const auto set = [&](const std::string& moment) {
        modify(
            "dn: uid=bob,ou=people,dc=example,dc=org\nchangetype: modify\n"
            "replace: accountExpires\naccountExpires: " +
            moment + "\n");
    };
    set("9223372036854775807");
    const auto bob = sign_in("bob", "an adze, a croze");
    BOOST_REQUIRE_MESSAGE((bob.end == End::done), lines.str());

    set("116444736000000000");
    BOOST_TEST(follow() == 1);

    BOOST_TEST(!session(bob.token).has_value());
    BOOST_TEST((sign_in("bob", "an adze, a croze").end == End::wrong_password));
}

BOOST_AUTO_TEST_SUITE_END()
