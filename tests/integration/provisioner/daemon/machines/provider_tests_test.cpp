#include "provisioner/daemon/machines/provider_tests.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>

#include "provisioner/identity/vault.hpp"
#include "provisioner/operations/catalogue/edit.hpp"
#include "provisioner/operations/catalogue/exchange.hpp"
#include "provisioner/operations/catalogue/provider_tests.hpp"
#include "provisioner/store/machines/provider_test_store.hpp"
#include "provisioner/store/plugins/plugin_store.hpp"
#include "tests/integration/provisioner/fixture.hpp"

using namespace provisioner;
using boost::asio::awaitable;

namespace {

/// A provider whose test says what the test wants, and shows the password in its refusal.
class TestedProvider final : public providers::Provider {
 public:
    awaitable<providers::Created> create(const providers::Account&,
                                         const providers::MachineSpec&) override {
        co_return providers::Machine{};
    }
    awaitable<providers::Confirmed> confirm(const providers::Account&,
                                            const providers::MachineSpec&,
                                            const base::Json&) override {
        co_return providers::Reachable{};
    }
    awaitable<providers::Destroyed> destroy(const providers::Account&,
                                            const providers::MachineSpec&,
                                            const base::Json&) override {
        co_return providers::Gone{};
    }
    awaitable<std::vector<providers::SeenMachine>> machines(const providers::Account&) override {
        co_return std::vector<providers::SeenMachine>{};
    }
    awaitable<providers::Tested> test(const providers::Account& account) override {
        const std::string password = base::text_at(account.fields, "password");
        if (password != "right") {
            providers::Refused refused;
            refused.message = "wrong password \"" + password + "\"";
            co_return refused;
        }
        providers::Offer offer;
        if (answer) {
            offer = *answer;
            co_return offer;
        }
        offer.choices["zone"] = {{.value = "a", .label = "Zone A"}};
        offer.notes = {"quota: 10 machines"};
        co_return offer;
    }
    std::string account_name(const providers::Account&) const override { return "here"; }

    /// Instead of one zone.
    std::optional<providers::Offer> answer;

    model::PluginType type() const override {
        model::PluginType type;
        type.header.name = "tested";
        type.header.label = "Tested";
        model::PluginField password;
        password.name = "password";
        password.label = "Password";
        password.kind = "password";
        type.admin.fields = {password};
        type.admin.required = {{"password"}};
        return type;
    }
};

struct TestedSite {
    TestedSite() {
        tests::make_keys(fresh.config);
        auto made = std::make_unique<TestedProvider>();
        tested = made.get();
        registry.add(std::move(made));
        fresh.database.write([&](store::Connection& connection) {
            store::save_plugin_type(connection, registry.types().front(), tests::some_time());
        });
    }
    void save(const std::string& password) {
        const base::Json provider{{"name", "cloud"},
                                  {"providertype", "tested"},
                                  {"provisioner", {{"password", password}}}};
        BOOST_REQUIRE(operations::replace_entry(fresh.database, caller,
                                                model::CatalogueKind::provider, "cloud", provider,
                                                tests::some_time()));
    }
    void carry_out() {
        daemon::test_providers(fresh.database, registry, "ours", {}, [] { return false; });
    }
    std::optional<model::ProviderTest> last() {
        return fresh.database.read([&](store::Connection& connection) {
            return store::find_provider_test(connection, caller.tenant.id, "cloud");
        });
    }

