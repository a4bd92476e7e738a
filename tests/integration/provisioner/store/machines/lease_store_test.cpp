#include "provisioner/store/machines/lease_store.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <set>
#include <thread>

#include "provisioner/store/machines/account_store.hpp"
#include "tests/integration/provisioner/fixture.hpp"

using namespace provisioner;
using model::LeaseState;

BOOST_AUTO_TEST_SUITE(machine_leases)

namespace {

struct Leasing {
    Leasing() { fresh.database.write(store::installation_id); }

    tests::FreshDatabase fresh;

    static model::LeaseCandidate candidate(const std::string& name, const std::string& spread = "",
                                           int tenant = 1) {
        model::LeaseCandidate made{
            .machine = name, .spread = spread, .listed = {{"address", name}}};
        set_identities(made, {"ssh " + name + " 22", "key of " + name}, tenant);
        return made;
    }

    /// These, for the installation and for the tenant.
    static void set_identities(model::LeaseCandidate& candidate,
                               const std::vector<std::string>& shared, int tenant) {
        candidate.identities = shared;
        for (const std::string& identity : shared) {
            candidate.identities.push_back("tenant " + std::to_string(tenant) + ' ' + identity);
        }
    }

    /// Of another tenant, with another provider.
    static model::LeaseWish their_wish(const std::string& node,
                                       std::vector<model::LeaseCandidate> candidates) {
        auto theirs = wish(node, std::move(candidates));
        theirs.tenant = model::TenantId{2};
        theirs.provider = "shelf";
        return theirs;
    }

    bool enter(const model::MachineLease& lease, const std::vector<std::string>& identities) {
        return fresh.database.write([&](store::Connection& connection) {
            return store::enter_machine(connection, lease.id, identities);
        });
    }

    static model::LeaseWish wish(const std::string& node,
                                 std::vector<model::LeaseCandidate> candidates) {
        return {.tenant = model::TenantId{1},
                .provider_type = "existing",
                .provider = "cellar",
                .node = node,
                .cluster = node.substr(0, node.find('-')),
                .task = 1,
                .candidates = std::move(candidates)};
    }

    model::LeaseAnswer take(const model::LeaseWish& wish) {
        return fresh.database.write(
            [&](store::Connection& connection) { return store::take_machine(connection, wish); });
    }

    model::MachineLease taken(const model::LeaseWish& wish) {
        return std::get<model::MachineLease>(take(wish));
    }

    bool change(const model::MachineLease& lease, LeaseState from, LeaseState to,
                const std::string& reason = "") {
        return fresh.database.write([&](store::Connection& connection) {
            return store::change_lease(connection, lease.id, from, to, reason);
        });
    }

    bool free(const model::MachineLease& lease, LeaseState in) {
        return fresh.database.write([&](store::Connection& connection) {
            return store::free_machine(connection, lease.id, in);
        });
    }

