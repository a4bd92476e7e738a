#include "fcgi/auth/remembering_directory.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/identity/tokens.hpp"
#include "tests/unit/fcgi/auth/fake_directory.hpp"

using namespace fcgi::auth;
using namespace std::chrono_literals;
using provisioner::base::Secret;

namespace {

struct SetClock : provisioner::base::Clock {
    provisioner::base::Timestamp moment{};
    provisioner::base::Timestamp now() const override { return moment; }
};

std::string hash_of(const std::string& tenant, const std::string& user) {
    return provisioner::identity::hash_of_token(Secret(tests::token_of(tenant, user)));
}

struct Fixture {
    tests::FakeDirectory asked;
    SetClock clock;
    RememberingDirectory directory{asked, clock};
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(remembering, Fixture)

BOOST_AUTO_TEST_CASE(a_key_is_looked_up_once_a_second) {
    const auto bob = hash_of("acme", "bob");
    BOOST_TEST(directory.by_key("acme", bob).owner->name == "bob");
    const int lookups = asked.lookups;
    clock.moment += 999ms;
    BOOST_TEST(directory.by_key("acme", bob).owner->name == "bob");
    BOOST_TEST(asked.lookups == lookups);
    clock.moment += 1ms;
    directory.by_key("acme", bob);
    BOOST_TEST(asked.lookups == lookups + 1);
}

BOOST_AUTO_TEST_CASE(what_was_written_makes_it_ask_again) {
    const auto bob = hash_of("acme", "bob");
    directory.by_key("acme", bob);
    const int lookups = asked.lookups;
    directory.forget();
    directory.by_key("acme", bob);
    BOOST_TEST(asked.lookups == lookups + 1);
}

BOOST_AUTO_TEST_CASE(what_was_looked_up_before_a_write_is_not_remembered_after_it) {
    struct Interrupted final : Directory {
        explicit Interrupted(tests::FakeDirectory& asked_by) : inner(asked_by) {}
        KeyLookup by_key(const std::string& tenant, const std::string& hash) override {
            auto lookup = inner.by_key(tenant, hash);
            if (outer != nullptr) outer->forget();
            return lookup;
        }
        KeyLookup by_name(const std::string&, const std::string&) override { return {}; }
        std::optional<provisioner::model::OpenSession> find_session(const std::string&) override {
            return std::nullopt;
        }
        std::optional<provisioner::model::Tenant> find_tenant(const std::string&) override {
            return std::nullopt;
        }
        bool is_viewing(const provisioner::model::OpenSession&, const provisioner::model::Tenant&,
                        bool) override {
            return false;
        }
        tests::FakeDirectory& inner;
        Directory* outer = nullptr;
    } interrupted(asked);
    RememberingDirectory remembering(interrupted, clock);
    interrupted.outer = &remembering;
    const auto bob = hash_of("acme", "bob");

    remembering.by_key("acme", bob);
    const int lookups = asked.lookups;
    remembering.by_key("acme", bob);

    BOOST_TEST(asked.lookups == lookups + 1);
}

BOOST_AUTO_TEST_CASE(what_is_nobodys_is_looked_up_every_time) {
    directory.by_key("acme", std::string(64, '0'));
    const int lookups = asked.lookups;
    directory.by_key("acme", std::string(64, '0'));
    BOOST_TEST(asked.lookups == lookups + 1);
}

BOOST_AUTO_TEST_CASE(a_key_in_another_tenant_is_another_question) {
    const auto bob = hash_of("acme", "bob");
    directory.by_key("acme", bob);
    BOOST_TEST(directory.by_key("other", bob).tenant->name == "other");
}

BOOST_AUTO_TEST_SUITE_END()
