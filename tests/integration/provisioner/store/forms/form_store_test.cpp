#include "provisioner/store/forms/form_store.hpp"

#include <boost/test/unit_test.hpp>

#include <future>

#include "provisioner/store/daemons/retention_store.hpp"
#include "tests/integration/provisioner/site.hpp"

using namespace provisioner;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(forms)

namespace {

struct Site : tests::ClusterSite {
    template <class Work>
    auto change(Work&& work) {
        return fresh.database.write(std::forward<Work>(work));
    }

    std::string keep(const std::string& body, base::Timestamp at,
                     const std::string& path = "/people") {
        return change([&](store::Connection& connection) {
            return store::keep_form(connection, caller.user.id, {.path = path, .body = body}, at);
        });
    }

    std::string body_of(const std::string& id, model::UserId user) {
        const auto form = fresh.database.read(
            [&](store::Connection& connection) { return store::find_form(connection, user, id); });
        return form ? form->body : "none";
    }

    store::SentForm send(const std::string& name) {
        return change([&](store::Connection& connection) {
            return store::begin_form(connection, caller.user.id, name, now);
        });
    }
};

const std::string a_name(64, 'a');

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_kept_form_is_found_by_its_user_only, Site) {
    const std::string id = keep("name=ann", now);

    BOOST_TEST(body_of(id, caller.user.id) == "name=ann");
    BOOST_TEST(body_of(id, model::UserId{caller.user.id.value + 1}) == "none");
    BOOST_TEST(body_of(std::string(32, '0'), caller.user.id) == "none");
}

BOOST_FIXTURE_TEST_CASE(a_kept_form_gets_other_fields_from_its_user_only, Site) {
    const std::string id = keep("name=ann", now);
    const auto replace = [&](model::UserId user, const std::string& body) {
        change([&](store::Connection& connection) {
            store::replace_form(connection, user, id, body);
        });
    };

    replace(model::UserId{caller.user.id.value + 1}, "name=eve");
    BOOST_TEST(body_of(id, caller.user.id) == "name=ann");
    replace(caller.user.id, "name=bob");
    BOOST_TEST(body_of(id, caller.user.id) == "name=bob");
}

BOOST_FIXTURE_TEST_CASE(the_forms_of_a_path_are_listed_and_deleted_by_their_user_only, Site) {
    const std::string older = keep("file=a&text=" + std::string(1000, 'x'), now - 1s, "/imports");
    const std::string newer = keep("file=b", now, "/imports");
    keep("other", now);
    const model::UserId another{caller.user.id.value + 1};
    const auto list = [&](model::UserId user) {
        return fresh.database.read([&](store::Connection& connection) {
            return store::list_forms(connection, user, "/imports");
        });
    };
    const auto remove = [&](model::UserId user, const std::string& id) {
        change([&](store::Connection& connection) { store::delete_form(connection, user, id); });
    };

    const auto lines = list(caller.user.id);

    BOOST_REQUIRE(lines.size() == 2U);
    BOOST_TEST(lines[0].id == newer);
    BOOST_TEST((lines[0].created_at == now));
    BOOST_TEST(lines[1].id == older);
    BOOST_TEST(lines[1].begin.size() == 600U);
    BOOST_TEST(list(another).empty());
    remove(another, newer);
    BOOST_TEST(list(caller.user.id).size() == 2U);
    remove(caller.user.id, newer);
    BOOST_TEST(list(caller.user.id).size() == 1U);
}

BOOST_FIXTURE_TEST_CASE(of_a_user_the_newest_twenty_forms_of_a_path_are_kept, Site) {
    const std::string waiting = keep("waits", now - 1s, "/prices");
    std::vector<std::string> ids;
    for (int i = 0; i < 22; ++i) ids.push_back(keep(std::to_string(i), now + i * 1s));

    BOOST_TEST(body_of(ids[0], caller.user.id) == "none");
    BOOST_TEST(body_of(ids[1], caller.user.id) == "none");
    BOOST_TEST(body_of(ids[2], caller.user.id) == "2");
    BOOST_TEST(body_of(ids[21], caller.user.id) == "21");
    BOOST_TEST(body_of(waiting, caller.user.id) == "waits");
}

BOOST_FIXTURE_TEST_CASE(of_a_user_the_newest_hundred_forms_are_kept_whatever_their_paths, Site) {
    std::vector<std::string> ids;
    for (int i = 0; i < 103; ++i) {
        ids.push_back(
            keep(std::to_string(i), now + i * 1s, "/catalogue/services/" + std::to_string(i)));
    }

    BOOST_TEST(body_of(ids[2], caller.user.id) == "none");
    BOOST_TEST(body_of(ids[3], caller.user.id) == "3");
}

BOOST_FIXTURE_TEST_CASE(a_form_that_is_sent_twice_leads_where_the_first_one_led, Site) {
    BOOST_TEST(send(a_name).is_first);
    const auto under_way = send(a_name);
    BOOST_TEST(!under_way.is_first);
    BOOST_TEST(!under_way.location.has_value());

    change([&](store::Connection& connection) {
        store::end_form(connection, caller.user.id, a_name, "/clusters/00000007");
    });
    const auto again = send(a_name);
    BOOST_TEST(!again.is_first);
    BOOST_TEST((again.location == "/clusters/00000007"));
}

BOOST_FIXTURE_TEST_CASE(a_form_that_was_refused_may_be_sent_again, Site) {
    BOOST_TEST(send(a_name).is_first);
    change([&](store::Connection& connection) {
        store::forget_form(connection, caller.user.id, a_name);
    });

    BOOST_TEST(send(a_name).is_first);
}

BOOST_FIXTURE_TEST_CASE(of_forms_that_are_sent_at_the_same_time_one_is_the_first, Site) {
    std::vector<std::future<bool>> sent;
    for (int i = 0; i < 8; ++i) {
        sent.push_back(std::async(std::launch::async, [&] { return send(a_name).is_first; }));
    }
    int first = 0;
    for (auto& one : sent) first += one.get() ? 1 : 0;

    BOOST_TEST(first == 1);
}

BOOST_FIXTURE_TEST_CASE(forms_are_deleted_by_their_age, Site) {
    const std::string old = keep("old", now - 25h);
    const std::string young = keep("young", now - 23h);
    send(a_name);

    const int rows = change([&](store::Connection& connection) {
        return store::delete_forms(connection, now - 24h, 100);
    });

    BOOST_TEST(rows == 1);
    BOOST_TEST(body_of(old, caller.user.id) == "none");
    BOOST_TEST(body_of(young, caller.user.id) == "young");
    BOOST_TEST(!send(a_name).is_first);
}

BOOST_AUTO_TEST_SUITE_END()
