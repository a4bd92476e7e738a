#include "fcgi/pages/clusters/actions.hpp"
#include "fcgi/pages/clusters/jobs/retries.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/clusters/blocked.hpp"
#include "fcgi/pages/clusters/configure_page.hpp"
#include "fcgi/pages/clusters/form.hpp"
#include "fcgi/pages/clusters/lease_page.hpp"
#include "fcgi/pages/clusters/tabs/failure_groups.hpp"
#include "fcgi/pages/elsewhere.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/ids_in_paths.hpp"
#include "fcgi/pages/kept/kept_form.hpp"
#include "fcgi/pages/problem_words.hpp"
#include "fcgi/pages/refusals.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/jobs/job_end.hpp"
#include "provisioner/model/plugins/sealed.hpp"
#include "provisioner/operations/changes/finish.hpp"
#include "provisioner/operations/clusters/configure.hpp"
#include "provisioner/operations/clusters/delete.hpp"
#include "provisioner/operations/clusters/lease.hpp"
#include "provisioner/operations/clusters/service_actions.hpp"
#include "provisioner/operations/clusters/touched_services.hpp"
#include "provisioner/operations/jobs/control.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"
#include "provisioner/store/clusters/service_states.hpp"
#include "provisioner/store/jobs/job_store.hpp"
#include "provisioner/store/jobs/task_list.hpp"

