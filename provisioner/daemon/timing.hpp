#pragma once

#include <chrono>

namespace provisioner::daemon::timing {

using namespace std::chrono_literals;

/// How long a claim holds without being renewed: the longest a task of a dead daemon lies there
/// when no other daemon has its lock.
constexpr std::chrono::seconds claim_hold = 15s;
/// How often claims in flight are renewed, three chances within a hold, and how often this daemon
/// says that it is there.
constexpr auto renew_every = 4s;
/// How often claims that ran out are looked for.
constexpr auto rescue_every = 3s;
/// How often jobs of tasks in flight are looked at that may have been aborted: an abort stops what
/// runs that soon, and tries again that soon when a node could not be told.
constexpr auto stop_aborted_every = 1s;
/// A renewal that takes longer is tried again over another connection, while the claims still hold.
constexpr std::chrono::seconds renewal_limit = 4s;
/// A renewal takes milliseconds. When the answer takes longer than this, the database stood still
/// or was out of reach, and other daemons could not renew either.
constexpr auto slow_answer = 3s;
/// How often leases that ended are looked for.
constexpr auto expire_every = 30s;
/// How often what is older than is kept is deleted.
constexpr auto prune_every = 10min;
/// How often bytes of resources that nobody refers to are removed.
constexpr auto sweep_every = 5min;
/// How often somebody looks whether it is time to look at the machines of an account.
constexpr auto orphans_every = 15s;
/// How often it is found out which accounts there are.
constexpr auto accounts_every = 1min;
/// How often the machines of an account are listed while it answers: those whose nodes are gone for
/// good are found within a minute.
constexpr std::chrono::seconds account_every = 45s;
/// The longest pause of one that does not answer, however often it failed.
constexpr std::chrono::seconds longest_account_pause = 30min;
/// How long an answer of an account is waited for: a long list comes in many pages.
constexpr std::chrono::milliseconds account_patience = 2min;
/// After so long another daemon may look at an account: the first one died at it. When it did not,
/// both do the same.
constexpr std::chrono::seconds account_hold = 30s;
/// How long accounts are kept, with what was unknown in them, that no provider leads to any more.
constexpr std::chrono::seconds accounts_kept = 24h;
/// An upload of which nothing arrived for so long was given up; a live one says so each minute.
constexpr std::chrono::seconds upload_patience = 1h;
/// How often unused SSH sessions are looked at.
constexpr auto close_idle_every = 30s;

/// The longest an idle claimer waits before it looks at the queue: the fallback when a nudge was
/// lost.
constexpr auto idle_poll = 1000ms;
/// How often a daemon that has its hands full looks for tenants it does nothing for.
constexpr auto full_poll = 100ms;
/// The longest output waits before it is stored.
constexpr auto output_flush = 150ms;
/// The pause after the database failed.
constexpr auto database_pause = 500ms;

/// A machine that has not answered this long after it was made will not.
constexpr auto confirm_patience = 10min;
/// A machine that is not gone this long after it was told to go needs a person.
constexpr auto delete_patience = 10min;
/// How long a node or provider that does not answer is waited for before the attempt counts as
/// failed: since it was last heard, however old the attempt is.
constexpr auto outage_patience = 5min;
/// A connection that answered for at least so long ends an outage. One that breaks earlier, again
/// and again, is part of it.
constexpr auto contact_counts = 10s;
/// An attempt this old is not gone on with after an interruption, however often its node was there
/// in between.
constexpr auto longest_interrupted = 24h;
/// So many turns must have found it away: one tries every second or two, each for connect_patience
/// at most.
constexpr int outage_turns = 10;
/// The pause of a task that this daemon cannot do before it may be claimed again.
constexpr auto lacking_pause = 5000ms;
/// The pause before a lost connection is tried again.
constexpr auto reconnect_in = 1000ms;
/// One call's time to get a session to a node.
constexpr auto connect_patience = 20s;

/// How long SIGTERM lets running steps go on before they are handed to the next daemon.
constexpr auto drain_limit = 20s;
/// How often the standby looks whether the lock is free.
constexpr auto lock_poll = 100ms;

/// So many deaths in a row of a daemon that lived no longer than this, and nobody starts it again
/// before the next minute of cron.
constexpr int most_short_lives = 30;
constexpr auto short_life = 1s;

}  // namespace provisioner::daemon::timing
