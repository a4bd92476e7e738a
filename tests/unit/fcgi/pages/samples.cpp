#include "samples.hpp"

#include <algorithm>
#include <iterator>

#include "catalogue/builder_samples.hpp"
#include "catalogue_samples.hpp"
#include "changes/change_samples.hpp"
#include "clusters/creation_samples.hpp"
#include "clusters/jobs/job_samples.hpp"
#include "fcgi/pages/catalogue/entries.hpp"
#include "fcgi/pages/catalogue/templates.hpp"
#include "fcgi/pages/clusters/configure_page.hpp"
#include "fcgi/pages/clusters/description.hpp"
#include "fcgi/pages/clusters/jobs/job_graph.hpp"
#include "fcgi/pages/clusters/lease_page.hpp"
#include "fcgi/pages/clusters/question_page.hpp"
#include "fcgi/pages/clusters/tabs/about.hpp"
#include "fcgi/pages/clusters/tabs/jobs.hpp"
#include "fcgi/pages/clusters/tabs/machines.hpp"
#include "fcgi/pages/clusters/tabs/overview.hpp"
#include "fcgi/pages/clusters/tabs/services.hpp"
#include "fcgi/pages/docs.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/kept/kept_form.hpp"
#include "fcgi/pages/progress.hpp"
#include "jobs/task_samples.hpp"

namespace samples {

namespace {

std::vector<Json> services() {
    return {
        Json::parse(
            R"({"name":"cache","version":3,"description":"Redis, listening on the inner network",
                "dependencies":{"provides":[],"conflicts":[],"install":{"requires":[],"uses":[]},
                "runtime":{"requires":["base"],"uses":[]}},"provisioner":{"actions":{"install":{"type":"shell",
                "fields":{"script":"redis.sh","args":"install"}},"start":{"type":"shell","fields":{"script":"redis.sh"}}}}})"),
        Json::parse(
            R"({"name":"web","version":1,"provisioner":{"actions":{"install":{"type":"shell","fields":{}}}}})")};
}

Json provider() {
    return Json::parse(
        R"({"name":"openstack","version":2,"description":"The department's cloud","providertype":"openstack",
        "provisioner":{"auth_url":"https://cloud.example.test:5000","api_username":"cooperage","api_password":"x"}})");
}

Json error_page() {
    return to_json(ErrorPage{.heading = "There is no such cluster",
                             .text = "It may have been deleted, or it belongs to somebody else.",
                             .ways = {{"/clusters", "Clusters"}, {"/", "Home"}}});
}

Json in_docs(const Viewer& viewer) {
    const Json document{
        {"tags", {{{"name", "Clusters"}}}},
        {"paths",
         {{"/v2/clusters",
           {{"get", {{"tags", {"Clusters"}}, {"summary", "Clusters of the tenant."}}}}}}}};
    return framed({{"groups", calls_json(document)}},
                  {.title = "API", .section = "docs", .script = "api.js"}, viewer);
}

Json done(Json page, const std::string& words) {
    page["done"] = words;
    return page;
}

Json in_clusters(Json page, const Viewer& viewer = visitor) {
    return framed(std::move(page),
                  {.title = "Clusters",
                   .section = "clusters",
                   .script = "live.js",
                   .refresh = {.every = 5s, .still = "/clusters/00000007?reload=no"}},
                  viewer);
}

Json in_catalogue(const CataloguePage& page) {
    return framed(to_json(page),
                  {.title = tab_title(plural_title(page.kind)), .section = "catalogue"},
                  administrator);
}

Json entry_sample() {
    const EntryPage page{CatalogueKind::provider, provider(), "", "everybody"};
    return framed(to_json(page), {.title = title_of(page), .section = "catalogue"}, administrator);
}

