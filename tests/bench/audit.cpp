// What the audit log costs: a recorded event, a change of the catalogue with and without one, lists
// and verification of a long chain. bench_audit [EVENTS]

#include <sys/resource.h>

#include <chrono>
#include <cstdlib>
#include <iomanip>
#include <iostream>

#include "provisioner/migrate/mysql_migrator.hpp"
#include "provisioner/operations/catalogue/edit.hpp"
#include "provisioner/store/audit/verification.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"
#include "provisioner/store/tenants/user_store.hpp"
#include "tests/support/database_server.hpp"

using namespace provisioner;

namespace {

double seconds_of(const std::function<void()>& work) {
    const auto began = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

long peak_kib() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

base::Json an_entry(int number) {
    return *base::parse_json(R"({"name":"small","description":")" + std::to_string(number) +
                             R"(","providermap":{"cloud":{"flavor":"s"}}})");
}

model::audit::Event an_event(model::TenantId chain, int number) {
    model::audit::Event event;
    event.chain = chain;
    event.actor.user.value = number % 100;
    event.actor.name = "user-" + std::to_string(number % 100);
    event.actor.tenant = "acme";
    event.actor.role = "admin";
    event.actor.credential = "session";
    event.actor.client = "192.0.2." + std::to_string(number % 250);
    event.actor.request = "request-" + std::to_string(number);
    event.action = number % 1000 == 0 ? "provider.delete" : "cluster.configure";
    event.object = {.kind = "cluster",
                    .id = std::to_string(number % 5000),
                    .name = "cluster-" + std::to_string(number % 5000)};
    event.before = R"({"config":{"a":"one","b":"two","c":"three"},"nodes":3})";
    event.after = R"({"config":{"a":"four","b":"two","c":"three"},"nodes":4})";
    return event;
}

struct Bench {
    explicit Bench(int events) : count(events) {
        migrate::migrate(config, migrate::read_schema("sql"));
        database.write([&](store::Connection& connection) {
            caller.tenant.uid = base::random_uuid();
            caller.tenant.name = "acme";
            caller.tenant.id = store::insert_tenant(connection, caller.tenant, now);
            caller.user.tenant = caller.tenant.id;
            caller.user.name = "ann";
            caller.user.role = model::Role::admin;
            caller.user.id = store::insert_user(connection, caller.user, now);
        });
    }

    void measure_replace() {
        constexpr int times = 300;
        const auto kind = model::CatalogueKind::hardware_type;
        const auto without = [&](int i) {
            database.write([&](store::Connection& connection) {
                store::lock_tenant(connection, caller.tenant.id);
                store::find_entry(connection, caller.tenant.id, kind, "small");
                store::insert_entry(connection, caller.tenant.id, kind,
                                    *operations::canonical_entry(kind, an_entry(i)), now);
            });
        };
        const auto with = [&](int i) {
            operations::replace_entry(database, caller, kind, "small", an_entry(i), now).value();
        };
        for (int i = 0; i < 50; ++i) with(i), without(i);
        double with_audit = 0;
        double without_audit = 0;
        // By turns, so that other load of the machine falls on both.
        for (int i = 0; i < times; ++i) {
            without_audit += seconds_of([&] { without(i); });
            with_audit += seconds_of([&] { with(i); });
        }
        std::cout << "replace without audit: " << without_audit / times * 1e3
                  << " ms, with audit: " << with_audit / times * 1e3 << " ms\n";
    }

    void fill() {
        constexpr int at_once = 500;
        const double took = seconds_of([&] {
            for (int i = 0; i < count; i += at_once) {
                std::vector<model::audit::Event> events;
                for (int n = i; n < i + at_once; ++n) events.push_back(an_event(chain, n));
                database.write(
                    [&](store::Connection& connection) { store::record(connection, events); });
            }
        });
        std::cout << count << " events in transactions of " << at_once << ": " << took / count * 1e6
                  << " us each\n";
    }

    void list(const char* what, store::AuditFilter filter) {
        filter.chain = chain;
        std::size_t found = 0;
        const double took = seconds_of([&] {
            found = database
                        .read([&](store::Connection& connection) {
                            return store::list_events(connection, filter, 0, 101);
                        })
                        .size();
        });
        std::cout << "list by " << what << ": " << took * 1e3 << " ms, " << found << " events\n";
    }

    void lists() {
        list("nothing", {});
        list("user", {.user = "user-7"});
        list("user that is not there", {.user = "nobody"});
        list("action, one in 1000", {.action = "provider."});
        list("action that is not there", {.action = "tenant."});
        list("object", {.object_kind = "cluster", .object = "cluster-77"});
        list("object by id", {.object = "77"});
        list("request", {.request = "request-4711"});
        list("outcome that is not there", {.outcome = model::audit::Outcome::failed});
        list("time", {.from = base::SystemClock().now() - std::chrono::hours{1},
                      .to = base::SystemClock().now()});
    }

    void verify() {
        const long before = peak_kib();
        store::AuditWalk walk;
        int wrong = 0;
        const double took = seconds_of([&] {
            walk = store::verify_chain(database, chain, {}, [&](const auto&) { ++wrong; });
        });
        std::cout << "verified " << walk.events << " events in " << took << " s, "
                  << static_cast<long>(static_cast<double>(walk.events) / took)
                  << " a second, peak memory " << before << " KiB before and " << peak_kib()
                  << " KiB after, " << wrong << " wrong\n";
    }

    int count;
    tests::DatabaseServer server;
    base::Config config = server.config("bench_audit");
    store::Database database{config, store::patience_of_daemons};
    base::Timestamp now = base::SystemClock().now();
    model::Caller caller;
    model::TenantId chain{4711};
};

}  // namespace

int main(int argc, char** argv) {
    std::cout << std::fixed << std::setprecision(2);
    Bench bench(argc > 1 ? std::atoi(argv[1]) : 1'000'000);
    bench.measure_replace();
    bench.fill();
    bench.lists();
    bench.verify();
}
