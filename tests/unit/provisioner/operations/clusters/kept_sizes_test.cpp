#include "provisioner/operations/clusters/kept_sizes.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/model/catalogue/service.hpp"

using namespace provisioner;
using base::Json;
using model::CatalogueKind;
using operations::CatalogueEntries;
using operations::SizeAnswer;
using operations::SizedCatalogue;
using operations::SizeTrouble;

BOOST_AUTO_TEST_SUITE(kept_sizes)

namespace {

Json service(const std::string& name, const std::string& requires_one = "") {
    Json needed = Json::array();
    if (!requires_one.empty()) needed.push_back(requires_one);
    return {{"name", name},
            {"dependencies",
             {{"provides", Json::array()},
              {"conflicts", Json::array()},
              {"runtime", {{"requires", std::move(needed)}}}}},
            {"provisioner", {{"actions", Json::object()}}}};
}

/// Two services that never share a machine, each on one machine: two machines are possible, and no
/// other number.
CatalogueEntries a_site() {
    CatalogueEntries all;
    all[CatalogueKind::provider] = {Json{{"name", "sim"}}, Json{{"name", "cloud"}}};
    all[CatalogueKind::hardware_type] = {
        Json::parse(R"({"name":"small","providermap":{"sim":{"flavor":"s"}}})"),
        Json::parse(R"({"name":"large","providermap":{"cloud":{"flavor":"l"}}})")};
    all[CatalogueKind::image_type] = {
        Json::parse(R"({"name":"debian","providermap":{"sim":{"image":"d"}}})")};
    all[CatalogueKind::service] = {service("db"), service("other"), service("web")};
    all[CatalogueKind::cluster_template] = {Json::parse(
        R"({"name":"shop","label":"Shop",
            "defaults":{"services":["db","web"],"provider":"sim","config":{"a":"b"}},
            "constraints":{"layout":{"cantcoexist":[["db","web"]]},
                           "services":{"db":{"quantities":{"min":1,"max":1}},
                                       "web":{"quantities":{"min":1,"max":1}}},
                           "size":{"min":1,"max":8}}})")};
    return all;
}

std::string digest_in(const CatalogueEntries& all) {
    const SizedCatalogue catalogue(all);
    const auto problem = catalogue.problem_of(all.at(CatalogueKind::cluster_template).front());
    return problem ? operations::digest_of_sizes(*problem) : "";
}

}  // namespace

BOOST_AUTO_TEST_CASE(sizes_in_a_row_are_one_trouble_and_the_last_may_go_on) {
    const solver::ClusterLayout whole{
        .groups = {{.hardware_type = {}, .image_type = {}, .services = {"db", "web"}, .count = 2}}};
    const solver::ClusterLayout part{
        .groups = {{.hardware_type = {}, .image_type = {}, .services = {"web"}, .count = 1}}};
    operations::TemplateSizes sizes{.services = {"db", "web"},
                                    .sizes = {{.machines = 1, .layout = part},
                                              {.machines = 2, .layout = whole},
                                              {.machines = 3},
                                              {.machines = 4}},
                                    .beyond = {{.machines = 8}, {.machines = 9}}};

    std::vector<SizeTrouble> expected{{.first = 1, .last = 1, .left_out = {"db"}},
                                      {.first = 3, .last = 4, .goes_on = true}};
    BOOST_TEST((operations::troubles_of_sizes(sizes) == expected));
    BOOST_TEST((operations::troubles_from_json(operations::to_json(expected)) == expected));

    sizes.beyond.back().layout = whole;
    expected.back().goes_on = false;
    BOOST_TEST((operations::troubles_of_sizes(sizes) == expected));
    BOOST_TEST(operations::troubles_from_json("not an answer").empty());
}

BOOST_AUTO_TEST_CASE(a_template_of_a_catalogue_has_the_troubles_of_its_sizes) {
    const auto all = a_site();
    const SizedCatalogue catalogue(all);

    const auto problem = catalogue.problem_of(all.at(CatalogueKind::cluster_template).front());

    BOOST_REQUIRE(problem.has_value());
    const auto sizes = operations::sizes_of_problem(*problem);
    BOOST_TEST(sizes.digest == operations::digest_of_sizes(*problem));
    BOOST_TEST(sizes.sizes.size() == 8U);
    const std::vector<SizeTrouble> expected{{.first = 1, .last = 1}, {.first = 3, .last = 8}};
    BOOST_TEST((operations::troubles_of_sizes(sizes) == expected));
}