namespace fcgi::pages {

using auth::Visitor;
using http::Request;
using http::Response;
using provisioner::base::Json;
using provisioner::base::Problems;
using provisioner::messages::translated;
namespace model = provisioner::model;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

namespace {

using Done = operations::Result<void>;

/// Names of the services that the request is about; none: all.
std::vector<std::string> services_in(const Request& request) {
    const auto sent = request.method == "GET"
                          ? std::vector{request.query_value("service").value_or("")}
                          : http::parse_form(request.body).all("service");
    std::vector<std::string> services;
    for (const std::string& service : sent) {
        const std::string name(http::trim(service));
        if (!name.empty() && std::ranges::count(services, name) == 0) services.push_back(name);
    }
    return services;
}

std::optional<model::Operation> service_operation(Question question) {
    if (question == Question::start_services) return model::Operation::start_services;
    if (question == Question::stop_services) return model::Operation::stop_services;
    if (question == Question::restart_services) return model::Operation::restart_services;
    return std::nullopt;
}

store::ServicePlaces service_places_of(const std::vector<model::Node>& nodes,
                                       const std::vector<std::string>& services) {
    store::ServicePlaces places;
    for (const model::Node& node : nodes) {
        for (const std::string& service : services) {
            if (std::ranges::count(node.services, service) > 0) places.emplace(node.id, service);
        }
    }
    return places;
}

/// Those of the services that were stopped last on some machine.
std::vector<std::string> stopped_among(store::Connection& connection, const QuestionPage& page,
                                       const std::vector<std::string>& services) {
    std::set<std::string> stopped;
    for (const auto& state : store::service_states(connection, page.cluster.id,
                                                   service_places_of(page.nodes, services))) {
        const bool is_cut_short = state.state == model::TaskState::cancelled;
        if (state.action == model::Action::stop && !is_cut_short) stopped.insert(state.service);
    }
    return {stopped.begin(), stopped.end()};
}

/// Those of the services that run on all their machines.
std::vector<std::string> running_among(store::Connection& connection, const QuestionPage& page,
                                       const std::vector<std::string>& services) {
    auto places = service_places_of(page.nodes, services);
    for (const auto& state : store::service_states(connection, page.cluster.id, places)) {
        const bool runs =
            state.action == model::Action::start && state.state == model::TaskState::done;
        if (runs) places.erase({state.node, state.service});
    }
    std::vector<std::string> running;
    for (const std::string& service : services) {
        const bool is_missing =
            std::ranges::any_of(places, [&](const auto& place) { return place.second == service; });
        if (!is_missing) running.push_back(service);
    }
    return running;
}

/// What a question about services lists besides those that were named.
void add_services(store::Connection& connection, QuestionPage& page, model::Operation operation) {
    const operations::TouchedServices touched(page.cluster);
    page.touched = touched.by(operation, page.services);
    if (operation != model::Operation::start_services) return;
    page.running = running_among(connection, page, page.touched);
    const auto left = touched.left_by_start(page.services);
    if (!left.empty()) page.offered = stopped_among(connection, page, left);
}

std::optional<model::Cluster> read_cluster(const Request& request, const Visitor& visitor,
                                           App& app) {
    return app.database.read([&](store::Connection& connection) {
        return store::find_cluster(connection, visitor.who(), id_in(request));
    });
}

Response to_cluster(const Request& request) {
    return http::see_other("/clusters/" + model::wire_id(id_in(request)));
}

Response question(const Request& request, const Visitor& visitor, App& app, Question asked,
                  const Problems& problems = {}) {
    auto cluster = read_cluster(request, visitor, app);
    if (!cluster)
        return no_such_cluster(request, visitor, app, id_in(request), translated("cluster"));
    QuestionPage page{.question = asked,
                      .cluster = *std::move(cluster),
                      .nodes = {},
                      .services = services_in(request),
                      .problems = problems};
    if (request.method == "POST") page.typed = http::parse_form(request.body).trimmed("confirm");
    const auto operation = service_operation(asked);
    app.database.read([&](store::Connection& connection) {
        page.nodes = store::nodes_of(connection, page.cluster.id);
        page.job = store::find_job(connection, page.cluster.latest_job);
        if (asked == Question::abort_job && page.job) {
            const auto [then, job] = after_abort(page.cluster, *page.job);
            page.end = read_end(connection, then, job);
        } else {
            page.end = read_end(connection, page.cluster, page.job);
        }
        if (operation) add_services(connection, page, *operation);
    });
    return drawn(app, visitor, 200, "clusters/question",
                 {.title = page.title(), .section = "clusters"}, to_json(page));
}

Done act_on_services(const Request& request, const Visitor& visitor, App& app,
                     model::Operation operation) {
    return operations::act_on_services(app.database, visitor.who(), id_in(request),
                                       {.operation = operation, .services = services_in(request)},
                                       app.clock.now());
}

/// The numbers of the machines that a form of retry is about: `node`, or all that failed like the
/// task `task`. Empty if nothing did.
std::vector<std::string> nodes_to_retry(const Request& request, const Visitor& visitor, App& app) {
    const auto sent = http::parse_form(request.body);
    if (!sent.has("task")) return {sent.trimmed("node")};
    const model::TaskId like{provisioner::base::parse_number(sent.trimmed("task")).value_or(0)};
    return app.database.read([&](store::Connection& connection) {
        const auto cluster = store::find_summary(connection, visitor.who(), id_in(request));
        std::vector<std::string> nodes;
        if (!cluster || !cluster->latest_job) return nodes;
        std::map<model::NodeId, int> numbers;
        for (const auto& node : store::nodes_ever_of(connection, cluster->id)) {
            numbers[node.id] = node.nodenum;
        }
        const auto tasks = store::failed_tasks_of(connection, cluster->latest_job->id);
        for (const model::NodeId node : machines_like(failure_groups(tasks), like)) {
            nodes.push_back(std::to_string(numbers[node]));
        }
        return nodes;
    });
}

Done do_it(const Request& request, const Visitor& visitor, App& app, Question asked) {
    switch (asked) {
        case Question::delete_cluster:
            return operations::delete_cluster(app.database, visitor.who(), id_in(request),
                                              app.clock.now());
        case Question::give_up:
            return operations::give_up_cluster(app.database, visitor.who(), id_in(request),
                                               app.clock.now());
        case Question::abort_job:
            return operations::abort_job(app.database, visitor.who(), id_in(request));
        case Question::start_services:
        case Question::stop_services:
        case Question::restart_services:
            return act_on_services(request, visitor, app, *service_operation(asked));
    }
    throw std::logic_error("unknown question");
}

/// Why a large cluster is not deleted: its name was not typed.
Problems problems_of_name(const Request& request, const Visitor& visitor, App& app) {
    const auto cluster = app.database.read([&](store::Connection& connection) {
        return store::find_summary(connection, visitor.who(), id_in(request));
    });
    if (!cluster || !is_large_cluster(static_cast<std::size_t>(cluster->node_count))) return {};
    const std::string typed = http::parse_form(request.body).trimmed("confirm");
    if (typed == cluster->name) return {};
    return {{"confirm",
             translated("This is not the name of the cluster, which is {0}.", cluster->name)}};
}

/// Redirects to the cluster, or shows a page with the reason of the refusal.
Response answer(const Request& request, const Visitor& visitor, App& app, const Done& done) {
    if (done) return to_cluster(request);
    if (done.error().kind == operations::Refusal::Kind::not_found) {
        return no_such_cluster(request, visitor, app, id_in(request), translated("cluster"));
    }
    return with_status_of(done.error(),
                          error_page(app, visitor, 409,
                                     {.heading = translated("Couldn't do this"),
                                      .text = problem_words(done.error().problems.front().message),
                                      .ways = {{"/clusters/" + model::wire_id(id_in(request)),
                                                translated("Go to the cluster")}}}));
}

/// The configuration to go back to.
std::optional<Json> working_config(App& app, const model::Cluster& cluster) {
    return app.database.read([&](store::Connection& connection) -> std::optional<Json> {
        const bool has_failed = cluster.status == model::ClusterStatus::inconsistent ||
                                cluster.status == model::ClusterStatus::incomplete;
        return has_failed ? store::working_config(connection, cluster.id) : std::nullopt;
    });
}

/// Plans what the configuration that is previewed would do; a plan that cannot be made says why.
void add_plan(const Visitor& visitor, App& app, ConfigurePage& page) {
    if (!page.preview || is_repairable_creation(page.cluster, page.job)) return;
    if (operations::can_be_finished(page.cluster, page.job)) {
        auto change =
            operations::preview_finish(app.database, visitor.who(), page.cluster.id, page.keep);
        if (!change && page.problems.empty()) page.problems = change.error().problems;
        if (!change) return;
        page.plan = change->graph;
        page.finish = *std::move(change);
        return;
    }
    auto plan = operations::plan_configuration(page.cluster, page.nodes, page.restart);
    if (plan) page.plan = *std::move(plan);
    if (!plan && page.problems.empty()) page.problems = plan.error();
}

Response configuration(const Visitor& visitor, App& app, ConfigurePage page) {
    page.working = working_config(app, page.cluster);
    app.database.read([&](store::Connection& connection) {
        page.job = store::find_job(connection, page.cluster.latest_job);
        page.end = read_end(connection, page.cluster, page.job);
        page.nodes = store::nodes_of(connection, page.cluster.id);
        const bool has_failed =
            page.job && page.job->status == model::JobStatus::failed && !page.job->aborted;
        if (has_failed) page.kinds = store::kinds_of_job(connection, page.job->id);
        page.touched =
            operations::TouchedServices(page.cluster).by(model::Operation::restart_services, {});
        if (page.cluster.services_stopped == 0) return;
        page.stopped = store::stopped_places(connection, page.cluster.id);
        const auto places = service_places_of(page.nodes, page.touched);
        page.touched = without_stopped(page.touched, page.nodes,
                                       store::service_states(connection, page.cluster.id, places));
    });
    add_plan(visitor, app, page);
    return drawn(app, visitor, page.problems.empty() ? 200 : 422, "clusters/configure",
                 {.title = page.title(), .section = "clusters"}, to_json(page));
}

Response lease(const Visitor& visitor, App& app, LeasePage page) {
    page.job = app.database.read([&](store::Connection& connection) {
        return store::find_job(connection, page.cluster.latest_job);
    });
    return drawn(app, visitor, page.problems.empty() ? 200 : 422, "clusters/lease",
                 {.title = translated("Lease of {0}", page.cluster.name), .section = "clusters"},
                 to_json(page));
}

}  // namespace

template <Question asked>
Response Asked<asked>::ask(const Request& request, const Visitor& visitor, App& app) {
    return question(request, visitor, app, asked);
}

template <Question asked>
Response Asked<asked>::act(const Request& request, const Visitor& visitor, App& app) {
    if constexpr (asked == Question::delete_cluster) {
        if (const auto problems = problems_of_name(request, visitor, app); !problems.empty()) {
            Response again = question(request, visitor, app, asked, problems);
            again.status = 422;
            return again;
        }
    }
    const auto done = do_it(request, visitor, app, asked);
    if (done) return to_cluster(request);
    return with_status_of(done.error(),
                          question(request, visitor, app, asked, done.error().problems));
}

template struct Asked<Question::delete_cluster>;
template struct Asked<Question::give_up>;
template struct Asked<Question::abort_job>;
template struct Asked<Question::start_services>;
template struct Asked<Question::stop_services>;
template struct Asked<Question::restart_services>;

Response pause_job(const Request& request, const Visitor& visitor, App& app) {
    const auto done = operations::pause_job(app.database, visitor.who(), id_in(request));
    return answer(request, visitor, app, done);
}

Response resume_job(const Request& request, const Visitor& visitor, App& app) {
    const auto done = operations::resume_job(app.database, visitor.who(), id_in(request));
    return answer(request, visitor, app, done);
}

Response retry_job(const Request& request, const Visitor& visitor, App& app) {
    const auto sent = http::parse_form(request.body);
    const bool is_for_some = sent.has("task") || sent.has("node");
    const auto done = is_for_some
                          ? operations::retry_machines(app.database, visitor.who(), id_in(request),
                                                       nodes_to_retry(request, visitor, app))
                          : operations::retry_job(app.database, visitor.who(), id_in(request));
    return answer(request, visitor, app, done);
}

Response show_configuration(const Request& request, const Visitor& visitor, App& app) {
    auto cluster = read_cluster(request, visitor, app);
    if (!cluster)
        return no_such_cluster(request, visitor, app, id_in(request), translated("cluster"));
    ConfigurePage page{.cluster = *std::move(cluster)};
    const Json& present = page.cluster.config;
    page.config = text_of_config(present, present);
    if (const auto draft = draft_in(request, visitor, app)) {
        page.config = draft->trimmed("config");
        page.restart = draft->has("restart");
        page.keep = draft->has("keep");
        const Json typed = read_config(page.config, page.problems);
        auto whole = model::with_masked_config(typed, present);
        if (page.problems.empty() && !whole) page.problems = whole.error();
        if (page.problems.empty()) page.preview = *std::move(whole);
    } else if (auto gone = gone_draft_in(request, visitor, app)) {
        return *std::move(gone);
    } else if (request.query_value("from") == "working") {
        page.preview = working_config(app, page.cluster);
        if (page.preview) page.config = text_of_config(*page.preview, present);
    }
    return configuration(visitor, app, std::move(page));
}

Response configure_cluster(const Request& request, const Visitor& visitor, App& app) {
    auto cluster = read_cluster(request, visitor, app);
    if (!cluster)
        return no_such_cluster(request, visitor, app, id_in(request), translated("cluster"));
    const auto sent = http::parse_form(request.body);
    ConfigurePage page{.cluster = *std::move(cluster),
                       .config = sent.trimmed("config"),
                       .restart = sent.has("restart"),
                       .keep = sent.has("keep")};
    const Json config = read_config(page.config, page.problems);
    if (page.config.empty())
        page.problems.push_back({"config", translated("Enter {} for an empty configuration.")});
    if (!page.problems.empty()) return configuration(visitor, app, page);
    // Drawn at once: a draft would keep the passwords.
    if (sent.has("show")) {
        const auto shown = model::with_masked_config(config, page.cluster.config);
        if (shown) page.config = shown->dump(2);
        if (!shown) page.problems = shown.error();
        return configuration(visitor, app, page);
    }
    // Nothing is applied that was not previewed: also not what was typed beside a preview, and not
    // over what somebody else has applied since.
    const std::string sum = sum_of_config(config, page.cluster.config, page.restart, page.keep);
    const auto whole = model::with_masked_config(config, page.cluster.config);
    const bool changes = !whole || *whole != page.cluster.config || sent.has("anyway");
    if (sent.has("preview") || sent.trimmed("previewed") != sum || !changes) {
        const std::string path = "/clusters/" + model::wire_id(page.cluster.id) + "/configure";
        const std::string draft = keep_draft(app, visitor, path, sent);
        return http::see_other(path + "?draft=" + draft + "#preview");
    }
    const auto job = app.database.read([&](store::Connection& connection) {
        return store::find_job(connection, page.cluster.latest_job);
    });
    const auto done =
        is_repairable_creation(page.cluster, job)
            ? operations::retry_creation(app.database, visitor.who(), page.cluster.id, config)
        : operations::can_be_finished(page.cluster, job)
            ? operations::finish_with_config(app.database, visitor.who(), page.cluster.id,
                                             {.config = config, .keep = page.keep}, app.clock.now())
            : operations::configure_cluster(app.database, visitor.who(), page.cluster.id,
                                            {.config = config, .restart = page.restart},
                                            app.clock.now());
    if (done) return to_cluster(request);
    page.problems = done.error().problems;
    return with_status_of(done.error(), configuration(visitor, app, page));
}

Response show_lease(const Request& request, const Visitor& visitor, App& app) {
    auto cluster = read_cluster(request, visitor, app);
    if (!cluster)
        return no_such_cluster(request, visitor, app, id_in(request), translated("cluster"));
    std::string expires = cluster->expires_at ? input_of(*cluster->expires_at) : "";
    return lease(
        visitor, app,
        {.cluster = *std::move(cluster), .expires = std::move(expires), .now = app.clock.now()});
}

Response change_lease(const Request& request, const Visitor& visitor, App& app) {
    auto cluster = read_cluster(request, visitor, app);
    if (!cluster)
        return no_such_cluster(request, visitor, app, id_in(request), translated("cluster"));
    const auto sent = http::parse_form(request.body);
    // A button of the form names an end of its own.
    LeasePage page{.cluster = *std::move(cluster),
                   .expires = sent.trimmed(sent.has("until") ? "until" : "expireTime"),
                   .now = app.clock.now()};
    const bool is_without_end = page.expires == no_expiry;
    const auto wanted = moment_in(page.expires);
    if (is_without_end) {
        page.expires = "";
    } else if (!wanted) {
        page.problems.push_back(
            {"expireTime", translated("Enter a date and a time, for example 2026-12-24T18:00.")});
        return lease(visitor, app, page);
    }
    if (wanted && *wanted <= app.clock.now()) {
        // The cluster would be deleted at once, without a question.
        page.problems.push_back(
            {"expireTime",
             translated("Choose a time in the future. To end the cluster now, delete it.")});
        return lease(visitor, app, page);
    }
    // The form knows minutes only.
    const bool is_same = page.cluster.expires_at && wanted &&
                         input_of(*page.cluster.expires_at) == input_of(*wanted);
    if (is_same || (is_without_end && !page.cluster.expires_at)) {
        return http::see_other("/clusters/" + model::wire_id(page.cluster.id) +
                               "?done=lease-unchanged");
    }
    const auto end = wanted ? std::optional(provisioner::base::to_millis(*wanted)) : std::nullopt;
    const auto done = operations::change_expiry(app.database, visitor.who(), page.cluster.id, end,
                                                app.clock.now());
    if (done) {
        return http::see_other("/clusters/" + model::wire_id(page.cluster.id) + "?done=lease");
    }
    page.problems = done.error().problems;
    return with_status_of(done.error(), lease(visitor, app, page));
}

}  // namespace fcgi::pages
