#include "provisioner/store/database/database.hpp"

#include <algorithm>
#include <random>
#include <thread>

#include "provisioner/statements/database_errors.hpp"
#include "provisioner/store/database/breaker.hpp"
#include "provisioner/store/database/statement.hpp"

namespace provisioner::store {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds first_pause{5};
constexpr milliseconds longest_pause{400};
constexpr milliseconds longest_loss{1000};
/// A rotation names a key in the database and then makes its file, or the other way round.
constexpr milliseconds longest_out_of_step{1000};

double random_between(double least, double most) {
    thread_local std::minstd_rand random{std::random_device{}()};
    return std::uniform_real_distribution<>(least, most)(random);
}

/// Pauses between the attempts of a transaction: 5, 10, 20, ... at most 400 ms, +-50 % jitter so
/// that transactions that collided do not collide again.
class Backoff {
 public:
    explicit Backoff(milliseconds most) : until_(Clock::now() + most) {}

    /// Waits; false, without waiting, when no time is left for another attempt.
    bool wait() {
        const auto pause =
            std::chrono::duration_cast<Clock::duration>(next_ * random_between(0.5, 1.5));
        if (Clock::now() + pause > until_) return false;
        std::this_thread::sleep_for(pause);
        next_ = std::min(2 * next_, longest_pause);
        return true;
    }

 private:
    Clock::time_point until_;
    milliseconds next_ = first_pause;
};

}  // namespace

Statement Connection::sql(const std::string& text) {
    return {session_, text};
}

Database::Database(const base::Config& config, const Patience& patience)
    : patience_(patience),
      sessions_(config, patience_),
      breaker_(std::make_unique<Breaker>()),
      vault_(config) {}

Database::~Database() = default;

void Database::ping() {
    look([](Connection& connection) { connection.sql("SELECT 1").query(); });
}

bool Database::is_silent() const {
    return breaker_->is_silent();
}

/// Each attempt needs a turn of the breaker, so a silent server occupies one thread at a time. A
/// turn lasts until the end of its attempt's pause. A request that starts while the server is
/// silent fails at once. A request that was already at work keeps trying until its patience ends.
void Database::with_connection(const std::function<void(Connection&)>& work, Mode mode) {
    Backoff backoff(patience_.retries);
    Backoff after_conflict(std::max(patience_.retries, patience_.conflicts));
    Backoff out_of_step(std::min(patience_.retries, longest_out_of_step));
    counters_.calls.add();
    for (bool is_first = true;; is_first = false) {
        const auto turn = breaker_->admit();
        if (!is_first) counters_.retries.add();
        try {
            if (!turn) throw DatabaseUnavailable("the database does not answer");
            attempt(work, mode);
            return;
        } catch (const identity::KeysOutOfStep&) {
            if (!out_of_step.wait()) throw;
        } catch (const DatabaseUnavailable& error) {
            // A request that finds the server silent does not wait for it: that would occupy every
            // thread.
            const bool is_silent = is_first && (!turn || turn->is_trial());
            const bool again = !turn || error.is_repeatable();
            const bool is_conflict =
                error.code() == statements::lock_timeout || error.code() == statements::deadlock;
            if (is_silent || !again || !(is_conflict ? after_conflict : backoff).wait()) {
                counters_.unavailable.add();
                if (!turn) counters_.turned_away.add();
                throw;
            }
        }
    }
}

void Database::attempt(const std::function<void(Connection&)>& work, Mode mode) {
    const metrics::Level::One at_work(counters_.in_use);
    const auto session = open();
    const auto began = Clock::now();
    const auto record = [&] {
        if (!session->is_lost()) return breaker_->answered(Clock::now());
        counters_.lost.add();
        sessions_.clear();
        // A connection that was idle while the server restarted fails at once: no sign of silence.
        if (Clock::now() - began > longest_loss) breaker_->not_answered(Clock::now());
    };
    try {
        use(*session, work, mode);
    } catch (...) {
        record();
        throw;
    }
    record();
}

std::unique_ptr<Session> Database::open() {
    try {
        return sessions_.open();
    } catch (const DatabaseUnavailable& error) {
        // Only without a connection; a statement that was killed is an answer.
        // A server that refuses the password does answer: another password may be right in a
        // moment.
        const bool is_answer = error.code() == statements::access_denied;
        if (error.is_repeatable() && !is_answer) breaker_->not_answered(Clock::now());
        throw;
    }
}

void Database::use(Session& session, const std::function<void(Connection&)>& work, Mode mode) {
    using Isolation = Session::Isolation;
    Connection connection(session, vault_);
    if (mode == Mode::statement) {
        session.refuse_changes();
    } else {
        session.begin(mode == Mode::change ? Isolation::read_committed
                                           : Isolation::repeatable_read);
        breaker_->answered(Clock::now());
    }
    work(connection);
    if (mode == Mode::change) session.commit();
    if (mode == Mode::snapshot) session.end_read();
}

}  // namespace provisioner::store
