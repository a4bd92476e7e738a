#include "provisioner/daemon/tasks/performer.hpp"
#include "provisioner/model/jobs/job_end.hpp"

#include "provisioner/automators/registry.hpp"
#include "provisioner/daemon/claims/outage.hpp"
#include "provisioner/daemon/redaction/redact.hpp"
#include "provisioner/daemon/tasks/host_key_facts.hpp"
#include "provisioner/daemon/tasks/machine_spec.hpp"
#include "provisioner/daemon/tasks/node_names.hpp"
#include "provisioner/daemon/tasks/own_host_key.hpp"
#include "provisioner/daemon/tasks/reported_facts.hpp"
#include "provisioner/daemon/tasks/tail.hpp"
#include "provisioner/daemon/tasks/task_document.hpp"
#include "provisioner/daemon/timing.hpp"
#include "provisioner/macros/expand.hpp"

namespace provisioner::daemon {

namespace {

using boost::asio::awaitable;
using queue::Cause;

constexpr int macro_error_status = -1;
constexpr int nothing_created_status = 201;

/// This daemon lacks a plugin that the task needs; what() names it.
class LackingPlugin : public std::runtime_error {
 public:
    using std::runtime_error::runtime_error;
};

/// The automator's view of a task. Its `document` refers to the arguments, so it must not outlive
/// the call that compiles.
automators::AutomatorTask automator_task(const Work& work, const std::string& type,
                                         const base::Json& cluster_config,
                                         std::shared_ptr<automators::SharedValues> shared) {
    automators::AutomatorTask task;
    task.shared = std::move(shared);
    task.action = work.claim.action;
    task.id = model::wire_id(work.claim.cluster, work.claim.job, work.claim.task);
    task.service = work.claim.service;
    task.document = [&, &values = *task.shared] {
        return task_document(*work.cluster, *work.node, work.claim, cluster_config, values);
    };
    const auto resources = work.resources.find(type);
    if (resources != work.resources.end()) {
        task.resources = {resources->second, &resources->second->resources};
    }
    return task;
}

/// The cluster's configuration with macros expanded for this node. Expanded texts of at least
/// least_shared bytes are shared by all tasks of the cluster with the same text.
base::expected<base::Json, macros::MacroError> expanded_config(const Work& work,
                                                               automators::SharedValues& shared) {
    const model::Cluster& cluster = *work.cluster->cluster;
    const macros::MacroContext context{.cluster_owner = cluster.owner,
                                       .nodes = &work.cluster->nodes,
                                       .self = work.node.get(),
                                       .memo = work.cluster->memo.get()};
    return macros::expand_all(cluster.config, context, [&](const auto& from, const auto& expanded) {
        if (expanded->size() < automators::least_shared) return base::Json(*expanded);
        return shared.refer_to("expanded " + from, [expanded] { return base::Json(*expanded); });
    });
}

const model::ServiceAction* action_of(const Work& work) {
    for (const model::Service& service : work.cluster->cluster->snapshot.services) {
        if (service.header.name != work.claim.service) continue;
        const auto found = service.actions.find(work.claim.action);
        return found == service.actions.end() ? nullptr : &found->second;
    }
    return nullptr;
}

const model::Content& content_of(const Work& work, const remote::DeliveredFile& file) {
    for (const auto& [automator, live] : work.resources) {
        const auto found = live->contents.find(file.sha256);
        if (found != live->contents.end()) return found->second;
    }
    throw std::logic_error("no content for " + file.path);
}

/// The ends of both streams with secrets masked: a tail that was cut may have a part of one, which
/// nothing finds afterwards.
class MaskedTails {
 public:
    explicit MaskedTails(const std::vector<std::string>& secrets) : masked_(secrets) {}

    void add(const std::string& stream, std::string_view text) {
        tail_of(stream).add(masked_.next(stream, text));
    }

    /// The tails of "out" and "err", with what was kept back. Nothing may be added afterwards.
    std::pair<Tail, Tail> end() {
        for (const auto& [stream, text] : masked_.rest()) tail_of(stream).add(text);
        return {out_, err_};
    }

 private:
    Tail& tail_of(const std::string& stream) { return stream == "out" ? out_ : err_; }

