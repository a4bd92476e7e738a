#pragma once

#include <chrono>

#include "provisioner/model/jobs/claim_hold.hpp"

namespace provisioner::daemon::timing {

using namespace std::chrono_literals;

/// How long a claim holds without being renewed. A task of a dead daemon stands still that long
/// when no new life of that daemon takes over.
constexpr std::chrono::seconds claim_hold = model::claim_hold;
/// How often claims in flight are renewed and the heartbeat is written: three chances within
/// claim_hold.
constexpr auto renew_every = 4s;
/// How often claims that ran out are rescued.
constexpr auto rescue_every = 3s;
/// How often the jobs of tasks in flight are checked for an abort. An abort reaches a running step
/// within this time, and a node that did not answer is tried again after it.
constexpr auto stop_aborted_every = 1s;
/// Longest time for one statement of a renewal. After it the renewal is tried over a new connection
/// while the claims still hold.
constexpr std::chrono::seconds renewal_limit = 4s;
/// A heartbeat takes milliseconds. When its answer takes longer than this, the database stood still
/// or was out of reach, and other daemons could not renew either.
constexpr auto slow_answer = 3s;
/// How often clusters whose lease has ended are deleted.
constexpr auto expire_every = 30s;
/// How often rows older than their retention are deleted.
constexpr auto prune_every = 10min;
/// How often templates are looked for whose sizes are not worked out, and how long each look works
/// on them: at most a quarter of a processor. The solver may take seconds for one template.
constexpr auto sizes_every = 10s;
constexpr std::chrono::milliseconds sizes_patience = 2500ms;
/// How often users of identity providers are compared with them. A person who left a directory is
/// out, sessions and keys included, within this time.
constexpr auto follow_providers_every = 5min;
/// How often the daemon looks for chains of the audit log that want a seal.
constexpr auto audit_look_every = 1min;
/// The least time between two seals of a chain. What was recorded since the last seal is protected
/// by hashes alone.
constexpr std::chrono::seconds audit_sealed_every = 1h;
/// How often ends of jobs are looked for that the audit log does not have.
constexpr auto audit_ends_every = 2s;
/// How often events that receivers of the audit log lack are looked for.
constexpr auto audit_send_every = 2s;
/// How often views of tenants are ended that are over.
constexpr auto views_every = 30s;
/// How often troubles are looked for that superadmins are told of by mail.
constexpr auto troubles_every = 1min;
/// How often failed logins are looked for that users are told of by mail.
constexpr auto failed_logins_every = 1min;
/// How often contents of resources without a reference are removed.
constexpr auto sweep_every = 5min;
/// How often the daemon checks whether an account is due for a sweep.
constexpr auto orphans_every = 15s;
/// How often new accounts are searched for.
constexpr auto accounts_every = 1min;
/// How often the machines of an account that answers are listed: together with orphans_every, an
/// orphan is found within a minute.
constexpr std::chrono::seconds account_every = 45s;
/// The longest pause of an account that does not answer, however often it failed.
constexpr std::chrono::seconds longest_account_pause = 30min;
/// Longest time to list the machines of an account: a long list comes in many pages.
constexpr std::chrono::milliseconds account_patience = 2min;
/// How often tests of providers that wait are looked for; a person waits for the answer.
constexpr auto provider_tests_every = 1s;
/// Longest time for the test of a provider.
constexpr std::chrono::seconds provider_test_patience = 60s;
/// How long an account stays taken by one daemon. Then another may sweep it, because the first one
/// may have died. If it is only slow, both sweep; that is harmless.
constexpr std::chrono::seconds account_hold = 30s;
/// How long an account that no provider leads to is kept, with its unknown machines.
constexpr std::chrono::seconds accounts_kept = 24h;
/// How often the daemon looks for nodes that are to have another login key.
constexpr auto login_keys_every = 3s;
/// How often nodes are looked for that joined, or whose machines got an address: a look at all
/// nodes of tenants with login keys. They have the current key of the moment when they were
/// ordered.
constexpr std::chrono::seconds login_key_look_every = 30s;
/// Longest time for one try at a node.
constexpr std::chrono::seconds login_key_patience = 50s;
/// How long a node is left to the daemon that tries, from each step on: longer than that, so that
/// two do not meet.
constexpr std::chrono::seconds login_key_hold = 60s;
/// The pause after the first failure; it doubles with each further one, up to 64 times as long.
constexpr std::chrono::seconds login_key_pause = 15s;
/// Longest time for a script that changes which keys a node takes.
constexpr std::chrono::seconds login_key_step = 20s;
/// How often idle SSH sessions are closed (after PoolOptions::idle_limit).
constexpr auto close_idle_every = 30s;

/// The longest an idle claimer waits before it looks at the queue: the fallback for a lost nudge.
constexpr auto idle_poll = 1000ms;
/// How often a daemon at capacity claims for tenants that have no task in flight.
constexpr auto full_poll = 100ms;
/// The longest that output waits before it is stored: pages show it that late.
constexpr auto output_flush = 150ms;
/// The pause after a failure of the database.
constexpr auto database_pause = 500ms;

/// Longest time for a create: waiting for what the account allows a second, and for parts that are
/// made before the machine.
constexpr auto create_patience = 30min;
/// How long a new machine may show another host key than the one it was given: until its first boot
/// has put it there.
constexpr auto first_boot_patience = 3min;
/// The pause before the next look at such a machine.
constexpr auto first_boot_pause = 3000ms;
/// Longest time for a confirm: a machine that is not reachable by then failed to start.
constexpr auto confirm_patience = 10min;
/// Longest time for a delete: a machine that still exists by then needs a person.
constexpr auto delete_patience = 10min;
/// Longest outage of a node or provider before the attempt fails, counted from the last answer,
/// whatever the age of the attempt.
constexpr auto outage_patience = 5min;
/// A connection that answered for at least so long ends an outage. One that breaks earlier is part
/// of the outage, so a node that accepts and drops connections cannot keep an attempt alive.
constexpr auto contact_counts = 10s;
/// An attempt older than this fails at its next interruption, however often its node answered in
/// between.
constexpr auto longest_interrupted = 24h;
/// Least number of turns without an answer before an outage fails the attempt. One turn follows
/// another after one or two seconds and tries for connect_patience at most.
constexpr int outage_turns = 10;
/// The pause of a task that needs a plugin this daemon lacks, before it may be claimed again.
constexpr auto lacking_pause = 5000ms;
/// The pause before the next turn after a lost connection; jitter adds up to as much again.
constexpr auto reconnect_in = 1000ms;
/// Longest time for one call to get a session to a node.
constexpr auto connect_patience = 20s;

/// How long tasks may go on after SIGTERM before they are left to the next daemon.
constexpr auto drain_limit = 20s;

}  // namespace provisioner::daemon::timing
