#include "provisioner/daemon/engine.hpp"

#include <unistd.h>

#include <algorithm>
#include <thread>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include "provisioner/automators/registry.hpp"
#include "provisioner/contents/sweep.hpp"
#include "provisioner/daemon/claims/outage.hpp"
#include "provisioner/daemon/machines/orphans.hpp"
#include "provisioner/daemon/tasks/redact.hpp"
#include "provisioner/daemon/timing.hpp"
#include "provisioner/operations/clusters/lease.hpp"
#include "provisioner/operations/daemons/retention.hpp"
#include "provisioner/queue/mysql_task_queue.hpp"
#include "provisioner/store/machines/account_store.hpp"

namespace provisioner::daemon {

namespace {

/// More does not make claiming cheaper, and the loops would stand idle meanwhile.
constexpr int claim_batch = 500;

/// So many problems are remembered, to tell each once.
constexpr std::size_t most_told = 10'000;

/// The plugins of this daemon, as tasks say what they need.
std::set<std::string> offered(const providers::Registry& providers) {
    std::set<std::string> names;
    for (const auto& [type, provider] : providers.all()) names.insert("provider " + type);
    for (const automators::Automator* automator : automators::all_automators()) {
        names.insert(automator->type().header.name);
    }
    return names;
}

}  // namespace

struct Engine::Loop {
    Loop(const providers::Registry& providers, remote::Connector& connector, ContentSupply& supply,
         const LoginKey& key)
        : performer(providers, connector, supply, key), thread([this] { context.run(); }) {}

    ~Loop() {
        context.stop();
        thread.join();
    }

