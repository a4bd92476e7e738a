#include "provisioner/daemon/tasks/login_keys.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/identity/ssh_keys.hpp"

using namespace provisioner;

BOOST_AUTO_TEST_SUITE(login_keys)

namespace {

identity::SshKeyPair pair_of(char seed) {
    return identity::ssh_key_pair(base::Secret(std::string(32, seed)));
}

const daemon::LoginKeys keys({.private_key = base::Secret("installation"), .public_key = "own"});

model::OpenedLoginKey vault_key(char seed, bool is_of_provider, bool is_current) {
    return {.id = model::LoginKeyId{seed},
            .public_key = pair_of(seed).public_key,
            .private_key = pair_of(seed).private_key,
            .is_of_provider = is_of_provider,
            .is_current = is_current};
}

model::Account an_account() {
    model::Account account;
    account.tenant.value = 2;
    account.installation = "i";
    return account;
}

std::vector<std::string> public_keys(const model::Account& account, bool is_shared = false) {
    std::vector<std::string> names;
    for (const auto& key : keys.all_of(account, is_shared)) names.push_back(key.public_key);
    return names;
}

}  // namespace

BOOST_AUTO_TEST_CASE(without_the_vault_a_provider_has_one_key) {
    model::Account account = an_account();
    BOOST_TEST(public_keys(account).size() == 1U);
    BOOST_TEST(public_keys(account, true) == std::vector<std::string>{"own"},
               boost::test_tools::per_element());

    account.files["ssh_key_resource"] = pair_of('f').private_key.reveal();
    BOOST_TEST(public_keys(account) == std::vector<std::string>{pair_of('f').public_key},
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(
    a_key_of_the_provider_comes_before_its_file_and_that_before_one_of_the_tenant) {
    model::Account account = an_account();
    account.files["ssh_key_resource"] = pair_of('f').private_key.reveal();
    account.login_keys = {vault_key('t', false, true)};
    BOOST_TEST(keys.of(account, false).public_key == pair_of('f').public_key);

    account.login_keys.push_back(vault_key('p', true, true));
    BOOST_TEST(keys.of(account, false).public_key == pair_of('p').public_key);
    BOOST_TEST(public_keys(account).size() == 4U);
}

BOOST_AUTO_TEST_CASE(
    keys_that_machines_may_still_have_come_last_and_the_one_before_the_vault_is_among_them) {
    model::Account account = an_account();
    account.files["ssh_key_resource"] = pair_of('f').private_key.reveal();
    account.login_keys = {vault_key('p', true, true), vault_key('q', true, false),
                          vault_key('t', false, true), vault_key('u', false, false)};

    const std::vector<std::string> expected{pair_of('p').public_key, pair_of('f').public_key,
                                            pair_of('t').public_key, pair_of('q').public_key,
                                            pair_of('u').public_key};
    auto all = public_keys(account);
    BOOST_TEST(all.back() == public_keys(an_account()).front());
    all.pop_back();
    BOOST_TEST(all == expected, boost::test_tools::per_element());
    // One that cannot be opened is not offered.
    account.login_keys[1].private_key = {};
    BOOST_TEST(public_keys(account).size() == 5U);
}

BOOST_AUTO_TEST_CASE(a_machine_of_this_host_gets_a_key_of_the_vault_once_there_is_one) {
    model::Account account = an_account();
    account.login_keys = {vault_key('p', true, true)};

    const std::vector<std::string> expected{pair_of('p').public_key, "own"};
    BOOST_TEST(public_keys(account, true) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