    StreamRedactor masked_;
    Tail out_;
    Tail err_;
};

/// The failure message of a run: what ended how, and the last line it printed.
std::string sentence_about(const remote::Run& run, const remote::RunResult& result, const Tail& out,
                           const Tail& err) {
    std::string text = run.label;
    if (result.timed_out) {
        text += " was stopped after " + std::to_string(run.limit.count()) + " s";
    } else {
        text += " ended with exit code " + std::to_string(result.exit_code);
    }
    const std::string last = err.last_line().empty() ? out.last_line() : err.last_line();
    return last.empty() ? text : text + ": " + last;
}

Cause cause_of(const providers::Refused& refused) {
    return refused.worth_retrying ? Cause::provider_busy : Cause::provider_refused;
}

}  // namespace

/// Makes the steps of a claim visible to stop() while they are under way. Before: on the
/// performer's loop. After the lifetime: the entry is gone, unless a later claim of the task has
/// replaced it. The performer must outlive it.
class Performer::Registration {
 public:
    Registration(Performer& performer, const queue::Claim& claim, remote::Endpoint endpoint)
        : performer_(performer), task_(claim.task), fence_(claim.fence) {
        UnderWay steps;
        steps.fence = claim.fence;
        steps.endpoint = std::move(endpoint);
        performer_.under_way_[task_] = std::move(steps);
    }
    // The entry of a later claim of the same task stays.
    ~Registration() {
        const auto found = performer_.under_way_.find(task_);
        if (found != performer_.under_way_.end() && found->second.fence == fence_) {
            performer_.under_way_.erase(found);
        }
    }
    Registration(const Registration&) = delete;
    Registration& operator=(const Registration&) = delete;