BOOST_AUTO_TEST_CASE(what_the_solver_does_not_read_changes_no_digest) {
    const auto all = a_site();
    const std::string digest = digest_in(all);
    BOOST_TEST(digest.size() == 64U);

    auto changed = all;
    changed[CatalogueKind::cluster_template].front()["label"] = "Store";
    changed[CatalogueKind::cluster_template].front()["defaults"]["config"] = Json::object();
    changed[CatalogueKind::service].push_back(service("more"));
    changed[CatalogueKind::service][1] = service("other", "db");
    changed[CatalogueKind::service][0]["label"] = "Database";
    changed[CatalogueKind::hardware_type].push_back(
        Json::parse(R"({"name":"huge","providermap":{"cloud":{"flavor":"h"}}})"));
    BOOST_TEST(digest_in(changed) == digest);

    // Which it makes with all of a catalogue, too.
    const SizedCatalogue catalogue(all);
    auto problem = catalogue.problem_of(all.at(CatalogueKind::cluster_template).front()).value();
    problem.all_services.push_back(model::service_from_json(service("other")).value());
    problem.cluster_template.header.name = "shop";
    BOOST_TEST(operations::digest_of_sizes(problem) == digest);
}

BOOST_AUTO_TEST_CASE(other_services_of_a_catalogue_change_no_size_and_no_reason) {
    const auto all = a_site();
    const SizedCatalogue catalogue(all);
    const auto problem = catalogue.problem_of(all.at(CatalogueKind::cluster_template).front());
    auto whole = problem.value();
    for (const char* name : {"other", "third"}) {
        whole.all_services.push_back(model::service_from_json(service(name, "db")).value());
    }

    const auto alone = operations::sizes_of_problem(*problem);
    const auto among_others = operations::sizes_of_problem(whole);

    BOOST_REQUIRE(alone.sizes.size() == among_others.sizes.size());
    for (std::size_t i = 0; i < alone.sizes.size(); ++i) {
        BOOST_TEST((alone.sizes[i].layout == among_others.sizes[i].layout));
        BOOST_TEST((alone.sizes[i].why.reasons == among_others.sizes[i].why.reasons));
        BOOST_TEST((alone.sizes[i].why.clash == among_others.sizes[i].why.clash));
    }
    BOOST_TEST(!alone.sizes.back().why.reasons.empty());
}

BOOST_AUTO_TEST_CASE(what_the_solver_reads_changes_the_digest) {
    const auto all = a_site();
    const std::string digest = digest_in(all);
    const auto changes = [&](CatalogueKind kind, std::size_t at, const Json& entry) {
        auto changed = all;
        changed[kind].at(at) = entry;
        return digest_in(changed) != digest;
    };

    BOOST_TEST(changes(CatalogueKind::service, 0, service("db", "other")));
    BOOST_TEST(changes(CatalogueKind::service, 0, service("gone")));
    BOOST_TEST(changes(CatalogueKind::hardware_type, 0,
                       Json::parse(R"({"name":"small","providermap":{"sim":{}}})")));
    BOOST_TEST(changes(CatalogueKind::hardware_type, 1,
                       Json::parse(R"({"name":"large","providermap":{"sim":{"flavor":"l"}}})")));
    Json larger = all.at(CatalogueKind::cluster_template).front();
    larger["constraints"]["size"]["max"] = 9;
    BOOST_TEST(changes(CatalogueKind::cluster_template, 0, larger));
}

BOOST_AUTO_TEST_CASE(a_parent_changes_the_digest_of_those_that_extend_it) {
    auto all = a_site();
    all[CatalogueKind::cluster_template].insert(
        all[CatalogueKind::cluster_template].begin(),
        Json::parse(R"({"name":"child","extends":{"name":"shop"}})"));
    const std::string digest = digest_in(all);
    BOOST_TEST(digest == digest_in(a_site()));

    all[CatalogueKind::cluster_template][1]["constraints"]["size"]["max"] = 2;
    BOOST_TEST(digest_in(all) != digest);
}

BOOST_AUTO_TEST_CASE(a_template_without_services_or_without_any_provider_has_no_sizes) {
    auto all = a_site();
    all[CatalogueKind::cluster_template].front()["defaults"].erase("provider");
    BOOST_TEST(digest_in(all) == digest_in(a_site()));
    all[CatalogueKind::provider].clear();
    BOOST_TEST(digest_in(all) == "");
    BOOST_TEST(!SizedCatalogue(all).problem_of(Json{{"name", "bare"}}).has_value());
}

BOOST_AUTO_TEST_CASE(hundreds_of_templates_of_thousands_of_services_are_recognised_at_once) {
    auto all = a_site();
    for (int i = 0; i < 2000; ++i) {
        all[CatalogueKind::service].push_back(service("s" + std::to_string(i)));
    }
    auto& templates = all[CatalogueKind::cluster_template];
    for (int i = 1; i < 300; ++i) {
        templates.push_back(templates.front());
        for (int at = 0; at < 20; ++at) {
            templates.back()["defaults"]["services"].push_back("s" + std::to_string(i + at));
        }
    }

    const SizedCatalogue catalogue(all);
    std::set<std::string> digests;
    for (const Json& one : templates) {
        digests.insert(operations::digest_of_sizes(catalogue.problem_of(one).value()));
    }

    BOOST_TEST(digests.size() == 300U);
}

BOOST_AUTO_TEST_SUITE_END()
