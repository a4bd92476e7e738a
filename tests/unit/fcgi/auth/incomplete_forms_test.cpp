#include <boost/test/unit_test.hpp>

#include "fcgi/pages/access/groups.hpp"
#include "fcgi/pages/routes.hpp"
#include "fcgi/site.hpp"
#include "provisioner/identity/csrf_token.hpp"
#include "tests/unit/fcgi/auth/fake_site.hpp"

using namespace fcgi;
using http::Request;
using http::Response;

BOOST_AUTO_TEST_SUITE(incomplete_forms)

namespace {

/// A site with the real pages.
struct Fixture : tests::FakeSite {
    Fixture()
        : FakeSite(pages::routes(), {{"layout", "{{> content}}"}, {"errors/show", "{{heading}}"}}) {
        app.sends_mail = true;
    }

    Response send(const std::string& path, const std::string& fields) {
        Request request = tests::from_browser("POST", path, "superadmin", "admin");
        request.body = "csrf=" + provisioner::identity::csrf_token(provisioner::base::Secret(
                                     tests::token_of("superadmin", "admin")));
        if (!fields.empty()) request.body += '&' + fields;
        return ask(request);
    }
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_form_without_its_fields_empties_and_allows_nothing) {
    struct Case {
        const char* path;
        const char* fields;
    };
    const Case cases[] = {
        {"/people/joe/access", ""},
        {"/people/joe/access", "disabled="},
        {"/tenants/acme/people/joe/access", "disabled=maybe"},
        {"/groups/research", ""},
        {"/clusters/00000007/description", ""},
        {"/permissions/providers/cloud", ""},
        {"/permissions/providers/cloud", "whom=nobody"},
        {"/daemons/drain", "instance=a"},
        {"/identity-providers", "name=corp&kind=oidc"},
        {"/tenants/acme", "description=d"},
        {"/tenants", "name=acme&maxClusters=1"},
        {"/profile/notifications", "events=failure"},
        {"/profile/keys", "name=k&scope=all"},
        {"/catalogue/clustertemplates/shop/draft", ""},
        {"/catalogue/clustertemplates/shop/draft", "do=use"},
        {"/catalogue/imagetypes/debian/edit", "name=debian"},
    };
    Fixture fixture;
    for (const auto& [path, fields] : cases) {
        const auto answer = fixture.send(path, fields);
        BOOST_TEST(answer.status == 422, path << ' ' << fields << ": " << answer.status);
        BOOST_TEST(answer.body.starts_with("The form is incomplete"), path << answer.body);
    }
}

// The database of this site cannot be asked.
BOOST_AUTO_TEST_CASE(an_update_of_no_cluster_is_refused_before_any_is_looked_at) {
    Fixture fixture;

    const Response response = fixture.send("/catalogue/clustertemplates/a%20b/update", "");

    BOOST_TEST(response.status == 303);
    BOOST_TEST(response.header("Location") == "/catalogue/clustertemplates/a%20b/update?none=yes");
}

BOOST_AUTO_TEST_CASE(only_a_member_is_removed_from_a_group) {
    const provisioner::model::Group group{.name = "research", .members = {"bob"}};

    BOOST_TEST(!pages::problem_with_removal(group, "bob").has_value());
    BOOST_TEST(pages::problem_with_removal(group, "nosuch").value() ==
               "nosuch is not a member of the group.");
    BOOST_TEST(pages::problem_with_removal(group, "").value() == "Enter the name of a user.");
}

BOOST_AUTO_TEST_SUITE_END()