 private:
    Performer& performer_;
    model::TaskId task_;
    long long fence_;
};

Performer::Performer(const providers::Registry& providers, remote::Connector& connector,
                     ContentSupply& supply, const LoginKeys& keys)
    : providers_(providers), supply_(supply), keys_(keys), sessions_(connector) {}

providers::Provider& Performer::provider_of(const Work& work) const {
    const std::string& type = work.cluster->cluster->snapshot.provider.provider_type;
    providers::Provider* provider = providers_.find(type);
    if (provider == nullptr) throw LackingPlugin("provider of type " + type);
    return *provider;
}

queue::Failed Performer::failed(const Work& work, std::string message, int status_code,
                                queue::Cause cause) {
    return queue::failure(cause, work.claim.tries(), jitter(), std::move(message), status_code);
}

queue::Outcome Performer::interrupted(const Work& work, queue::Outage outage,
                                      const std::string& cause) {
    const bool is_over = outage == queue::Outage::goes_on && has_lasted_too_long(work.claim.outage);
    if (is_over || work.claim.attempt_age > timing::longest_interrupted) {
        return failed(work, cause, 1, queue::cause_of_outage(cause));
    }
    return wait_for_end(outage, cause, jitter());
}

queue::Outcome Performer::lacking(const std::string& plugin) {
    queue::Waiting waiting = wait_for_end(queue::Outage::none, "", jitter());
    waiting.poll_in = timing::lacking_pause;
    waiting.reason = "this daemon has no " + plugin + "; waiting for one that has";
    return waiting;
}

queue::Failed Performer::aborted(const Work& work, int status_code) {
    return failed(work, model::stopped_by_abort_message, status_code, Cause::aborted);
}

bool Performer::is_stopped(const queue::Claim& claim) {
    const UnderWay* steps = under_way(claim);
    return steps != nullptr && steps->stopped;
}

Performer::UnderWay* Performer::under_way(const queue::Claim& claim) {
    const auto found = under_way_.find(claim.task);
    const bool same = found != under_way_.end() && found->second.fence == claim.fence;
    return same ? &found->second : nullptr;
}

// Uses another session, because the task's own is occupied by run(). `stopped` is set before the
// first co_await, so perform() begins no further step even if the node cannot be reached. After
// each co_await the entry may be gone or replaced, so it is looked up again. Two at once: is_told
// lets one stop() send the request; after a failure the next call sends it again.
awaitable<void> Performer::stop(queue::Claim claim, TaskOutput output) {
    UnderWay* steps = under_way(claim);
    if (steps == nullptr) co_return;
    steps->stopped = true;
    if (!steps->step || steps->is_told) co_return;
    steps->is_told = true;
    const remote::StepKey key = *steps->step;
    const remote::Endpoint endpoint = steps->endpoint;
    std::string trouble;
    try {
        const auto session = co_await sessions_.acquire(endpoint, timing::connect_patience);
        co_await session->stop(key);
    } catch (const std::exception& error) {
        trouble = error.what();
    }
    steps = under_way(claim);
    if (steps == nullptr || trouble.empty()) co_return;
    steps->is_told = false;
    output("note", "the step could not be stopped: " + trouble + "\n");
}

// The order of the handlers matters: UntrustedHost is a TransportError, and must not wait. Errors
// of the program (logic_error) are final, because the next turn would meet them again. All other
// exceptions mean that the other side could not be reached or that its state is unknown: the turn
// waits and looks again.
awaitable<queue::Outcome> Performer::perform(Work work, TaskOutput output) {
    queue::Outcome outcome;
    try {
        outcome = co_await dispatch(work, output);
    } catch (const remote::UntrustedHost& error) {
        outcome = failed(work, error.what(), 1, Cause::host_key);
    } catch (const LackingPlugin& error) {
        outcome = work.claim.aborted ? queue::Outcome(aborted(work, 1)) : lacking(error.what());
    } catch (const remote::NodeRefusal& error) {
        outcome = failed(work, error.what(), 1, queue::cause_of_step(error.what(), 1));
    } catch (const std::logic_error& error) {
        outcome = failed(work, error.what(), 1, Cause::definition);
    } catch (const std::exception& error) {
        outcome = interrupted(work, queue::Outage::goes_on, error.what());
    }
    co_return outcome;
}

awaitable<queue::Outcome> Performer::dispatch(const Work& work, const TaskOutput& output) {
    switch (work.claim.action) {
        case model::Action::create:
            return create(work, output);
        case model::Action::confirm:
            return confirm(work, output);
        case model::Action::delete_machine:
            return destroy(work, output);
        case model::Action::bootstrap:
            return bootstrap(work, output);
        case model::Action::install:
        case model::Action::configure:
        case model::Action::initialize:
        case model::Action::start:
        case model::Action::stop:
        case model::Action::remove:
            return run_compiled(work, with_names(work, service_action(work)), output);
    }
    throw std::logic_error("unknown action");
}

awaitable<queue::Outcome> Performer::create(const Work& work, const TaskOutput& output) {
    const providers::MachineSpec spec = spec_of(work, keys_, provider_of(work));
    const providers::Created created = co_await provider_of(work).create(*work.account, spec);
    if (const auto* refused = std::get_if<providers::Refused>(&created)) {
        const int status = refused->nothing_created ? nothing_created_status : 1;
        co_return failed(work, refused->message, status, cause_of(*refused));
    }
    if (const auto* pending = std::get_if<providers::Pending>(&created)) {
        if (work.claim.attempt_age > timing::create_patience) {
            co_return failed(work, "the machine could not be made in time: " + pending->reason, 1,
                             Cause::machine_late);
        }
        co_return queue::Waiting{.poll_in = pending->poll_in, .reason = pending->reason};
    }
    const auto& machine = std::get<providers::Machine>(created);
    output("note",
           "machine " + work.node->hostname + " made; the provider calls it " + machine.id + "\n");
    queue::Succeeded succeeded;
    succeeded.facts = machine.facts;
    succeeded.facts["providerid"] = machine.id;
    co_return succeeded;
}

awaitable<queue::Outcome> Performer::confirm(const Work& work, const TaskOutput& output) {
    const providers::MachineSpec spec = spec_of(work, keys_, provider_of(work));
    const model::Node& node = *work.node;
    const providers::Confirmed confirmed =
        co_await provider_of(work).confirm(*work.account, spec, node.results);
    if (const auto* refused = std::get_if<providers::Refused>(&confirmed)) {
        co_return failed(work, refused->message, 1, cause_of(*refused));
    }
    if (const auto* pending = std::get_if<providers::Pending>(&confirmed)) {
        if (work.claim.attempt_age > timing::confirm_patience) {
            co_return failed(work, "the machine did not answer in time: " + pending->reason, 1,
                             Cause::machine_late);
        }
        co_return queue::Waiting{.poll_in = pending->poll_in, .reason = pending->reason};
    }
    const auto& reachable = std::get<providers::Reachable>(confirmed);
    model::Node reached = node;
    reached.addresses = reachable.addresses;
    if (!reachable.host_key.empty()) reached.results.update(host_key_facts(reachable.host_key));
    queue::Outcome outcome = co_await log_in(work, spec, reached, reachable, output);
    co_return outcome;
}

// A machine is confirmed by a login. The pool keeps the session for the node's next tasks.
awaitable<queue::Outcome> Performer::log_in(const Work& work, const providers::MachineSpec& spec,
                                            const model::Node& reached,
                                            const providers::Reachable& reachable,
                                            const TaskOutput& output) {
    const remote::Endpoint endpoint = endpoint_of(work, reached, keys_, provider_of(work));
    std::shared_ptr<remote::Session> session;
    try {
        session = co_await sessions_.acquire(endpoint, timing::connect_patience);
    } catch (const remote::UntrustedHost& error) {
        // Until cloud-init has put the key there, or while the address still leads to the machine
        // that had it before. Nothing was sent to it.
        const bool is_new = work.claim.attempt_age < timing::first_boot_patience;
        if (!reachable.host_key_travelled || !is_new) throw;
        co_return queue::Waiting{.poll_in = timing::first_boot_pause, .reason = error.what()};
    }
    output("note", "logged in to " + endpoint.address + " as " + endpoint.user + "\n");
    const std::optional<providers::Refused> refused = co_await provider_of(work).entered(
        *work.account, spec, work.node->results, session->host_key());
    if (refused) co_return failed(work, refused->message, 1, cause_of(*refused));
    queue::Succeeded succeeded;
    succeeded.facts = host_key_facts(session->host_key());
    succeeded.facts.update(host_key_origin(reachable));
    succeeded.addresses = reachable.addresses;
    succeeded.hostname = reachable.hostname;
    if (!reachable.host_key_travelled) co_return succeeded;
    const Registration registration(*this, work.claim, endpoint);
    remote::Steps steps{next_host_key_step()};
    queue::Outcome made = co_await run_over(*session, work, std::move(steps), output);
    if (!std::holds_alternative<queue::Succeeded>(made)) co_return made;
    const base::Json& facts = std::get<queue::Succeeded>(made).facts;
    if (next_host_key(facts).empty()) {
        co_return failed(work, "the machine made no host key of its own", 1, Cause::step);
    }
    succeeded.facts.update(facts);
    co_return succeeded;
}

awaitable<queue::Outcome> Performer::destroy(const Work& work, const TaskOutput& output) {
    const providers::MachineSpec spec = spec_of(work, keys_, provider_of(work));
    const model::Node& node = *work.node;
    const auto address = node.addresses.find("access_v4");
    if (address != node.addresses.end()) sessions_.drop(address->second);
    const providers::Destroyed destroyed =
        co_await provider_of(work).destroy(*work.account, spec, node.results);
    if (const auto* refused = std::get_if<providers::Refused>(&destroyed)) {
        co_return failed(work, refused->message, 1, cause_of(*refused));
    }
    if (const auto* pending = std::get_if<providers::Pending>(&destroyed)) {
        if (work.claim.attempt_age > timing::delete_patience) {
            co_return failed(work, "the machine did not go in time: " + pending->reason, 1,
                             Cause::machine_late);
        }
        co_return queue::Waiting{.poll_in = pending->poll_in, .reason = pending->reason};
    }
    output("note", "machine is gone\n");
    co_return queue::Succeeded{};
}

awaitable<queue::Outcome> Performer::bootstrap(const Work& work, const TaskOutput& output) {
    auto compiled = with_names(work, bootstrap_steps(work));
    const std::string own_key = next_host_key(work.node->results);
    if (compiled && !own_key.empty()) compiled->insert(compiled->begin(), switch_host_key_step());
    queue::Outcome outcome = co_await run_compiled(work, std::move(compiled), output);
    auto* succeeded = std::get_if<queue::Succeeded>(&outcome);
    if (succeeded == nullptr || own_key.empty()) co_return outcome;
    succeeded->facts.update(switched_facts(own_key));
    // A new login that accepts the machine's own key and no other; a host that shows the first one
    // still must not be left behind a key it does not have.
    model::Node switched = *work.node;
    switched.results.update(succeeded->facts);
    const remote::Endpoint endpoint = endpoint_of(work, switched, keys_, provider_of(work));
    try {
        co_await sessions_.acquire(endpoint, timing::connect_patience);
    } catch (const remote::UntrustedHost& error) {
        // sshd reads its keys a moment after it was told to.
        if (work.claim.attempt_age > timing::first_boot_patience) throw;
        outcome = queue::Waiting{.poll_in = timing::first_boot_pause, .reason = error.what()};
    }
    co_return outcome;
}

Performer::Compiled Performer::with_names(const Work& work, Compiled compiled) const {
    if (!compiled || compiled->empty() || provider_of(work).gives_names()) return compiled;
    compiled->insert(compiled->begin(), names_step(work.cluster->nodes));
    return compiled;
}

Performer::Compiled Performer::bootstrap_steps(const Work& work) {
    remote::Steps steps;
    const auto shared = std::make_shared<automators::SharedValues>(work.cluster->memo);
    for (const std::string& type : work.node->automators) {
        auto compiled =
            compile(work, {.type = type, .fields = {}}, work.cluster->cluster->config, shared);
        if (!compiled) return compiled;
        steps.insert(steps.end(), std::make_move_iterator(compiled->begin()),
                     std::make_move_iterator(compiled->end()));
    }
    return steps;
}

Performer::Compiled Performer::service_action(const Work& work) {
    const model::ServiceAction* action = action_of(work);
    if (action == nullptr) {
        return base::unexpected(failed(work, "service " + work.claim.service + " lost this action",
                                       1, Cause::definition));
    }
    const auto shared = std::make_shared<automators::SharedValues>(work.cluster->memo);
    const auto config = expanded_config(work, *shared);
    if (!config) {
        return base::unexpected(
            failed(work, "Exception while expanding macros: " + macros::to_text(config.error()),
                   macro_error_status, Cause::macro));
    }
    return compile(work, *action, *config, shared);
}

Performer::Compiled Performer::compile(const Work& work, const model::ServiceAction& action,
                                       const base::Json& cluster_config,
                                       std::shared_ptr<automators::SharedValues> shared) {
    const automators::Automator* automator = automators::find_automator(action.type);
    if (automator == nullptr) throw LackingPlugin("automator of type " + action.type);
    auto task = automator_task(work, action.type, cluster_config, std::move(shared));
    task.fields = action.fields;
    if (action.limit) task.limit = std::chrono::ceil<std::chrono::seconds>(*action.limit);
    auto steps = automator->compile(task);
    if (!steps) {
        return base::unexpected(failed(work, base::to_text(steps.error()), 1, Cause::definition));
    }
    return *std::move(steps);
}

// A function of its own, so that documents and configurations are destroyed before the steps run:
// thousands of tasks that wait hold only their steps.
awaitable<queue::Outcome> Performer::run_compiled(const Work& work, Compiled compiled,
                                                  const TaskOutput& output) {
    if (!compiled) co_return std::move(compiled.error());
    queue::Outcome outcome = co_await run_steps(work, *std::move(compiled), output);
    co_return outcome;
}

awaitable<queue::Outcome> Performer::run_steps(const Work& work, remote::Steps steps,
                                               const TaskOutput& output) {
    const remote::Endpoint endpoint = endpoint_of(work, *work.node, keys_, provider_of(work));
    const Registration registration(*this, work.claim, endpoint);
    const auto session = co_await sessions_.acquire(endpoint, timing::connect_patience);
    const auto began = std::chrono::steady_clock::now();
    queue::Outcome outcome;
    try {
        outcome = co_await run_over(*session, work, std::move(steps), output);
    } catch (const remote::NoAnswer& error) {
        // The node is there but did not finish in time: it would not finish in another turn either.
        outcome = failed(work, error.what(), 1, Cause::network);
    } catch (const remote::TransportError& error) {
        // In an aborted job contact does not end the outage: the turn only waits for the steps'
        // end, for as long as one outage may last.
        const bool was_there =
            !work.claim.aborted && session->last_heard() - began >= timing::contact_counts;
        outcome = interrupted(work, was_there ? queue::Outage::begins : queue::Outage::goes_on,
                              error.what());
    }
    co_return outcome;
}

// Before: registered in under_way_. A step's key (task, attempt, number) is the same in every turn
// of the attempt, so a step that an earlier turn started is found and not run again. `step` is set
// before run() and cleared after it, so stop() finds each running step.
// In an aborted job each key is stopped before it is run: what runs on the node ends, what has not
// begun never begins, and run() only returns how it ended.
awaitable<queue::Outcome> Performer::run_over(remote::Session& session, const Work& work,
                                              remote::Steps steps, const TaskOutput& output) {
    MaskedTails tails(work.account->secrets);
    ReportedFacts told;
    const remote::OutputSink sink = [&](remote::Stream stream, std::string_view text) {
        const char* const name = stream == remote::Stream::out ? "out" : "err";
        tails.add(name, text);
        if (stream == remote::Stream::out) told.add(text);
        output(name, text);
    };
    const auto kinds = remote::kinds_of(steps);
    std::size_t runs = 0;
    // In an aborted job uploads are left out. If the last step is one that was left out, the task
    // has failed; otherwise the last run decides.
    bool left_out = false;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (is_stopped(work.claim) && !work.claim.aborted) co_return aborted(work, 1);
        if (const auto* upload = std::get_if<remote::Upload>(&steps[i])) {
            left_out = work.claim.aborted;
            if (left_out) continue;
            co_await session.upload(*upload);
            continue;
        }
        if (const auto* delivery = std::get_if<remote::Delivery>(&steps[i])) {
            left_out = work.claim.aborted;
            if (!left_out) co_await deliver(work, session, *delivery, output);
            continue;
        }
        const auto& run = std::get<remote::Run>(steps[i]);
        if (!run.needs.empty() && !work.claim.aborted) {
            const remote::Delivery needs{.label = run.label, .files = run.needs};
            co_await deliver(work, session, needs, output);
            if (is_stopped(work.claim)) co_return aborted(work, 1);
        }
        remote::StepKey key;
        key.name = std::to_string(work.claim.task.value) + "-" +
                   std::to_string(work.claim.attempt) + "-" + std::to_string(runs);
        key.fence = work.claim.fence;
        if (!work.claim.aborted) key.kind = kinds[runs];
        ++runs;
        UnderWay* known = under_way(work.claim);
        if (known != nullptr) known->step = key;
        told.expect(run.facts);
        if (work.claim.aborted) co_await session.stop(key);
        const remote::RunResult result = co_await session.run(run, key, sink);
        if (result.fenced_off) {
            co_return failed(work, "another worker has taken this task over", 1, Cause::taken_over);
        }
        if (result.is_another) {
            co_return failed(work,
                             run.label +
                                 ": the steps of this attempt are not those it began with, "
                                 "because files or the software changed meanwhile",
                             1, Cause::changed);
        }
        known = under_way(work.claim);
        if (known != nullptr) known->step.reset();
        if (result.exit_code == 0 && !result.timed_out) {
            left_out = false;
            continue;
        }
        const auto [out, err] = tails.end();
        queue::Failed failure =
            result.stopped
                ? aborted(work, result.exit_code)
                : failed(work, sentence_about(run, result, out, err), result.exit_code,
                         queue::cause_of_step(out.text() + err.text(), result.exit_code));
        if (failure.status_code == 0) failure.status_code = 1;
        failure.stdout_tail = out.text();
        failure.stderr_tail = err.text();
        co_return failure;
    }
    if (left_out) co_return aborted(work, 1);
    queue::Succeeded succeeded;
    succeeded.facts = told.facts();
    co_return succeeded;
}