    std::vector<model::MachineLease> all(long long tenant = 0) {
        return fresh.database.read([&](store::Connection& connection) {
            return store::list_leases(connection, model::TenantId{tenant}, 0, 1000);
        });
    }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_node_gets_the_first_free_machine_and_the_same_one_again, Leasing) {
    const auto first = taken(wish("00000001-1", {candidate("a"), candidate("b")}));
    BOOST_TEST(first.machine == "a");
    BOOST_TEST((first.state == LeaseState::leased));
    BOOST_TEST(first.listed.at("address") == "a");
    BOOST_TEST(taken(wish("00000001-2", {candidate("a"), candidate("b")})).machine == "b");

    auto again = wish("00000001-1", {candidate("b"), candidate("c")});
    again.task = 9;
    const auto same = taken(again);

    BOOST_TEST(same.machine == "a");
    BOOST_TEST((same.id == first.id));
    // The later task has it now, so that a deletion by an earlier one leaves it alone.
    BOOST_TEST(all().front().task == 9);
}

BOOST_FIXTURE_TEST_CASE(when_all_are_taken_the_answer_says_how, Leasing) {
    const std::vector candidates{candidate("a"), candidate("b"), candidate("c"), candidate("d")};
    std::vector<model::MachineLease> leases;
    for (const char* node : {"00000001-1", "00000001-2", "00000001-3", "00000001-4"}) {
        leases.push_back(taken(wish(node, candidates)));
    }
    BOOST_TEST(change(leases[1], LeaseState::leased, LeaseState::powered));
    BOOST_TEST(change(leases[2], LeaseState::leased, LeaseState::wiping));
    BOOST_TEST(change(leases[3], LeaseState::leased, LeaseState::wiping));
    BOOST_TEST(change(leases[3], LeaseState::wiping, LeaseState::broken, "the disk is dead"));

    const auto answer = take(wish("00000002-1", candidates));

    const model::NoneFree expected{.leased = 2, .wiping = 1, .broken = 1};
    BOOST_TEST((std::get<model::NoneFree>(answer) == expected));
    BOOST_TEST(all().back().reason == "the disk is dead");
}

BOOST_FIXTURE_TEST_CASE(a_machine_that_shares_any_identity_is_the_same_one, Leasing) {
    const auto lease = taken(wish("00000001-1", {candidate("a")}));
    auto by_another_address = candidate("x");
    set_identities(by_another_address, {"ssh 192.0.2.1 22", "key of a"}, 1);
    BOOST_TEST(taken(wish("00000001-2", {by_another_address, candidate("c")})).machine == "c");

    BOOST_TEST(enter(lease, {"key of a", "ssh a 22"}));
    set_identities(by_another_address, {"ssh 192.0.2.1 22", "key of a"}, 2);
    const auto theirs =
        taken(their_wish("00000002-1", {by_another_address, candidate("b", "", 2)}));
    BOOST_TEST(theirs.machine == "b");
}

// Anyone can list any address and any key: a machine is kept from other tenants by what it has
// proven alone.
BOOST_FIXTURE_TEST_CASE(of_two_tenants_that_list_a_machine_it_is_whose_node_enters_first, Leasing) {
    const auto ours = taken(wish("00000001-1", {candidate("a")}));
    const auto theirs = taken(their_wish("00000002-1", {candidate("a", "", 2)}));
    BOOST_TEST(!all().front().is_entered);

    BOOST_TEST(enter(theirs, {"key of a", "ssh a 22"}));
    BOOST_TEST(enter(theirs, {"key of a", "ssh a 22"}));
    BOOST_TEST(!enter(ours, {"key of another", "ssh a 22"}));

    BOOST_REQUIRE(all().size() == 1U);
    BOOST_TEST(all().front().is_entered);
    BOOST_TEST(!all().front().has_controller);
    // Ours have it no more, and nothing is left of an entry that was refused.
    auto with_that_key = candidate("x");
    set_identities(with_that_key, {"key of another"}, 1);
    BOOST_TEST(taken(wish("00000001-1", {candidate("a"), with_that_key})).machine == "x");
    BOOST_TEST(enter(theirs, {"bmc https://a"}));
    BOOST_TEST(all().front().has_controller);
    BOOST_TEST(change(theirs, LeaseState::leased, LeaseState::wiping));
    BOOST_TEST(!enter(theirs, {"ssh b 22"}));
    BOOST_TEST(free(theirs, LeaseState::wiping));
    const auto again = taken(wish("00000001-2", {candidate("a")}));
    BOOST_TEST(again.machine == "a");
    BOOST_TEST(enter(again, {"ssh a 22"}));
}

BOOST_FIXTURE_TEST_CASE(a_machine_in_the_wash_is_no_nodes_and_goes_to_nobody, Leasing) {
    const auto lease = taken(wish("00000001-1", {candidate("a")}));
    BOOST_TEST(change(lease, LeaseState::leased, LeaseState::wiping));

    BOOST_TEST(std::holds_alternative<model::NoneFree>(take(wish("00000001-1", {candidate("a")}))));
    // The node itself may have another one meanwhile.
    BOOST_TEST(taken(wish("00000001-1", {candidate("a"), candidate("b")})).machine == "b");
    const auto of_node = fresh.database.read([](store::Connection& connection) {
        return store::leases_of_node(connection, "00000001-1");
    });
    BOOST_TEST(of_node.size() == 2U);

    BOOST_TEST(free(lease, LeaseState::wiping));
    BOOST_TEST(taken(wish("00000002-1", {candidate("a")})).machine == "a");
}

BOOST_FIXTURE_TEST_CASE(a_state_changes_only_from_the_one_that_it_is, Leasing) {
    const auto lease = taken(wish("00000001-1", {candidate("a")}));

    BOOST_TEST(!change(lease, LeaseState::powered, LeaseState::wiping));
    BOOST_TEST(!free(lease, LeaseState::wiping));
    BOOST_TEST(change(lease, LeaseState::leased, LeaseState::wiping));
    BOOST_TEST(!change(lease, LeaseState::leased, LeaseState::wiping));
    BOOST_TEST(free(lease, LeaseState::wiping));
    BOOST_TEST(!free(lease, LeaseState::wiping));
}

BOOST_FIXTURE_TEST_CASE(nodes_of_a_cluster_are_spread, Leasing) {
    const std::vector candidates{candidate("a", "rack1"), candidate("b", "rack1"),
                                 candidate("c", "rack2"), candidate("d", "rack3")};
    std::string order;
    for (const char* node : {"00000001-1", "00000001-2", "00000001-3", "00000001-4"}) {
        order += taken(wish(node, candidates)).machine;
    }

    BOOST_TEST(order == "acdb");
}

BOOST_FIXTURE_TEST_CASE(a_machine_that_is_disowned_is_kept_from_its_own_tenant_alone, Leasing) {
    const auto lease = taken(wish("00000001-1", {candidate("a")}));
    BOOST_TEST(enter(lease, {"bmc https://a", "ssh a 22"}));

    fresh.database.write(
        [&](store::Connection& connection) { store::disown_machine(connection, lease.id); });

    BOOST_TEST(std::holds_alternative<model::NoneFree>(take(wish("00000001-2", {candidate("a")}))));
    const auto theirs = taken(their_wish("00000002-1", {candidate("a", "", 2)}));
    BOOST_TEST(theirs.machine == "a");
    BOOST_TEST(enter(theirs, {"ssh a 22"}));
}

BOOST_FIXTURE_TEST_CASE(a_reason_may_have_any_bytes, Leasing) {
    const auto lease = taken(wish("00000001-1", {candidate("a")}));

    fresh.database.write([&](store::Connection& connection) {
        store::note_lease(connection, lease.id, "\xff" + std::string(70'000, 'x'));
    });
    BOOST_TEST(all().front().reason.size() == 65'535U);
    BOOST_TEST(change(lease, LeaseState::leased, LeaseState::broken, "last words: \xe4"));

    BOOST_TEST(all().front().reason == "last words: \xef\xbf\xbd");
}

BOOST_FIXTURE_TEST_CASE(tenants_see_their_own_leases, Leasing) {
    taken(wish("00000001-1", {candidate("a")}));
    auto other = wish("00000002-1", {candidate("b")});
    other.tenant = model::TenantId{2};
    taken(other);

    BOOST_TEST(all().size() == 2U);
    BOOST_TEST(all(2).size() == 1U);
    BOOST_TEST(all(2).front().machine == "b");
    const auto id = all(2).front().id;
    const auto found = [&](long long tenant) {
        return fresh.database.read([&](store::Connection& connection) {
            return store::find_lease(connection, model::TenantId{tenant}, id).has_value();
        });
    };
    BOOST_TEST(found(2));
    BOOST_TEST(found(0));
    BOOST_TEST(!found(1));
}

// Two daemons (a pool of connections each) and many clusters want the same few machines, some of
// which are listed twice under other names.
BOOST_FIXTURE_TEST_CASE(no_machine_is_ever_leased_twice_however_many_want_it, Leasing) {
    constexpr int machines = 20;
    constexpr int takers = 16;
    constexpr int nodes_each = 4;
    store::Database second(fresh.config, store::patience_of_daemons);
    std::vector<model::LeaseCandidate> ours;
    std::vector<model::LeaseCandidate> theirs;
    for (int i = 0; i < machines; ++i) {
        ours.push_back(candidate("m" + std::to_string(i)));
        auto other = candidate("other" + std::to_string(machines - 1 - i));
        const std::string number = std::to_string(machines - 1 - i);
        set_identities(other, {"ssh other" + number + " 22", "key of m" + number}, 1);
        theirs.push_back(other);
    }
    std::atomic<int> got{0};
    std::atomic<int> refused{0};
    {
        std::vector<std::jthread> threads;
        for (int taker = 0; taker < takers; ++taker) {
            threads.emplace_back([&, taker] {
                store::Database& database = taker % 2 == 0 ? fresh.database : second;
                for (int i = 0; i < nodes_each; ++i) {
                    // Each pair of takers asks for the same nodes.
                    const std::string node =
                        "0000000" + std::to_string(taker / 2) + "-" + std::to_string(i);
                    const auto wanted = wish(node, taker % 2 == 0 ? ours : theirs);
                    const auto answer = database.write([&](store::Connection& connection) {
                        return store::take_machine(connection, wanted);
                    });
                    ++(std::holds_alternative<model::NoneFree>(answer) ? refused : got);
                }
            });
        }
    }

    const auto leases = all();
    BOOST_TEST(leases.size() == static_cast<std::size_t>(machines));
    BOOST_TEST(got + refused == takers * nodes_each);
    BOOST_TEST(refused > 0);
    std::set<std::string> numbers;
    std::set<std::string> nodes;
    for (const auto& lease : leases) {
        numbers.insert(lease.machine.substr(lease.machine.find_first_of("0123456789")));
        nodes.insert(lease.node);
    }
    BOOST_TEST(numbers.size() == static_cast<std::size_t>(machines));
    BOOST_TEST(nodes.size() == static_cast<std::size_t>(machines));
}

BOOST_AUTO_TEST_SUITE_END()