    boost::asio::io_context context{1};
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> alive{
        context.get_executor()};
    Performer performer;
    std::thread thread;
};

/// Something done every now and then.
struct Engine::Duty {
    const char* name;
    std::chrono::milliseconds every;
    std::function<void()> run;
};

Engine::Engine(const base::Config& config, EngineSettings settings, store::Database& database,
               const contents::Contents& contents, const base::Clock& clock,
               const providers::Registry& providers, remote::Connector& connector,
               ContentSupply& supply, const LoginKey& key, const base::Log& log)
    : config_(config),
      settings_(std::move(settings)),
      database_(database),
      contents_(contents),
      clock_(clock),
      log_(log),
      providers_(providers),
      retention_(operations::retention_from(config)),
      worker_(settings_.instance + "/" + std::to_string(::getpid()) + "-" + base::random_hex(4)),
      nudges_(settings_.nudge_path),
      claims_(std::make_unique<queue::MysqlTaskQueue>(config, offered(providers))),
      task_context_(database, settings_.installation),
      reporter_(std::make_unique<Reporter>(std::make_unique<queue::MysqlTaskQueue>(config),
                                           in_flight_, log, [this] { nudges_.ring(); })) {
    const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    const int count = settings_.loops > 0 ? settings_.loops : cores;
    for (int i = 0; i < count; ++i) {
        loops_.push_back(std::make_unique<Loop>(providers, connector, supply, key));
    }
}

Engine::~Engine() = default;

void Engine::stop() {
    stopping_ = true;
    nudges_.ring();
}

bool Engine::run() {
    std::thread renewing([this] { keep_renewing(); });
    std::thread duties([this] { run_duties(); });
    while (!stopping_) {
        try {
            claim_and_dispatch();
        } catch (const queue::QueueError& error) {
            log_.warn("claim.failed", {{"error", error.what()}});
            nudges_.wait(timing::database_pause);
        }
    }
    duties.join();
    const bool all_ended = drain();
    ended_ = true;
    renewing.join();
    return all_ended;
}

void Engine::claim_and_dispatch() {
    const int room = in_flight_.wait_for_room(settings_.capacity, timing::full_poll);
    if (room == 0) return claim_for_who_has_nothing();
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

void Engine::claim_for_who_has_nothing() {
    const int reserve =
        settings_.capacity + std::max(1, settings_.capacity / 8) - in_flight_.size();
    if (reserve <= 0) return;
    const auto until = base::BootClock::now() + timing::claim_hold;
    const auto claims = claims_->claim_except(in_flight_.tenants(), worker_,
                                              std::min(reserve, claim_batch), timing::claim_hold);
    in_flight_.add(claims, until);
    dispatch(claims);
}

void Engine::dispatch(const std::vector<queue::Claim>& claims) {
    TaskContext::Batch batch = task_context_.brief(claims);
    for (Work& work : batch.works) start(std::move(work));
    for (const auto& [claim, reason] : batch.unreadable) {
        log_.warn("task.unreadable", {{"task", claim.task.value}, {"error", reason}});
        if (!has_lasted_too_long(claim.outage)) {
            reporter_->finished(claim, wait_for_end(queue::Outage::goes_on, reason, 0));
            continue;
        }
        reporter_->finished(claim,
                            queue::failure(queue::Cause::definition, claim.tries(), 0, reason, 1));
    }
}

Engine::Loop& Engine::loop_of(const queue::Claim& claim) {
    return *loops_[static_cast<std::size_t>(claim.node.value) % loops_.size()];
}

void Engine::start(Work work) {
    Loop& loop = loop_of(work.claim);
    const auto since = std::chrono::steady_clock::now();
    const queue::Claim claim = work.claim;
    const auto account = work.account;
    TaskOutput output = [this, claim, account](const std::string& stream, std::string_view text) {
        reporter_->output(claim, stream, redacted(text, account->secrets));
    };
    boost::asio::co_spawn(
        loop.context, run_once(loop.performer, work, std::move(output)),
        [this, work, since](const std::exception_ptr& broken, queue::Outcome outcome) {
            if (broken) {
                queue::Failed failure;
                failure.message = "the daemon failed inside";
                outcome = std::move(failure);
            }
            redact(outcome, work.account->secrets);
            log_end(work, outcome, since);
            reporter_->finished(work.claim, std::move(outcome));
        });
}

boost::asio::awaitable<queue::Outcome> Engine::run_once(Performer& performer, Work work,
                                                        TaskOutput output) {
    if (!in_flight_.holds(work.claim, base::BootClock::now())) {
        log_.warn("task.lost", {{"task", work.claim.task.value},
                                {"action", base::to_word(work.claim.action)},
                                {"node", work.node->hostname}});
        // Where nobody has taken it yet, it goes back.
        queue::Waiting waiting{.poll_in = std::chrono::milliseconds{0},
                               .reason = "its daemon stood still"};
        co_return waiting;
    }
    queue::Outcome outcome = co_await performer.perform(std::move(work), std::move(output));
    co_return outcome;
}

void Engine::keep_renewing() {
    queue::MysqlTaskQueue queue(config_, {}, timing::renewal_limit);
    while (!ended_) {
        auto pause = std::chrono::duration_cast<std::chrono::milliseconds>(timing::renew_every);
        const auto asked = base::BootClock::now();
        try {
            queue.heartbeat(settings_.instance, ::getpid(), settings_.capacity, in_flight_.size());
            contact_.answered(asked, base::BootClock::now());
            renew(queue);
        } catch (const std::exception& error) {
            log_.warn("renew.failed", {{"error", error.what()}});
            contact_.failed();
            pause = timing::database_pause;
        }
        const auto until = std::chrono::steady_clock::now() + pause;
        while (!ended_ && std::chrono::steady_clock::now() < until) {
            std::this_thread::sleep_for(std::chrono::milliseconds{50});
        }
    }
}

void Engine::renew(queue::TaskQueue& queue) {
    const auto until = base::BootClock::now() + timing::claim_hold;
    in_flight_.renewed(queue.renew(in_flight_.all(), timing::claim_hold), until);
}

// Claims of others that ran out while the database was away belong to daemons that could not renew
// them: those get the time of a claim to do so.
void Engine::rescue(queue::TaskQueue& queue) {
    const int rescued = queue.rescue(
        {.instance = settings_.instance,
         .worker = worker_,
         .in_flight = in_flight_.all(),
         .of_others = contact_.has_lasted(timing::claim_hold, base::BootClock::now())});
    if (rescued == 0) return;
    log_.info("tasks.rescued", {{"count", rescued}});
    nudges_.ring();
}

void Engine::log_end(const Work& work, const queue::Outcome& outcome,
                     std::chrono::steady_clock::time_point since) const {
    using std::chrono::duration_cast;
    using std::chrono::milliseconds;
    if (std::holds_alternative<queue::Waiting>(outcome)) return;
    const auto took = duration_cast<milliseconds>(std::chrono::steady_clock::now() - since).count();
    const std::string task = model::wire_id(work.claim.cluster, work.claim.job, work.claim.task);
    const std::string& host = work.node->hostname;
    const std::string action = base::to_word(work.claim.action);
    const auto* failure = std::get_if<queue::Failed>(&outcome);
    if (failure == nullptr) {
        log_.info("task.done", {{"task", task},
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
         {"action", action},
         {"service", work.claim.service},
         {"node", host},
         {"attempt", work.claim.attempt},
         {"ms", took},
         {"again_in_ms", failure->retry_in ? std::to_string(failure->retry_in->count()) : "never"},
         {"message", failure->message}});
}

void Engine::try_duty(const char* name, const std::function<void()>& run) const {
    try {
        run();
    } catch (const std::exception& error) {
        log_.warn("duty.failed", {{"duty", name}, {"error", error.what()}});
    }
}

void Engine::aside(const char* name, std::function<void()> run) {
    std::future<void>& running = asides_[name];
    const bool under_way =
        running.valid() && running.wait_for(std::chrono::seconds{0}) != std::future_status::ready;
    if (under_way) return;
    running =
        std::async(std::launch::async, [this, name, run = std::move(run)] { try_duty(name, run); });
}

void Engine::expire_clusters() {
    const auto expired = operations::expire_clusters(database_, clock_.now());
    for (const model::ClusterId id : expired.deleted) {
        log_.info("cluster.expired", {{"cluster", model::wire_id(id)}});
    }
    for (const std::string& error : expired.errors) {
        log_.warn("cluster.not_expired", {{"error", error}});
    }
    if (!expired.deleted.empty()) nudges_.ring();
}

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

void Engine::prune() {
    const auto gone =
        operations::prune(database_, retention_, clock_.now(), [this] { return stopping_.load(); });
    for (const auto& [kind, rows] : gone)
        log_.info("pruned", {{"what", std::string(kind)}, {"rows", rows}});
}

void Engine::sweep_contents() const {
    const auto swept = contents::sweep(database_, contents_, timing::upload_patience,
                                       [this] { return stopping_.load(); });
    if (swept.removed > 0) log_.info("contents.removed", {{"count", swept.removed}});
    for (const std::string& problem : swept.problems) {
        log_.warn("contents.not_removed", {{"error", problem}});
    }
}

void Engine::remove_orphans() {
    const auto now = std::chrono::steady_clock::now();
    if (now < accounts_due_ && !database_.look(store::is_account_due)) return;
    accounts_due_ = now + timing::accounts_every;
    const Orphans orphans =
        daemon::remove_orphans(database_, providers_, {.installation = settings_.installation},
                               [this] { return stopping_.load(); });
    for (const std::string& name : orphans.removed) {
        log_.warn("machine.orphan_removed", {{"machine", name}});
    }
    for (const std::string& name : orphans.unknown) {
        log_.warn("machine.unknown", {{"machine", name}});
    }
    for (const std::string& problem : orphans.problems) {
        if (told_of_orphans_.size() > most_told) told_of_orphans_.clear();
        if (told_of_orphans_.insert(problem).second) {
            log_.warn("machine.orphan_not_removed", {{"error", problem}});
        }
    }
}

void Engine::run_duties() {
    queue::MysqlTaskQueue queue(config_);
    const std::vector<Duty> duties{
        {"rescue", timing::rescue_every, [&] { rescue(queue); }},
        {"stop aborted", timing::stop_aborted_every, [&] { stop_aborted(queue); }},
        {"expire", timing::expire_every, [&] { aside("expire", [this] { expire_clusters(); }); }},
        {"prune", timing::prune_every, [&] { aside("prune", [this] { prune(); }); }},
        {"sweep contents", timing::sweep_every,
         [&] { aside("sweep contents", [this] { sweep_contents(); }); }},
        {"remove orphans", timing::orphans_every,
         [&] { aside("remove orphans", [this] { remove_orphans(); }); }},
        {"close idle sessions", timing::close_idle_every,
         [&] {
             for (const auto& loop : loops_) {
                 boost::asio::post(loop->context, [&loop] { loop->performer.close_idle(); });
             }
         }},
    };
    std::vector<std::chrono::steady_clock::time_point> due(duties.size());
    while (!stopping_ || in_flight_.size() > 0) {
        for (std::size_t i = 0; i < duties.size(); ++i) {
            const auto now = std::chrono::steady_clock::now();
            if (now < due[i]) continue;
            due[i] = now + duties[i].every;
            try_duty(duties[i].name, duties[i].run);
        }
        if (stopping_) return;
        std::this_thread::sleep_for(std::chrono::milliseconds{50});
    }
}

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
    const bool alone = std::all_of(asides_.begin(), asides_.end(), [](const auto& one) {
        return one.second.wait_for(std::chrono::seconds{0}) == std::future_status::ready;
    });
    return alone && in_flight_.size() == 0;
}

}  // namespace provisioner::daemon