awaitable<void> Performer::deliver(const Work& work, remote::Session& session,
                                   const remote::Delivery& delivery, const TaskOutput& output) {
    const auto lacking = co_await session.lacking(delivery);
    if (lacking.empty()) co_return;
    std::uint64_t bytes = 0;
    for (const std::size_t i : lacking) {
        bytes += delivery.files[i].size;
        co_await send(work, session, delivery.files[i]);
    }
    output("note", "sent " + std::to_string(lacking.size()) + " of " +
                       std::to_string(delivery.files.size()) + " files, " + std::to_string(bytes) +
                       " bytes\n");
}

awaitable<void> Performer::send(const Work& work, remote::Session& session,
                                const remote::DeliveredFile& file) {
    if (file.content) {
        std::string_view whole = *file.content;
        const remote::Pieces once = [&] { return std::exchange(whole, {}); };
        co_await session.send(file, once);
        co_return;
    }
    const model::Content& content = content_of(work, file);
    const auto reader = co_await supply_.open(content);
    const remote::Pieces pieces = [&] {
        // Breaks the connection on purpose: the task then waits, and its next claim says `aborted`.
        if (is_stopped(work.claim)) throw remote::TransportError("the job was aborted");
        return reader->next();
    };
    try {
        co_await session.send(file, pieces);
    } catch (const remote::WrongContent&) {
        supply_.forget(content);
        throw;
    }
}

}  // namespace provisioner::daemon
