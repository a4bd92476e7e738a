#pragma once

#include "provisioner/base/clock.hpp"
#include "provisioner/providers/existing/leases.hpp"
#include "provisioner/providers/existing/listing.hpp"
#include "provisioner/providers/existing/power.hpp"
#include "provisioner/providers/existing/scripts.hpp"

namespace provisioner::providers::existing {

/// How long, beyond the limit of its script, a wash may last that cannot be ended because a machine
/// or its controller is out of reach. Then the machine counts as broken.
constexpr std::chrono::hours wash_patience{1};
/// How often a wash is looked at.
constexpr std::chrono::seconds wash_poll{2};

/// How a part of a wash stands.
struct Verdict {
    enum class Kind {
        /// This part is over.
        done,
        /// Well under way.
        goes_on,
        /// Something is in the way that may pass.
        waits,
        /// Only a person can help.
        broken
    };
    Kind kind = Kind::done;
    std::string reason{};
    std::chrono::milliseconds poll_in = wash_poll;
};

/// What gives machines back: leased ─▶ wiping ─▶ wiped ─▶ free, or broken. A machine that no task
/// of the node has entered is neither wiped nor switched off: nothing was done there but to switch
/// it on, and it may be another's. Every call goes on where the last one of any daemon stood. All
/// references must outlive it.
class Washing {
 public:
    /// `power` may be null: machines are always on then.
    Washing(Leases& leases, Scripts& scripts, Power* power, const base::Clock& clock)
        : leases_(leases), scripts_(scripts), power_(power), clock_(clock) {}

    /// One step of giving the machine back. Gone: it is free, or broken and stays out, or another
    /// daemon has done it. Pending says what it waits for.
    boost::asio::awaitable<Destroyed> go_on(const Account& account, model::MachineLease lease);

 private:
    boost::asio::awaitable<Destroyed> begin(const Account& account, model::MachineLease lease);
    boost::asio::awaitable<Destroyed> wipe(const Account& account, model::MachineLease lease);
    boost::asio::awaitable<Verdict> run_script(const Account& account,
                                               const model::MachineLease& lease,
                                               const base::Checked<Cleaning>& cleaning);
    boost::asio::awaitable<Verdict> try_login(const Account& account,
                                              const model::MachineLease& lease);
    boost::asio::awaitable<Destroyed> finish(const Account& account, model::MachineLease lease);
    /// The end of a wash by a person: the machine stays out, for its own tenant alone if nobody of
    /// ours ever entered it.
    boost::asio::awaitable<Destroyed> break_off(model::MachineLease lease, Verdict verdict);
    /// Waits, or breaks off when the machine was out of reach for too long.
    boost::asio::awaitable<Destroyed> wait_for(model::MachineLease lease, Verdict verdict,
                                               std::chrono::minutes patience);
    Leases& leases_;
    Scripts& scripts_;
    Power* power_;
    const base::Clock& clock_;
};

}  // namespace provisioner::providers::existing
