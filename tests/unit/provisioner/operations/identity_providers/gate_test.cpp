#include "provisioner/operations/identity_providers/gate.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/operations/identity_providers/providers.hpp"

using namespace provisioner;
using namespace provisioner::operations;

BOOST_AUTO_TEST_SUITE(waiting_for_identity_providers)

namespace {

using Answer = ProviderGate::Answer;
const model::IdentityProviderId one{1};
const model::IdentityProviderId other{2};

}  // namespace

BOOST_AUTO_TEST_CASE(only_so_many_wait_at_once) {
    ProviderGate gate(2);
    const ProviderGate::Stay first(gate, one);
    {
        const ProviderGate::Stay second(gate, other);
        const ProviderGate::Stay third(gate, one);
        BOOST_TEST((second.answer() == Answer::go));
        BOOST_TEST((third.answer() == Answer::busy));
    }
    const ProviderGate::Stay fourth(gate, one);
    BOOST_TEST((fourth.answer() == Answer::go));
}

BOOST_AUTO_TEST_CASE(a_provider_that_is_away_is_not_asked_and_others_are) {
    ProviderGate gate(2);
    {
        ProviderGate::Stay stay(gate, one);
        stay.provider_is_away();
    }
    BOOST_TEST((ProviderGate::Stay(gate, one).answer() == Answer::away));
    BOOST_TEST((ProviderGate::Stay(gate, other).answer() == Answer::go));
}

BOOST_AUTO_TEST_CASE(claims_name_a_person_and_their_groups) {
    model::IdentityProvider provider;
    provider.groups_claim = "realm_access.roles";
    const base::Json claims{{"sub", "7"},
                            {"preferred_username", "ann"},
                            {"email", "root@example.com"},
                            {"realm_access", {{"roles", {"a", 1, "b"}}}}};

    const auto person = person_in(provider, claims);

    BOOST_TEST(person.subject == "7");
    BOOST_TEST(person.name == "ann");
    BOOST_TEST((person.values == std::set<std::string>{"a", "b"}));
    provider.groups_claim = "email";
    BOOST_TEST((person_in(provider, claims).values == std::set<std::string>{"root@example.com"}));
    provider.groups_claim = "nothing.there";
    BOOST_TEST(person_in(provider, claims).values.empty());
}

BOOST_AUTO_TEST_CASE(names_become_names_that_are_allowed_here) {
    BOOST_TEST(local_name("ann") == "ann");
    BOOST_TEST(local_name("ann@example.com") == "ann_example.com");
    BOOST_TEST(local_name("-rf") == "_-rf");
    BOOST_TEST(local_name("../x") == "_.._x");
    BOOST_TEST(local_name("") == "");
}

BOOST_AUTO_TEST_CASE(our_own_address_comes_from_a_setting_and_is_checked) {
    const auto settings = [](const std::string& text) {
        return provider_settings(base::Config::parse(text));
    };
    BOOST_TEST(settings("").address == "");
    BOOST_TEST(settings("web.address = https://c.example\nweb.prefix = /x\n").address ==
               "https://c.example/x");
    for (const std::string wrong : {"http://c.example", "https://c.example/", "c.example"}) {
        BOOST_CHECK_THROW(settings("web.address = " + wrong + "\n"), std::runtime_error);
    }
}

BOOST_AUTO_TEST_SUITE_END()
