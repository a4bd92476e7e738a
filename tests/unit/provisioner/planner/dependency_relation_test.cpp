#include "provisioner/planner/dependency_relation.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/support/builders.hpp"
#include "tests/unit/provisioner/planner/cases.hpp"

using namespace tests;
using provisioner::model::Action;
using provisioner::model::Service;
using provisioner::planner::DependencyKind;
using provisioner::planner::DependencyRelation;

BOOST_AUTO_TEST_SUITE(dependency_relation)

namespace {

DependencyRelation relation(const std::vector<Service>& services,
                            DependencyKind kind = DependencyKind::runtime) {
    std::vector<const Service*> pointers;
    for (const auto& service : services) pointers.push_back(&service);
    return {pointers, kind};
}

/// "s2: s1; s3: s1 s2; " - whose `action` each service waits for, those waiting for nobody left
/// out.
std::string draw(const std::vector<Service>& services, Action action,
                 DependencyKind kind = DependencyKind::runtime) {
    const auto needs = relation(services, kind);
    std::string drawn;
    for (const auto& service : services) {
        std::string names;
        for (const auto& name : needs.awaited(service.header.name, action)) names += " " + name;
        if (!names.empty()) drawn += service.header.name + ":" + names + "; ";
    }
    return drawn;
}

Service startable(const std::string& name, const std::vector<std::string>& others) {
    return needing(a_service(name, {Action::start}), others);
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_is_reached_through_another_need_not_be_awaited) {
    const std::vector<Service> services{
        startable("base", {}),           startable("s1", {"base"}),
        startable("s2", {"base", "s1"}), startable("s3", {"base", "s1", "s2"}),
        startable("s4", {"base"}),       startable("s5", {"base", "s1", "s2", "s3", "s4"})};

    BOOST_TEST(draw(services, Action::start) == "s1: base; s2: s1; s3: s2; s4: base; s5: s3 s4; ");
}

BOOST_AUTO_TEST_CASE(a_provided_name_stands_for_everyone_who_provides_it) {
    std::vector<Service> services{
        startable("base", {}), startable("s1", {"base"}), startable("s2-v1", {"base", "s1"}),
        startable("s2-v2", {"base", "s1"}), startable("s3", {"base", "s1", "s2"})};
    services[2].dependencies.provides = {"s2"};
    services[3].dependencies.provides = {"s2"};

    BOOST_TEST(draw(services, Action::start) ==
               "s1: base; s2-v1: s1; s2-v2: s1; s3: s2-v1 s2-v2; ");
}

BOOST_AUTO_TEST_CASE(who_is_only_called_like_a_provided_name_is_not_meant) {
    std::vector<Service> services{startable("mariadb", {}), startable("sql", {}),
                                  startable("web", {"sql"})};
    services[0].dependencies.provides = {"sql"};

    BOOST_TEST(draw(services, Action::start) == "web: mariadb; ");
}

BOOST_AUTO_TEST_CASE(a_service_does_not_provide_for_itself) {
    std::vector<Service> services{startable("proxy", {"web"}), startable("web", {})};
    services[0].dependencies.provides = {"web"};

    BOOST_TEST(draw(services, Action::start) == "proxy: web; ");
}

BOOST_AUTO_TEST_CASE(services_without_the_action_are_looked_through) {
    const auto initialize = Action::initialize;
    const auto start = Action::start;
    const std::vector<Service> services{
        a_service("s1", {initialize, start}),
        needing(a_service("s2", {Action::configure, initialize}), {"s1"}),
        needing(a_service("s3", {start}), {"s1"}),
        needing(a_service("s4", {initialize, start}), {"s2", "s3", "s6"}),
        a_service("s5", {initialize, start}),
        needing(a_service("s6", {initialize}), {"s5"})};

    BOOST_TEST(draw(services, start) == "s2: s1; s3: s1; s4: s3 s5; s6: s5; ");
}

BOOST_AUTO_TEST_CASE(install_dependencies_are_looked_through_alike) {
    const auto installable = [](const std::string& name, const std::vector<std::string>& others) {
        return needing_to_install(a_service(name, {Action::install}), others);
    };
    const std::vector<Service> services{
        installable("s1", {}),     needing_to_install(a_service("s2"), {"s1"}),
        installable("s3", {"s1"}), installable("s4", {"s2", "s3", "s6"}),
        installable("s5", {}),     needing_to_install(a_service("s6"), {"s5"})};

    BOOST_TEST(draw(services, Action::install, DependencyKind::install) ==
               "s2: s1; s3: s1; s4: s3 s5; s6: s5; ");
    BOOST_TEST(draw(services, Action::install, DependencyKind::runtime) == "");
}

BOOST_AUTO_TEST_CASE(names_that_are_not_on_the_cluster_are_ignored) {
    std::vector<Service> services{a_service("s1", {Action::install}),
                                  a_service("s2", {Action::install})};
    services[1].dependencies.install.used = {"s1", "s3"};

    BOOST_TEST(draw(services, Action::install, DependencyKind::install) == "s2: s1; ");
}

BOOST_AUTO_TEST_CASE(services_in_a_circle_keep_waiting_for_each_other) {
    const std::vector<Service> services{startable("a", {"b"}), startable("b", {"c"}),
                                        startable("c", {"a", "d"}), startable("d", {})};

    const auto needs = relation(services);

    BOOST_TEST(draw(services, Action::start) == "a: b c; b: a c; c: a b; ");
    BOOST_TEST(needs.needs("a", "a"));
    BOOST_TEST(!needs.needs("d", "a"));
}

BOOST_AUTO_TEST_CASE(backwards_it_tells_who_needs_a_service) {
    const std::vector<Service> services{startable("db", {}), startable("web", {"db"}),
                                        startable("cache", {"web"})};

    const auto backwards = relation(services).reversed();

    BOOST_TEST(backwards.all_needs_of("db") == (std::vector<std::string>{"cache", "web"}),
               boost::test_tools::per_element());
    BOOST_TEST(backwards.awaited("db", Action::start) == std::vector<std::string>{"web"},
               boost::test_tools::per_element());
    BOOST_TEST(backwards.all_needs_of("cache").empty());
}

BOOST_AUTO_TEST_CASE(a_way_follows_direct_dependencies_and_is_shortest) {
    const std::vector<Service> services{startable("a", {"b", "c"}), startable("b", {"c"}),
                                        startable("c", {"d"}), startable("d", {})};

    const auto needs = relation(services);

    BOOST_TEST(needs.way("a", "d") == (std::vector<std::string>{"a", "c", "d"}),
               boost::test_tools::per_element());
    BOOST_TEST(needs.way("d", "a").empty());
}

BOOST_AUTO_TEST_SUITE_END()
