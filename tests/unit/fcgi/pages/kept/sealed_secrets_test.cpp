#include "fcgi/pages/kept/sealed_secrets.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/identity/master_keys/key_source.hpp"

BOOST_AUTO_TEST_SUITE(sealed_secrets)

namespace {

using namespace fcgi::pages;
using fcgi::http::parse_form;
using provisioner::model::UserId;
using provisioner::store::KeptForm;

struct OneKey final : provisioner::identity::KeySource {
    explicit OneKey(char digit) : text("1 " + std::string(64, digit) + "\n") {}
    std::optional<std::string> fresh(bool) override { return text; }
    std::string text;
};

provisioner::identity::Vault a_vault(char digit = 'a') {
    return provisioner::identity::Vault(std::make_unique<OneKey>(digit));
}

const std::string typed = "name=corp&secret=a%20%26%20b&label=Corp";

KeptForm kept_with_secret() {
    return {.path = "/identity-providers", .body = "name=corp&kept-secret=secret&label=Corp"};
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_secret_is_kept_unreadable_and_comes_back) {
    const auto vault = a_vault();
    KeptForm form = kept_with_secret();

    seal_secrets(form, parse_form(typed), UserId{5}, vault);

    BOOST_TEST(form.body.find("a%20%26") == std::string::npos);
    BOOST_TEST(parse_form(form.body).has(kept_sealed));
    BOOST_TEST(unseal_secrets(form, UserId{5}, vault));
    const auto fields = parse_form(form.body);
    BOOST_TEST(fields.first("secret").value_or("") == "a & b");
    BOOST_TEST(fields.first("label").value_or("") == "Corp");
    BOOST_TEST(!fields.has("kept-secret"));
    BOOST_TEST(!fields.has(kept_sealed));
}

BOOST_AUTO_TEST_CASE(it_opens_for_its_user_only_and_by_its_key_only) {
    const auto vault = a_vault();
    KeptForm form = kept_with_secret();
    seal_secrets(form, parse_form(typed), UserId{5}, vault);
    const std::string before = form.body;

    BOOST_TEST(!unseal_secrets(form, UserId{6}, vault));
    BOOST_TEST(!unseal_secrets(form, UserId{5}, a_vault('b')));
    BOOST_TEST(form.body == before);
}

BOOST_AUTO_TEST_CASE(it_opens_in_the_form_that_it_was_typed_into_only) {
    const auto vault = a_vault();
    KeptForm form = kept_with_secret();
    seal_secrets(form, parse_form(typed), UserId{5}, vault);

    KeptForm other{.path = "/people/ann/note", .body = form.body};

    BOOST_TEST(!unseal_secrets(other, UserId{5}, vault));
    BOOST_TEST(unseal_secrets(form, UserId{5}, vault));
}

BOOST_AUTO_TEST_CASE(a_form_without_secrets_needs_no_key) {
    KeptForm form{.path = "/people", .body = "name=ann"};

    seal_secrets(form, parse_form("name=ann"), UserId{5}, a_vault());

    BOOST_TEST(form.body == "name=ann");
    BOOST_TEST(unseal_secrets(form, UserId{5}, a_vault()));
    BOOST_TEST(form.body == "name=ann");
}

BOOST_AUTO_TEST_CASE(a_secret_that_was_not_sealed_is_to_be_typed_again) {
    KeptForm form = kept_with_secret();

    BOOST_TEST(!unseal_secrets(form, UserId{5}, a_vault()));
}

BOOST_AUTO_TEST_SUITE_END()
