#include "provisioner/daemon/engine.hpp"

#include <unistd.h>

#include <algorithm>
#include <thread>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include "provisioner/automators/registry.hpp"
#include "provisioner/base/failure_log.hpp"
#include "provisioner/base/version.hpp"
#include "provisioner/callbacks/mail_sender.hpp"
#include "provisioner/daemon/claims/outage.hpp"
#include "provisioner/daemon/metrics/loop_lag.hpp"
#include "provisioner/daemon/redaction/redact.hpp"
#include "provisioner/daemon/timing.hpp"
#include "provisioner/metrics/family_json.hpp"
#include "provisioner/metrics/process.hpp"
#include "provisioner/operations/machines/login_keys.hpp"
#include "provisioner/queue/mysql_task_queue.hpp"

namespace provisioner::daemon {

namespace {

/// Most tasks of one claim. More would not make a claim cheaper, and the loops would idle
/// meanwhile.
constexpr int claim_batch = 500;

std::optional<std::string> site_of_mails(const base::Config& config) {
    const auto rules = callbacks::mail_rules_from(config);
    return rules ? std::optional(rules->site) : std::nullopt;
}

/// The plugins of this daemon in the words of ready_task.needs.
std::set<std::string> offered(const providers::Registry& providers) {
    std::set<std::string> names;
    for (const std::string& type : providers.claimed()) names.insert("provider " + type);
    for (const automators::Automator* automator : automators::all_automators()) {
        names.insert(automator->type().header.name);
    }
    return names;
}

std::set<std::string> types_with_login_keys(const providers::Registry& providers) {
    std::set<std::string> names;
    for (const model::PluginType& type : providers.types()) {
        if (type.login_keys) names.insert(type.header.name);
    }
    return names;
}

/// The id by which people and the API know the task.
std::string wire_id(const queue::Claim& claim) {
    return model::wire_id(claim.cluster, claim.job, claim.task);
}

std::string what_of(const std::exception_ptr& broken) {
    try {
        std::rethrow_exception(broken);
    } catch (const std::exception& error) {
        return error.what();
    } catch (...) {
        return "something that is no std::exception";
    }
}

}  // namespace

// The destructor stops the context and joins its thread; handlers that have not run are destroyed
// with the context, after the performer. So no coroutine of the performer may be suspended then: a
// run() that returned true guarantees it for turns at tasks.
struct Engine::Loop {
    Loop(const providers::Registry& providers, remote::Connector& connector, ContentSupply& supply,
         const LoginKeys& keys)
        : performer(providers, connector, supply, keys), thread([this] { context.run(); }) {}

    ~Loop() {
        context.stop();
        thread.join();
    }

