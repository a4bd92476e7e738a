#include "fcgi/pages/machines/login_keys.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(login_keys_page)

using namespace fcgi::pages;
namespace model = provisioner::model;

BOOST_AUTO_TEST_CASE(who_changes_nothing_is_offered_no_new_key_and_gives_none_up) {
    LoginKeysPage keys;
    keys.view.providers.push_back(
        {.provider = "amazon",
         .provider_type = "aws",
         .source = provisioner::operations::LoginKeySource::provider_key});
    LoginKeyPage key;
    key.key.row.state = model::LoginKeyState::current;
    key.nodes.resize(1);
    key.nodes[0].standing = model::LoginStanding::on_its_way;
    BOOST_TEST(to_json(keys).at("may_change") == true);
    BOOST_TEST(to_json(keys).at("providers")[0].at("can_rotate") == true);
    BOOST_TEST(to_json(key).at("can_give_up") == true);

    keys.may_change = false;
    key.may_change = false;

    BOOST_TEST(to_json(keys).at("may_change") == false);
    BOOST_TEST(to_json(keys).at("providers")[0].at("can_rotate") == false);
    BOOST_TEST(to_json(key).at("can_give_up") == false);
    BOOST_TEST(to_json(key).at("nodes")[0].at("can_give_up") == false);
}

BOOST_AUTO_TEST_SUITE_END()