std::vector<Sample> of_clusters_and_others() {
    const QuestionPage deletion{.question = Question::delete_cluster,
                                .cluster = ClusterBuilder().active().cluster,
                                .nodes = ClusterBuilder().active().nodes,
                                .problems = {{"", "Job 00000042-002 is still underway."}}};
    QuestionPage large_deletion{.question = Question::delete_cluster,
                                .cluster = deletion.cluster,
                                .nodes = deletion.nodes,
                                .typed = "shap"};
    large_deletion.problems = {{"confirm", "This is not the name of the cluster, which is shop."}};
    while (large_deletion.nodes.size() < machines_of_large_cluster) {
        large_deletion.nodes.push_back(large_deletion.nodes.back());
    }
    const QuestionPage give_up{
        .question = Question::give_up, .cluster = deletion.cluster, .nodes = deletion.nodes};
    QuestionPage abort{.question = Question::abort_job,
                       .cluster = deletion.cluster,
                       .job = ClusterBuilder().failed().job,
                       .nodes = deletion.nodes};
    abort.cluster.status = ClusterStatus::pending;
    const QuestionPage stop{.question = Question::stop_services,
                            .cluster = deletion.cluster,
                            .nodes = deletion.nodes,
                            .services = {"cache"},
                            .touched = {"cache", "web"}};
    QuestionPage blocked_restart{.question = Question::restart_services,
                                 .cluster = deletion.cluster,
                                 .job = ClusterBuilder().failed().job,
                                 .nodes = deletion.nodes};
    blocked_restart.cluster.status = ClusterStatus::incomplete;
    const QuestionPage start{.question = Question::start_services,
                             .cluster = deletion.cluster,
                             .nodes = deletion.nodes,
                             .services = {"cache"},
                             .touched = {"cache", "cron"},
                             .running = {"cron"},
                             .offered = {"web"}};
    const ConfigurePage configure{
        .cluster = deletion.cluster,
        .config = "{\"web\": ",
        .nodes = deletion.nodes,
        .touched = {"cache", "web"},
        .problems = {
            {"config",
             "Line 2, column 5: expected the name of a member in double quotes, found }."}}};
    ConfigurePage blocked_config{.cluster = deletion.cluster, .config = "{\"port\": 81}"};
    blocked_config.cluster.status = ClusterStatus::incomplete;
    blocked_config.job = ClusterBuilder().failed().job;
    blocked_config.job->operation = Operation::cluster_grow;
    ConfigurePage repair{.cluster = deletion.cluster, .config = "{\"port\": \"eighty\"}"};
    repair.cluster.status = ClusterStatus::incomplete;
    repair.cluster.message = "configure web failed on shop-42-1001: port: eighty is no number";
    repair.cluster.config = {{"port", "eighty"}};
    repair.job = ClusterBuilder().failed().job;
    ConfigurePage repair_previewed = repair;
    repair_previewed.config = "{\"port\": 80}";
    repair_previewed.preview = Json{{"port", 80}};
    ConfigurePage finish = repair;
    finish.job->operation = Operation::cluster_grow;
    ConfigurePage back = finish;
    back.working = Json{{"port", 80}};
    back.preview = back.working;
    back.config = "{\"port\": 80}";
    back.end.can_go_back = true;
    back.end.to_keep.emplace();
    back.end.to_keep->kept.push_back({.hostname = "shop-42-1002.local"});
    back.end.to_keep->without = {1003};
    ConfigurePage repair_same = repair;
    repair_same.preview = repair.cluster.config;
    auto blocked_growth = growing_page(3);
    blocked_growth.cluster.status = ClusterStatus::pending;
    blocked_growth.preview.reset();
    ConfigurePage previewed = configure;
    previewed.problems = {};
    previewed.cluster.config = {{"web", {{"port", 80}}}, {"workers", 4}};
    previewed.preview = Json{{"web", {{"port", 8080}}}, {"workers", 4}};
    previewed.config = previewed.preview->dump(2);
    previewed.plan.emplace();
    previewed.plan->order({0, Action::stop, "web"}, {0, Action::configure, "web"});
    previewed.plan->order({0, Action::configure, "web"}, {0, Action::start, "web"});
    ConfigurePage failed_config = configure;
    failed_config.problems = {};
    failed_config.cluster.config = {{"web", {{"port", "abc"}}}, {"db_password", "wine"}};
    failed_config.cluster.message = "configure web failed on shop-42-1001: port: abc is no number";
    failed_config.working = Json{{"web", {{"port", 80}}}, {"db_password", "beer"}};
    failed_config.config =
        text_of_config(failed_config.cluster.config, failed_config.cluster.config);
    const LeasePage lease{.cluster = deletion.cluster,
                          .expires = "2026-12-01T10:00",
                          .now = now,
                          .problems = {{"expireTime",
                                        "Cluster cannot be prolonged beyond its max "
                                        "duration"}}};
    LeasePage endless_lease{.cluster = deletion.cluster, .now = now};
    endless_lease.cluster.expires_at.reset();
    LeasePage blocked_lease = lease;
    blocked_lease.cluster.status = ClusterStatus::pending;
    return {
        {"templates", "catalogue/templates",
         framed(to_json(TemplatesPage{{big_template(), small_template(), web_template()},
                                      {{web_template().header.name, some_cost()}},
                                      {},
                                      {web_template().header.name},
                                      {small_template().header.name}}),
                {.title = "Templates", .section = "templates"}, visitor)},
        {"templates_searched", "catalogue/templates",
         framed(to_json(TemplatesPage{.templates = {small_template(), web_template()},
                                      .search = "web"}),
                {.title = "Templates", .section = "templates"}, visitor)},
        {"templates_none", "catalogue/templates",
         framed(to_json(TemplatesPage{}), {.title = "Templates", .section = "templates"}, visitor)},
        {"clusters", "clusters/index", in_clusters(to_json(clusters_page(false)))},
        {"clusters_admin", "clusters/index",
         in_clusters(to_json(clusters_page(true)), administrator)},
        {"clusters_everywhere", "clusters/index",
         in_clusters(to_json(clusters_of_all_tenants()), administrator)},
        {"clusters_none", "clusters/index", in_clusters(to_json(ClustersPage{.now = now}))},
        {"clusters_of_entry", "clusters/index",
         in_clusters(
             to_json(ClustersPage{.cluster_template = "shop", .provider = "sim", .now = now}))},
        {"clusters_found", "clusters/index", in_clusters(to_json(found_clusters_page()))},
        {"clusters_terminated", "clusters/index", in_clusters(to_json(terminated_clusters_page()))},
        {"clusters_found_terminated", "clusters/index",
         in_clusters(to_json(clusters_found_among_terminated()))},
        {"clusters_searched", "clusters/index", in_clusters(to_json(searched_clusters_page()))},
        {"clusters_not_found", "clusters/index",
         in_clusters(to_json(ClustersPage{.text = "shpo", .show_owner = true, .now = now}))},
        {"cluster_new", "clusters/new", in_clusters(to_json(new_cluster_page()))},
        {"cluster_new_draft", "clusters/new", in_clusters(to_json(new_cluster_of_draft()))},
        {"cluster_new_elsewhere", "clusters/new",
         in_clusters(to_json(new_cluster_elsewhere(true)))},
        {"cluster_new_elsewhere_for_user", "clusters/new",
         in_clusters(to_json(new_cluster_elsewhere(false)))},
        {"cluster_new_doubts", "clusters/new", in_clusters(to_json(new_cluster_in_doubt(true)))},
        {"cluster_new_impossible", "clusters/new",
         in_clusters(to_json(new_cluster_in_doubt(false)))},
        {"cluster_new_like", "clusters/new", in_clusters(to_json(new_cluster_like_another()))},
        {"cluster_new_problems", "clusters/new", in_clusters(to_json(new_cluster_with_problems()))},
        {"cluster_new_one_size", "clusters/new", in_clusters(to_json(new_cluster_of_one_size()))},
        {"cluster_preview", "clusters/preview", in_clusters(to_json(preview_page(4)))},
        {"cluster_preview_explained", "clusters/preview",
         in_clusters(to_json(explained_preview_page()))},
        {"cluster_preview_large", "clusters/preview", in_clusters(to_json(preview_page(60)))},
        {"cluster_pending", "clusters/tabs/overview",
         in_clusters(overview_json(ClusterBuilder().in_the_middle()))},
        {"cluster_failed", "clusters/tabs/overview",
         in_clusters(overview_json(ClusterBuilder().failed()))},
        {"cluster_active", "clusters/tabs/overview",
         in_clusters(overview_json(ClusterBuilder().active()))},
        {"cluster_updated", "clusters/tabs/overview",
         in_clusters(overview_json(ClusterBuilder().updated()))},
        {"cluster_stopped", "clusters/tabs/overview",
         in_clusters(overview_json(ClusterBuilder().stopped()))},
        {"cluster_wrong_configuration", "clusters/tabs/overview",
         in_clusters(overview_json(ClusterBuilder().wrongly_configured()))},
        {"cluster_large", "clusters/tabs/overview",
         in_clusters(overview_json(ClusterBuilder().large()))},
        {"cluster_large_failed", "clusters/tabs/overview",
         in_clusters(overview_json(ClusterBuilder().large_and_failed()))},
        {"cluster_partly_retried", "clusters/tabs/overview",
         in_clusters(overview_json(ClusterBuilder().partly_retried()))},
        {"cluster_job_partly_retried", "clusters/tabs/job",
         in_clusters(job_of_cluster(ClusterBuilder().partly_retried()))},
        {"cluster_job_large_failed", "clusters/tabs/job",
         in_clusters(job_of_cluster(ClusterBuilder().large_and_failed()))},
        {"cluster_machines", "clusters/tabs/machines",
         in_clusters(machines_json(ClusterBuilder().in_the_middle(), {}))},
        {"cluster_machines_large", "clusters/tabs/machines",
         in_clusters(machines_json(ClusterBuilder().large(), {.state = "ready", .page = 2}))},
        {"cluster_machines_none", "clusters/tabs/machines",
         framed(machines_json(ClusterBuilder().active(),
                              {.text = "nothing", .services = "db,web", .part = "services"}),
                {.title = "Machines", .section = "clusters", .refresh = {.is_stopped = true}},
                visitor)},
        {"cluster_machines_left", "clusters/tabs/machines",
         in_clusters(machines_json(ClusterBuilder().after_aborted_growth(), {}))},
        {"cluster_machine_left", "clusters/tabs/machine",
         in_clusters(machine_json(ClusterBuilder().machine_after_aborted_growth()))},
        {"cluster_machine", "clusters/tabs/machine",
         in_clusters(machine_json(ClusterBuilder().failed_machine()))},
        {"cluster_machine_idle", "clusters/tabs/machine",
         in_clusters(machine_json(ClusterBuilder().idle_machine()))},
        {"cluster_jobs", "clusters/tabs/jobs", in_clusters(jobs_of_cluster())},
        {"cluster_jobs_none", "clusters/tabs/jobs",
         in_clusters(jobs_json(ClusterBuilder().active(), {}))},
        {"cluster_job", "clusters/tabs/job",
         in_clusters(job_of_cluster(ClusterBuilder().failed()))},
        {"cluster_job_retried", "clusters/tabs/job", in_clusters(retried_job())},
        {"cluster_job_running", "clusters/tabs/job",
         in_clusters(job_of_cluster(ClusterBuilder().in_the_middle()))},
        {"cluster_job_filtered", "clusters/tabs/job",
         in_clusters(job_of_cluster(
             ClusterBuilder().in_the_middle(),
             {.state = "cancelled", .action = "install", .service = "web", .machine = "1001"}))},
        {"cluster_job_large", "clusters/tabs/job",
         in_clusters(job_of_cluster(ClusterBuilder().large(), {.page = 2, .lanes = 2}))},
        {"cluster_job_timeline", "clusters/tabs/job_timeline",
         in_clusters(timeline_of_cluster(ClusterBuilder().failed()))},
        {"cluster_job_timeline_large", "clusters/tabs/job_timeline",
         in_clusters(timeline_of_cluster(ClusterBuilder().large(), {.lanes = 2}))},
        {"cluster_job_timeline_none", "clusters/tabs/job_timeline",
         in_clusters(
             timeline_json(ClusterBuilder().active(),
                           {.job = *ClusterBuilder().active().job, .query = {.machine = "none"}}))},
        {"cluster_job_graph", "clusters/tabs/job_graph",
         in_clusters(graph_of_job(ClusterBuilder().in_the_middle()))},
        {"cluster_job_graph_failed", "clusters/tabs/job_graph",
         in_clusters(graph_of_job(ClusterBuilder().failed()))},
        {"cluster_job_graph_large", "clusters/tabs/job_graph",
         in_clusters(graph_of_job(ClusterBuilder().large()))},
        {"cluster_job_graph_listed", "clusters/tabs/job_graph",
         in_clusters(graph_of_many_kinds(ClusterBuilder().large()))},
        {"cluster_job_graph_services", "clusters/tabs/job_graph",
         in_clusters(graph_of_many_services(ClusterBuilder().large()))},
        {"cluster_job_graph_none", "clusters/tabs/job_graph",
         in_clusters(job_graph_json(ClusterBuilder().active(), *ClusterBuilder().active().job,
                                    JobGraph{}))},
        {"cluster_job_large_done", "clusters/tabs/job",
         in_clusters(job_of_cluster(large_and_done()))},
        {"cluster_services", "clusters/tabs/services",
         in_clusters(services_json(ClusterBuilder().stopped()))},
        {"cluster_services_blocked", "clusters/tabs/services",
         in_clusters(services_json(ClusterBuilder().failed()))},
        {"cluster_services_needed", "clusters/tabs/services",
         in_clusters(services_json(ClusterBuilder().of_one_service_each()))},
        {"cluster_services_none", "clusters/tabs/services",
         in_clusters(services_json(ClusterBuilder().without_services()))},
        {"cluster_settings", "clusters/tabs/settings",
         in_clusters(done(settings_json(ClusterBuilder().active()), "Description changed."))},
        {"cluster_settings_outdated", "clusters/tabs/settings",
         in_clusters(settings_json(cluster_with_old_template()))},
        {"cluster_settings_failed", "clusters/tabs/settings",
         in_clusters(settings_json(cluster_with_failed_configuration()))},
        {"cluster_settings_plain", "clusters/tabs/settings",
         in_clusters(settings_json(cluster_with_long_description()))},
        {"cluster_task", "jobs/task", in_clusters(to_json(task_page()))},
        {"cluster_task_replaced", "jobs/task", in_clusters(to_json(replaced_task_page()))},
        {"cluster_task_log", "jobs/task", in_clusters(to_json(task_page_with_log({})))},
        {"cluster_task_failed", "jobs/task", in_clusters(to_json(failed_task_page()))},
        {"cluster_task_unwrapped", "jobs/task",
         in_clusters(to_json(task_page_ended(task_page_with_log({.find = "nowhere", .wrap = false}),
                                             TaskState::done, "")))},
        {"cluster_task_long", "jobs/task", in_clusters(to_json(task_page_long({})))},
        {"cluster_task_part", "jobs/task",
         in_clusters(to_json(task_page_long({.line = 1200, .find = "99"})))},
        {"cluster_expired", "clusters/tabs/overview",
         in_clusters(overview_json(ClusterBuilder().expired()))},
        {"cluster_without_layout", "clusters/tabs/overview",
         in_clusters(overview_json(ClusterBuilder().without_layout()))},
        {"cluster_give_up", "clusters/question", in_clusters(to_json(give_up))},
        {"cluster_paused", "clusters/tabs/overview",
         in_clusters(overview_json(ClusterBuilder().paused()))},
        {"cluster_delete", "clusters/question", in_clusters(to_json(deletion))},
        {"cluster_delete_large", "clusters/question", in_clusters(to_json(large_deletion))},
        {"cluster_abort", "clusters/question", in_clusters(to_json(abort))},
        {"cluster_stop", "clusters/question", in_clusters(to_json(stop))},
        {"cluster_restart_blocked", "clusters/question", in_clusters(to_json(blocked_restart))},
        {"cluster_start", "clusters/question", in_clusters(to_json(start))},
        {"cluster_description", "clusters/description",
         in_clusters(to_json(DescriptionPage{
             .cluster = deletion.cluster,
             .description = "The shop, for the demo on Friday",
             .problems = {{"description", "It must not be longer than 65,535 bytes."}}}))},
        {"cluster_configure", "clusters/configure", in_clusters(to_json(configure))},
        {"cluster_configure_blocked", "clusters/configure", in_clusters(to_json(blocked_config))},
        {"cluster_grow_blocked", "changes/change", in_clusters(to_json(blocked_growth))},
        {"cluster_configure_failed", "clusters/configure", in_clusters(to_json(failed_config))},
        {"cluster_configure_preview", "clusters/configure", in_clusters(to_json(previewed))},
        {"cluster_repair", "clusters/configure", in_clusters(to_json(repair))},
        {"cluster_repair_preview", "clusters/configure", in_clusters(to_json(repair_previewed))},
        {"cluster_finish", "clusters/configure", in_clusters(to_json(finish))},
        {"cluster_go_back", "clusters/configure", in_clusters(to_json(back))},
        {"cluster_repair_same", "clusters/configure", in_clusters(to_json(repair_same))},
        {"cluster_grow", "changes/change", in_clusters(to_json(growing_page(3)))},
        {"cluster_grow_large", "changes/change", in_clusters(to_json(growing_page(60)))},
        {"cluster_shrink", "changes/change", in_clusters(to_json(shrinking_page()))},
        {"cluster_shrink_scattered", "changes/change", in_clusters(to_json(scattered_page()))},
        {"cluster_shrink_unfinished", "changes/change", in_clusters(to_json(unfinished_page()))},
        {"cluster_shrink_unfinished_creation", "changes/change",
         in_clusters(to_json(unfinished_creation_page()))},
        {"cluster_shrink_many", "changes/change", in_clusters(to_json(picking_page()))},
        {"cluster_shrink_keeps", "changes/change", in_clusters(to_json(keeping_page()))},
        {"cluster_shrink_keeps_and_removes", "changes/change",
         in_clusters(to_json(keeping_and_removing_page()))},
        {"cluster_remove_services", "changes/change", in_clusters(to_json(removing_page()))},
        {"cluster_lease", "clusters/lease", in_clusters(to_json(lease))},
        {"cluster_lease_endless", "clusters/lease", in_clusters(to_json(endless_lease))},
        {"cluster_lease_blocked", "clusters/lease", in_clusters(to_json(blocked_lease))},
        {"catalogue", "catalogue/index",
         in_catalogue(CataloguePage{CatalogueKind::service, services()})},
        {"catalogue_none", "catalogue/index",
         in_catalogue(CataloguePage{CatalogueKind::image_type, {}})},
        {"catalogue_entry", "catalogue/show", entry_sample()},
        {"api", "docs/api", in_docs(visitor)},
        {"api_nobody", "docs/api", in_docs({})},
        {"kept_form", "kept/show",
         framed(to_json(KeptFormPage{.form = {.path = "/people",
                                              .body = "name=ann&role=user&kept-secret=api_token"}}),
                {.title = "Send your form now?", .section = "form"}, administrator)},
        {"kept_form_proven", "kept/show",
         framed(to_json(KeptFormPage{
                    .form = {.path = "/people", .body = "name=ann&role=user&kept-for-proof=yes"}}),
                {.title = "Send your form now?", .section = "form"}, administrator)},
        {"error", "errors/show",
         framed(error_page(), {.title = "Not found", .section = "error"}, visitor)},
        {"error_in_a_view", "errors/show",
         framed(to_json(
                    ErrorPage{.heading = "You are viewing acme",
                              .text = "While you view a tenant you can only read what it has.",
                              .ways = {{"/", "Home"}},
                              .form = ErrorPage::Form{.action = "/viewing/acme/leave",
                                                      .next = "/profile",
                                                      .button = "Stop viewing and open the page"}}),
                {.title = "You are viewing acme", .section = "error"}, administrator)},
        {"question_of_a_view", "errors/show",
         framed(to_json(ErrorPage{
                    .heading = "View acme?",
                    .text = "You are not viewing this tenant now. The page /clusters/00000042 "
                            "belongs to it: you would see it as its auditors do, and change "
                            "nothing. The audit logs of acme and of your own tenant record when "
                            "the view begins and ends.",
                    .ways = {{"/", "No, go to Home"}},
                    .form = ErrorPage::Form{.action = "/viewing/acme",
                                            .next = "/clusters/00000042",
                                            .button = "View acme",
                                            .back = "/clusters?tenants=all"}}),
                {.title = "View acme?", .section = "error"}, administrator)},
    };
}

}  // namespace

std::vector<Sample> all() {
    std::vector<Sample> samples;
    for (const auto& of_room :
         {of_clusters_and_others, of_leaving_machines, of_sign_in, of_people, of_access,
          of_machines, of_audit, of_overview, of_builder, of_catalogue}) {
        auto more = of_room();
        std::ranges::move(more, std::back_inserter(samples));
    }
    return samples;
}

}  // namespace samples