    boost::asio::io_context context{1};
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> alive{
        context.get_executor()};
    Performer performer;
    LoopLag lag;
    std::thread thread;
};

Engine::Engine(const base::Config& config, EngineSettings settings, store::Database& database,
               const contents::Contents& contents, const base::Clock& clock,
               const providers::Registry& providers, remote::Connector& connector,
               ContentSupply& supply, const LoginKeys& keys, DaemonMetrics& metrics,
               const base::Log& log)
    : config_(config),
      settings_(std::move(settings)),
      database_(database),
      log_(log),
      metrics_(metrics),
      worker_(settings_.instance + "/" + std::to_string(::getpid()) + "-" + base::random_hex(4)),
      nudges_(settings_.nudge_path),
      claims_(std::make_unique<queue::MysqlTaskQueue>(config, offered(providers))),
      account_files_(contents),
      login_key_types_(types_with_login_keys(providers)),
      task_context_(database, settings_.installation, add_files()),
      reporter_(std::make_unique<Reporter>(std::make_unique<queue::MysqlTaskQueue>(config),
                                           in_flight_, log, [this] { nudges_.ring(); })),
      duties_(log),
      upkeep_({.installation = settings_.installation,
               .replace_machines = settings_.replace_machines,
               .retention = operations::retention_from(config),
               .external_users_kept =
                   std::chrono::hours{24} * config.number_or("auth.external_days", 30),
               .add_files = add_files(),
               .site_of_mails = site_of_mails(config),
               .stopping = [this] { return stopping_.load(); },
               .ring = [this] { nudges_.ring(); }},
              database, contents, clock, providers, log),
      audit_keeping_(config, worker_, database, clock, log, [this] { return stopping_.load(); }),
      key_rotation_({.installation = settings_.installation,
                     .add_files = add_files(),
                     .stopping = [this] { return stopping_.load(); }},
                    database, providers, connector, keys, log) {
    metrics_.offer(offered(providers));
    const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    const int count = settings_.loops > 0 ? settings_.loops : cores;
    for (int i = 0; i < count; ++i) {
        loops_.push_back(std::make_unique<Loop>(providers, connector, supply, keys));
    }
}

Engine::~Engine() = default;

// The flag is set before the ring, so that a claimer woken by it sees the flag.
void Engine::stop() {
    stopping_ = true;
    nudges_.ring();
}

// Order of the end: claiming stops, then the duties, then tasks are drained, and renewing stops
// last: a task in flight must keep its claim until its end is stored. Duties are joined before
// drain(), because it asks whether their runs aside have ended. A failed claim committed nothing,
// or claims that are not in flight here; those run out and rescue() takes them back.
bool Engine::run() {
    std::thread renewing([this] { keep_renewing(); });
    std::thread duties([this] { run_duties(); });
    base::FailureLog failures(log_, "claim.failed", "claim.works_again");
    while (!stopping_) {
        try {
            claim_and_dispatch();
            failures.worked();
        } catch (const queue::QueueError& error) {
            metrics_.database_failures.add();
            failures.failed(error.what());
            nudges_.wait(timing::database_pause);
        }
    }
    duties.join();
    const bool all_ended = drain();
    ended_ = true;
    renewing.join();
    return all_ended;
}

// Before: the thread of run(). After: a batch is claimed, in flight and started, or the claimer has
// waited. `until` is taken before the statement is sent, so the claims run out here before they do
// in the database. add() comes before dispatch(): a turn asks holds() at once.
// Two at once: several daemons claim in parallel; the queue gives each task to one of them.
void Engine::claim_and_dispatch() {
    const int room = in_flight_.wait_for_room(settings_.capacity, timing::full_poll);
    if (room == 0) return claim_for_tenants_without_tasks();
    const auto until = base::BootClock::now() + timing::claim_hold;
    const auto claims = claims_->claim(worker_, std::min(room, claim_batch), timing::claim_hold);
    if (!claims.empty()) {
        in_flight_.add(claims, until);
        dispatch(claims);
        return;
    }
    const auto due = claims_->next_due().value_or(timing::idle_poll);
    nudges_.wait(std::min<std::chrono::milliseconds>(due, timing::idle_poll));
}

// Only when the capacity is used up. The reserve is an eighth of it, at least 1, and is shared by
// all tenants without a task in flight; a tenant that got a task here is excluded from the next
// call. While the reserve lasts, one tenant's long tasks delay others by timing::full_poll at most.
void Engine::claim_for_tenants_without_tasks() {
    const int reserve =
        settings_.capacity + std::max(1, settings_.capacity / 8) - in_flight_.size();
    if (reserve <= 0) return;
    const auto until = base::BootClock::now() + timing::claim_hold;
    const auto claims = claims_->claim_except(in_flight_.tenants(), worker_,
                                              std::min(reserve, claim_batch), timing::claim_hold);
    if (claims.empty()) return;
    in_flight_.add(claims, until);
    dispatch(claims);
}

// Before: `claims` are in flight. After: each has a turn under way or a report, so none keeps its
// place for ever. A context that cannot be read counts as an outage: it may be the database, so the
// task waits, and fails only after the patience for outages.
void Engine::dispatch(const std::vector<queue::Claim>& claims) {
    metrics_.claimed.add(claims.size());
    TaskContext::Batch batch = task_context_.read(claims);
    for (Work& work : batch.works) start(std::move(work));
    for (const auto& [claim, reason] : batch.unreadable) {
        log_.warn("task.unreadable", {{"task", wire_id(claim)},
                                      {"cluster", model::wire_id(claim.cluster)},
                                      {"request", claim.request},
                                      {"error", reason}});
        if (!has_lasted_too_long(claim.outage)) {
            reporter_->finished(claim, wait_for_end(queue::Outage::goes_on, reason, 0));
            continue;
        }
        reporter_->finished(claim,
                            queue::failure(queue::Cause::definition, claim.tries(), 0, reason, 1));
    }
}

TaskContext::AddFiles Engine::add_files() {
    return [this](store::Connection& connection, model::Account& account) {
        account_files_.add(connection, account);
        if (login_key_types_.contains(account.provider_type)) {
            operations::add_login_keys(connection, account);
        }
    };
}

Engine::Loop& Engine::loop_of(const queue::Claim& claim) {
    return *loops_[static_cast<std::size_t>(claim.node.value) % loops_.size()];
}

// Before: the claim is in flight. After: the coroutine will call finished() exactly once, whatever
// is thrown. The handler owns a copy of the work: account and node must live until the outcome is
// masked and logged. Secrets are masked here, before output reaches the reporter or the log; notes
// of stop_aborted() are our own words.
// Two at once: turns of one node share a loop, so only its thread touches their performer.
void Engine::start(Work work) {
    Loop& loop = loop_of(work.claim);
    const auto since = std::chrono::steady_clock::now();
    const queue::Claim claim = work.claim;
    const auto redactor = std::make_shared<StreamRedactor>(work.account->secrets);
    TaskOutput output = [this, claim, redactor](const std::string& stream, std::string_view text) {
        const std::string shown = redactor->next(stream, text);
        if (!shown.empty()) reporter_->output(claim, stream, shown);
    };
    boost::asio::co_spawn(
        loop.context, run_once(loop.performer, work, std::move(output)),
        [this, work, since, redactor](const std::exception_ptr& broken, queue::Outcome outcome) {
            for (const auto& [stream, text] : redactor->rest()) {
                reporter_->output(work.claim, stream, text);
            }
            if (broken) {
                log_broken(work, broken);
                queue::Failed failure;
                failure.message = "the daemon failed inside";
                outcome = std::move(failure);
            }
            redact(outcome, work.account->secrets);
            count_end(work, outcome, std::chrono::steady_clock::now() - since);
            log_end(work, outcome, since);
            reporter_->finished(work.claim, std::move(outcome));
        });
}

// Checked on the loop, immediately before the turn: the loop may come to it long after the claim. A
// claim that runs out during the turn is not noticed here: the node's ledger refuses its steps once
// another worker has come, its end is dropped by its fence, and orphans are swept.
boost::asio::awaitable<queue::Outcome> Engine::run_once(Performer& performer, Work work,
                                                        TaskOutput output) {
    if (!in_flight_.holds(work.claim, base::BootClock::now())) {
        metrics_.lost.add();
        log_.warn("task.lost", {{"task", wire_id(work.claim)},
                                {"cluster", model::wire_id(work.claim.cluster)},
                                {"request", work.claim.request},
                                {"action", base::to_word(work.claim.action)},
                                {"node", work.node->hostname}});
        // finish() puts it back if no other worker has claimed it, and ignores this otherwise.
        queue::Waiting waiting{.poll_in = std::chrono::milliseconds{0},
                               .reason = "its daemon stood still"};
        co_return waiting;
    }
    queue::Outcome outcome = co_await performer.perform(std::move(work), std::move(output));
    co_return outcome;
}

// Runs until ended_, beyond stopping_: claims must hold while tasks drain. The heartbeat comes
// first and measures the database for contact_; renewals may have many parts and say less. After a
// failure the next try follows after timing::database_pause, over a new connection. With
// renewal_limit of 4 s and a hold of 15 s one lost answer does not cost the claims.
void Engine::keep_renewing() {
    queue::MysqlTaskQueue queue(config_, {}, timing::renewal_limit);
    base::FailureLog failures(log_, "renew.failed", "renew.works_again");
    while (!ended_) {
        auto pause = std::chrono::duration_cast<std::chrono::milliseconds>(timing::renew_every);
        const auto asked = base::BootClock::now();
        try {
            queue.heartbeat(heartbeat());
            contact_.answered(asked, base::BootClock::now());
            renew(queue);
            failures.worked();
        } catch (const std::exception& error) {
            metrics_.database_failures.add();
            failures.failed(error.what());
            contact_.failed();
            pause = timing::database_pause;
        }
        const auto until = std::chrono::steady_clock::now() + pause;
        while (!ended_ && std::chrono::steady_clock::now() < until) {
            std::this_thread::sleep_for(std::chrono::milliseconds{50});
        }
    }
}

// The lag is that of the answers to the questions of the heartbeat before: a heartbeat does not
// wait for a loop.
queue::Heartbeat Engine::heartbeat() {
    std::chrono::nanoseconds lag{0};
    for (const auto& loop : loops_) {
        lag = std::max(lag, loop->lag.worst());
        loop->lag.ask(loop->context);
    }
    const auto families = metrics_.families(lag, metrics::resident_bytes());
    return {.instance = settings_.instance,
            .pid = ::getpid(),
            .capacity = settings_.capacity,
            .running = in_flight_.size(),
            .metrics = base::to_text(metrics::to_json(families)),
            .version = std::string(base::version())};
}

// `until` is taken before the statements are sent: the moment here must not be later than the one
// in the database. Claims that end while this runs are not renewed, and renewed() ignores them.
// Claims the database does not return stay in flight until their turn ends; holds() turns false for
// them.
void Engine::renew(queue::TaskQueue& queue) {
    const auto until = base::BootClock::now() + timing::claim_hold;
    in_flight_.renewed(queue.renew(in_flight_.all(), timing::claim_hold), until);
}

// Before: the instance lock is held. Claims of others that ran out during an outage of the database
// belong to daemons that could not renew; they get claim_hold to do so. in_flight_ is copied before
// the database is asked: a claim added meanwhile cannot have run out yet, and one removed meanwhile
// is no longer claimed. Two at once: rescuers of several daemons skip each other's rows.
void Engine::rescue(queue::TaskQueue& queue) {
    const int rescued = queue.rescue(
        {.instance = settings_.instance,
         .worker = worker_,
         .in_flight = in_flight_.all(),
         .of_others = contact_.has_lasted(timing::claim_hold, base::BootClock::now())});
    if (rescued == 0) return;
    metrics_.rescued.add(static_cast<std::uint64_t>(rescued));
    log_.info("tasks.rescued", {{"count", rescued}});
    nudges_.ring();
}

void Engine::log_broken(const Work& work, const std::exception_ptr& broken) const {
    log_.error("task.broken", {{"task", wire_id(work.claim)},
                               {"cluster", model::wire_id(work.claim.cluster)},
                               {"request", work.claim.request},
                               {"action", base::to_word(work.claim.action)},
                               {"node", work.node->hostname},
                               {"error", redacted(what_of(broken), work.account->secrets)}});
}

void Engine::count_end(const Work& work, const queue::Outcome& outcome,
                       std::chrono::nanoseconds took) const {
    if (std::holds_alternative<queue::Waiting>(outcome)) return metrics_.waited.add();
    const auto* failure = std::get_if<queue::Failed>(&outcome);
    const AttemptEnd end = failure == nullptr  ? AttemptEnd::succeeded
                           : failure->retry_in ? AttemptEnd::retried
                                               : AttemptEnd::failed;
    metrics_.attempt_ended(work.cluster->cluster->snapshot.provider.provider_type,
                           work.claim.action, end, work.claim.attempt_age + took);
}

void Engine::log_end(const Work& work, const queue::Outcome& outcome,
                     std::chrono::steady_clock::time_point since) const {
    using std::chrono::duration_cast;
    using std::chrono::milliseconds;
    if (std::holds_alternative<queue::Waiting>(outcome)) return;
    const auto took = duration_cast<milliseconds>(std::chrono::steady_clock::now() - since).count();
    const std::string task = wire_id(work.claim);
    const std::string cluster = model::wire_id(work.claim.cluster);
    const std::string& host = work.node->hostname;
    const std::string action = base::to_word(work.claim.action);
    const auto* failure = std::get_if<queue::Failed>(&outcome);
    if (failure == nullptr) {
        log_.info("task.done", {{"task", task},
                                {"cluster", cluster},
                                {"request", work.claim.request},
                                {"action", action},
                                {"service", work.claim.service},
                                {"node", host},
                                {"attempt", work.claim.attempt},
                                {"ms", took}});
        return;
    }
    log_.warn(
        "task.failed",
        {{"task", task},
         {"cluster", cluster},
         {"request", work.claim.request},
         {"action", action},
         {"service", work.claim.service},
         {"node", host},
         {"attempt", work.claim.attempt},
         {"ms", took},
         {"again_in_ms", failure->retry_in ? std::to_string(failure->retry_in->count()) : "never"},
         {"message", failure->message}});
}

// A snapshot of the claims in flight: a task that ends meanwhile has no steps under way, and stop()
// ignores it; one that begins meanwhile is found by the next call, or its claim says `aborted`. The
// coroutines run on the loops of their nodes, the only threads that may touch their performers.
void Engine::stop_aborted(queue::TaskQueue& queue) {
    const auto aborted = queue.aborted(in_flight_.jobs());
    if (aborted.empty()) return;
    for (const queue::Claim& claim : in_flight_.all()) {
        if (!aborted.contains(claim.job)) continue;
        Loop& loop = loop_of(claim);
        TaskOutput output = [this, claim](const std::string& stream, std::string_view text) {
            reporter_->output(claim, stream, text);
        };
        boost::asio::co_spawn(loop.context, loop.performer.stop(claim, std::move(output)),
                              boost::asio::detached);
    }
}

// One thread and one connection for all duties that are not aside, so none of them runs beside
// itself. A late rescue or stop would be noticed. close_idle() is posted, because only a loop's
// thread may touch its performer.
void Engine::run_duties() {
    using enum Duty::Place;
    queue::MysqlTaskQueue queue(config_);
    std::vector<Duty> duties = upkeep_.duties();
    for (Duty& duty : audit_keeping_.duties()) duties.push_back(std::move(duty));
    duties.push_back(
        {"login keys", timing::login_keys_every, aside, [this] { key_rotation_.run(); }});
    duties.push_back({"rescue", timing::rescue_every, here, [&] { rescue(queue); }});
    duties.push_back(
        {"stop aborted", timing::stop_aborted_every, here, [&] { stop_aborted(queue); }});
    duties.push_back({"close idle sessions", timing::close_idle_every, here, [this] {
                          for (const auto& loop : loops_) {
                              boost::asio::post(loop->context,
                                                [&loop] { loop->performer.close_idle(); });
                          }
                      }});
    duties_.run(duties, [this] { return stopping_.load(); });
}

// Before: no more claims and no more duties start; the renewing thread goes on. After: true only if
// nothing uses loops or threads any more, which ~Engine needs. Aborts still reach nodes meanwhile.
// Tasks that do not end keep their claims until the process ends; then they run out, or the next
// life of this daemon takes them at once.
bool Engine::drain() {
    const auto until = std::chrono::steady_clock::now() + timing::drain_limit;
    log_.info("daemon.draining", {{"tasks", in_flight_.size()}});
    queue::MysqlTaskQueue queue(config_);
    while (in_flight_.size() > 0 && std::chrono::steady_clock::now() < until) {
        in_flight_.wait_for_room(1, std::chrono::milliseconds{500});
        try {
            stop_aborted(queue);
        } catch (const std::exception& error) {
            log_.warn("duty.failed", {{"duty", "drain"}, {"error", error.what()}});
        }
    }
    reporter_->flush(timing::database_pause * 4);
    return duties_.all_ended() && in_flight_.size() == 0;
}

}  // namespace provisioner::daemon