    tests::FreshDatabase fresh;
    model::Caller caller = tests::a_caller(fresh.database);
    providers::Registry registry;
    TestedProvider* tested = nullptr;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_provider_that_is_saved_is_tested_and_the_answer_hides_its_secrets) {
    TestedSite site;
    site.save("secret-of-ann");
    BOOST_TEST(!site.last()->done_at.has_value());
    site.carry_out();
    const auto failed = site.last();
    BOOST_TEST(failed->done_at.has_value());
    BOOST_TEST(!failed->passed);
    BOOST_TEST(failed->message.starts_with("wrong password"));
    BOOST_TEST(failed->message.find("secret-of-ann") == std::string::npos);
    BOOST_TEST(failed->asked_by == "ann");
}

BOOST_AUTO_TEST_CASE(providers_that_are_imported_are_tested_and_others_forgotten) {
    TestedSite site;
    site.save("right");
    site.carry_out();
    auto catalogue = operations::export_catalogue(site.fresh.database, site.caller);
    catalogue["providers"][0]["provisioner"]["password"] = "stale";

    BOOST_REQUIRE(operations::import_catalogue(site.fresh.database, site.caller, catalogue,
                                               tests::some_time()));
    BOOST_REQUIRE(site.last().has_value());
    BOOST_TEST(!site.last()->done_at.has_value());
    site.carry_out();
    BOOST_TEST(site.last()->message.starts_with("wrong password"));

    catalogue["providers"] = base::Json::array();
    BOOST_REQUIRE(operations::import_catalogue(site.fresh.database, site.caller, catalogue,
                                               tests::some_time()));
    BOOST_TEST(!site.last().has_value());
}

BOOST_AUTO_TEST_CASE(a_test_that_passed_says_what_may_be_chosen) {
    TestedSite site;
    site.save("right");
    site.carry_out();
    const auto passed = site.last();
    BOOST_TEST(passed->passed);
    BOOST_TEST(
        base::to_text(passed->offer) ==
        R"({"choices":{"zone":[{"value":"a","label":"Zone A"}]},"notes":["quota: 10 machines"]})");
    BOOST_REQUIRE(operations::ask_provider_test(site.fresh.database, site.caller, "cloud"));
    BOOST_TEST(site.last()->number == 2);
    BOOST_TEST(!site.last()->offer.empty());
}

BOOST_AUTO_TEST_CASE(of_an_endless_answer_as_much_is_kept_as_forms_need) {
    TestedSite site;
    providers::Offer offer;
    for (int i = 0; i < 2500; ++i) offer.choices["zone"].push_back({.value = std::to_string(i)});
    offer.choices["image"] = {{.value = std::string(5000, 'x')}, {.value = "a", .label = "A"}};
    offer.notes.assign(5000, "\xc3\xa4\xff" + std::string(5000, 'y'));
    site.tested->answer = offer;
    site.save("right");

    site.carry_out();

    const auto kept = site.last()->offer;
    BOOST_TEST(site.last()->passed);
    BOOST_TEST(kept.at("choices").at("zone").size() == 1000U);
    BOOST_TEST(kept.at("choices").at("image").size() == 1U);
    BOOST_TEST(kept.at("notes").size() == 100U);
    BOOST_TEST(kept.at("notes").at(0) == "Of 2 choices of image 1 are kept.");
    BOOST_TEST(kept.at("notes").at(1) == "Of 2500 choices of zone 1000 are kept.");
    BOOST_TEST(kept.at("notes").at(2).get<std::string>().starts_with("\xc3\xa4\xef\xbf\xbdyyy"));
    BOOST_TEST(kept.at("notes").at(2).get<std::string>().size() == 1000U);
}

BOOST_AUTO_TEST_CASE(a_test_ends_whatever_bytes_the_refusal_has) {
    TestedSite site;
    site.save("wrong");
    const auto taken = site.fresh.database.write([](store::Connection& connection) {
        return store::take_provider_tests(connection, 4, std::chrono::minutes{1});
    });
    auto row = taken.at(0);
    row.message = "HTTP status 500: \xff\xc3";

    site.fresh.database.write(
        [&](store::Connection& connection) { store::save_provider_test(connection, row); });

    BOOST_TEST(site.last()->message == "HTTP status 500: \xef\xbf\xbd\xef\xbf\xbd");
}

BOOST_AUTO_TEST_CASE(a_test_ends_also_where_its_answer_cannot_be_stored) {
    TestedSite site;
    providers::Offer offer;
    // 40 MB, more than a statement may have.
    for (int i = 0; i < 40; ++i) {
        offer.choices["field" + std::to_string(i)].assign(1000, {.value = std::string(999, 'x')});
    }
    site.tested->answer = offer;
    site.save("right");

    site.carry_out();

    BOOST_TEST(site.last()->done_at.has_value());
    BOOST_TEST(site.last()->message == "the provider's answer cannot be stored");
    BOOST_TEST(site.last()->offer.empty());
}

BOOST_AUTO_TEST_CASE(an_answer_to_an_earlier_test_does_not_pass_for_the_later_ones) {
    TestedSite site;
    site.save("right");
    auto earlier = site.fresh.database.write([](store::Connection& connection) {
        return store::take_provider_tests(connection, 4, std::chrono::minutes{1});
    });
    BOOST_REQUIRE(earlier.size() == 1U);
    BOOST_TEST(site.last()->is_taken);
    site.save("wrong");
    earlier[0].passed = true;
    site.fresh.database.write(
        [&](store::Connection& connection) { store::save_provider_test(connection, earlier[0]); });
    BOOST_TEST(!site.last()->done_at.has_value());
    site.carry_out();
    BOOST_TEST(!site.last()->passed);
}

BOOST_AUTO_TEST_CASE(a_test_is_taken_by_one_daemon_and_gone_with_its_provider) {
    TestedSite site;
    site.save("right");
    const auto take = [&] {
        return site.fresh.database.write([](store::Connection& connection) {
            return store::take_provider_tests(connection, 4, std::chrono::minutes{1});
        });
    };
    BOOST_TEST(take().size() == 1U);
    BOOST_TEST(take().empty());
    operations::delete_entry(site.fresh.database, site.caller, model::CatalogueKind::provider,
                             "cloud", std::nullopt);
    BOOST_TEST(!site.last().has_value());
    const auto refused = operations::ask_provider_test(site.fresh.database, site.caller, "cloud");
    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST((refused.error().kind == operations::Refusal::Kind::not_found));
}
